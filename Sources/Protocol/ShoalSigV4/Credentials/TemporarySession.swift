import ShoalCrypto
import ShoalS3

/// What temporary credentials stand for: on whose behalf they act, and until when.
package struct TemporarySession: Sendable, Equatable {
    /// A role that was assumed, as AssumeRole was asked for it.
    package struct Role: Sendable, Equatable {
        /// The last part of the role's ARN.
        package let name: String
        package let sessionName: String

        package init(name: String, sessionName: String) {
            self.name = name
            self.sessionName = sessionName
        }
    }

    /// The permanent access key under whose secret the credentials were made.
    package let issuer: [UInt8]
    /// The first instant at which they are refused.
    package let expiry: Timestamp
    /// Nil for credentials that act as the account itself.
    package let role: Role?

    package init(issuer: [UInt8], expiry: Timestamp, role: Role? = nil) {
        self.issuer = issuer
        self.expiry = expiry
        self.role = role
    }
}

/// A key pair and its token, for the client that they are made for.
package struct TemporaryCredentials: Sendable, Concealed {
    /// `ASIA` and 16 letters of base 32, as AWS writes them.
    package let accessKeyId: String
    /// 40 letters of base 64.
    package let secret: String
    /// Base 64.
    package let sessionToken: String
    package let session: TemporarySession

    /// Random bytes that `init` wants, so that no two sets are alike.
    package static let nonceByteCount = 12

    /// Credentials for `session`, made under the secret of its issuer. Nothing is kept of them: the token itself says what
    /// they are, and a new secret of the issuer ends them all.
    package init(_ session: TemporarySession, issuerSecret: [UInt8], nonce: [UInt8]) {
        precondition(nonce.count == Self.nonceByteCount)
        let payload = SessionToken.payload(session, nonce: nonce)
        let keys = SessionKeys(issuerSecret)
        self.init(payload: payload, code: keys.code(.token, payload), session: session, keys: keys)
    }

    fileprivate init(payload: [UInt8], code: [UInt8], session: TemporarySession, keys: SessionKeys) {
        let letters = Base32.encode(keys.code(.accessKeyId, payload).prefix(10))
        accessKeyId = Self.accessKeyPrefix + String(decoding: letters, as: UTF8.self)
        secret = Base64.string(Array(keys.code(.secret, payload).prefix(30)))
        sessionToken = Base64.string(payload + code)
        self.session = session
    }

    private static let accessKeyPrefix = "ASIA"

    /// Whether an access key is spelled as a temporary one.
    package static func isTemporary(_ accessKeyId: ArraySlice<UInt8>) -> Bool {
        accessKeyId.count == 20 && accessKeyId.starts(with: accessKeyPrefix.utf8)
            && accessKeyId.dropFirst(4).allSatisfy(Base32.alphabet.contains)
    }
}

/// A session token, taken apart and not yet known to be genuine: what it says, and the code that proves it.
package struct SessionToken: Concealed {
    /// Of the text. A head has no room for more, and nobody else should take longer over it.
    private static let byteCountMax = 16 * 1024
    private static let codeByteCount = 32
    /// Every token begins with these, so that one is told from a token of somebody else.
    private static let mark = Array("shoal\u{1}".utf8)

    package let session: TemporarySession
    private let payload: [UInt8]
    private let code: [UInt8]

    /// Nil for a text that is no token of this form.
    package init?(_ text: ArraySlice<UInt8>) {
        guard text.count <= Self.byteCountMax, let bytes = Base64.decode(text),
            bytes.count > Self.codeByteCount
        else { return nil }
        payload = Array(bytes.dropLast(Self.codeByteCount))
        code = Array(bytes.suffix(Self.codeByteCount))
        guard let session = Self.session(payload) else { return nil }
        self.session = session
    }

    /// The credentials that the token belongs to; nil if it was not made under this secret.
    func credentials(issuerSecret: [UInt8]) -> TemporaryCredentials? {
        let keys = SessionKeys(issuerSecret)
        guard haveSameBytes(keys.code(.token, payload), code) else { return nil }
        return TemporaryCredentials(payload: payload, code: code, session: session, keys: keys)
    }
}

// MARK: - Form

extension SessionToken {
    /// Mark, nonce, expiry in milliseconds, and three texts with their lengths in front; the last two are empty without a
    /// role. Numbers are big-endian.
    fileprivate static func payload(_ session: TemporarySession, nonce: [UInt8]) -> [UInt8] {
        var payload = mark + nonce
        append(UInt64(bitPattern: session.expiry.milliseconds), byteCount: 8, to: &payload)
        for text in [session.issuer, session.role?.name.bytes ?? [], session.role?.sessionName.bytes ?? []] {
            append(UInt64(text.count), byteCount: 4, to: &payload)
            payload += text
        }
        return payload
    }

    private static func append(_ number: UInt64, byteCount: Int, to bytes: inout [UInt8]) {
        for index in (0..<byteCount).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(index * 8))) }
    }

    private static func session(_ payload: [UInt8]) -> TemporarySession? {
        var rest = payload[...]
        guard rest.starts(with: mark) else { return nil }
        rest = rest.dropFirst(mark.count + TemporaryCredentials.nonceByteCount)
        guard let expiry = number(byteCount: 8, from: &rest), let issuer = text(from: &rest),
            let role = text(from: &rest), let sessionName = text(from: &rest), rest.isEmpty
        else { return nil }
        return TemporarySession(
            issuer: Array(issuer), expiry: Timestamp(milliseconds: Int64(bitPattern: expiry)),
            role: role.isEmpty ? nil : .init(name: role.text, sessionName: sessionName.text))
    }

    private static func number(byteCount: Int, from rest: inout ArraySlice<UInt8>) -> UInt64? {
        guard rest.count >= byteCount else { return nil }
        defer { rest = rest.dropFirst(byteCount) }
        return rest.prefix(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func text(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = number(byteCount: 4, from: &rest), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}

extension String {
    fileprivate var bytes: [UInt8] { Array(utf8) }
}

/// What is derived from the secret of an issuer: from each purpose its own code of a payload.
private struct SessionKeys {
    enum Purpose: UInt8 { case token, secret, accessKeyId }

    private let keyed: HMAC

    init(_ issuerSecret: [UInt8]) {
        keyed = HMAC(.sha256, key: HMAC.sha256(key: issuerSecret, Array("shoal temporary credentials".utf8)))
    }

    func code(_ purpose: Purpose, _ payload: [UInt8]) -> [UInt8] {
        var hmac = keyed
        hmac.update([purpose.rawValue])
        hmac.update(payload)
        return hmac.finish()
    }
}
