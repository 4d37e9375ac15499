import ShoalFaults
import ShoalJSON
import ShoalSigV4

/// `POST …/scopes/{s}/urls`: a presigned URL from the server's own key, good or bad on purpose.
package struct MintURLRequest: AdminMessage {
    package let method: String
    package let bucket: String
    package let key: String
    /// Seconds, 1 to 604,800.
    package let expires: Int
    /// Headers to pin by the signature, such as `content-type`.
    package let headers: [(name: String, value: String)]
    /// Where the client will find the server; the server's public URL unless given.
    package let baseURL: String?
    package let defect: Defect?
    /// Rules that the URL carries, such as `commit.after 1*reset`.
    package let fault: String?

    package init(
        method: String, bucket: String, key: String, expires: Int, headers: [(name: String, value: String)] = [],
        baseURL: String? = nil, defect: Defect? = nil, fault: String? = nil
    ) {
        self.fault = fault
        self.method = method
        self.bucket = bucket
        self.key = key
        self.expires = expires
        self.headers = headers
        self.baseURL = baseURL
        self.defect = defect
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        try reader.allow(["method", "bucket", "key", "expires", "headers", "baseURL", "defect", "fault"])
        method = try reader.required("method").string()
        bucket = try reader.required("bucket").string()
        key = try reader.required("key").string()
        expires = try reader.required("expires").integer()
        headers = try reader.member("headers")?.texts() ?? []
        baseURL = try reader.member("baseURL")?.string()
        defect = try reader.member("defect")?.choice()
        fault = try reader.member("fault")?.string()
    }

    package var json: JSON {
        .members([
            ("method", .string(method)), ("bucket", .string(bucket)), ("key", .string(key)),
            ("expires", .count(expires)), ("headers", .texts(headers)), ("baseURL", .text(baseURL)),
            ("defect", .text(defect?.rawValue)), ("fault", .text(fault)),
        ])
    }
}

package struct MintURLResponse: AdminMessage {
    package let url: String
    /// What the client has to send along, as signed.
    package let headers: [(name: String, value: String)]
    /// ISO 8601 in UTC, such as `2026-03-14T15:09:26Z`, by the scope's clock.
    package let expiresAt: String

    package init(url: String, headers: [(name: String, value: String)], expiresAt: String) {
        self.url = url
        self.headers = headers
        self.expiresAt = expiresAt
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        url = try reader.required("url").string()
        headers = try reader.required("headers").texts()
        expiresAt = try reader.required("expiresAt").string()
    }

    package var json: JSON {
        ["url": .string(url), "headers": .texts(headers), "expiresAt": .string(expiresAt)]
    }
}
