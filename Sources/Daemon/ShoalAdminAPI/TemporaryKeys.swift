import ShoalFaults
import ShoalJSON
import ShoalSigV4

/// `POST …/scopes/{s}/credentials`: a key pair that expires, and its session token.
package struct TemporaryKeysRequest: AdminMessage, Equatable {
    /// Seconds, 1 to 129,600 (36 hours).
    package let expiresIn: Int
    /// The permanent access key to speak for; that of `--access-key` unless given.
    package let accessKey: String?

    package static let expiresInMax = 129_600

    package init(expiresIn: Int, accessKey: String? = nil) {
        self.expiresIn = expiresIn
        self.accessKey = accessKey
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        try reader.allow(["expiresIn", "accessKey"])
        let seconds = try reader.required("expiresIn")
        expiresIn = try seconds.integer()
        guard (1...Self.expiresInMax).contains(expiresIn) else {
            throw seconds.flaw("1 to \(Self.expiresInMax) seconds are due here")
        }
        accessKey = try reader.member("accessKey")?.string()
    }

    package var json: JSON {
        .members([("expiresIn", .count(expiresIn)), ("accessKey", .text(accessKey))])
    }
}

package struct TemporaryKeys: AdminMessage, Concealed {
    package let accessKeyId: String
    package let secretAccessKey: String
    package let sessionToken: String
    /// ISO 8601 in UTC, such as `2026-03-14T15:09:26Z`, by the scope's clock.
    package let expiration: String

    package init(accessKeyId: String, secretAccessKey: String, sessionToken: String, expiration: String) {
        self.accessKeyId = accessKeyId
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.expiration = expiration
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        accessKeyId = try reader.required("accessKeyId").string()
        secretAccessKey = try reader.required("secretAccessKey").string()
        sessionToken = try reader.required("sessionToken").string()
        expiration = try reader.required("expiration").string()
    }

    package var json: JSON {
        [
            "accessKeyId": .string(accessKeyId), "secretAccessKey": .string(secretAccessKey),
            "sessionToken": .string(sessionToken), "expiration": .string(expiration),
        ]
    }
}
