import ShoalCrypto
import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

private let now = Timestamp(iso: "2026-03-14T15:09:26Z")
private let secret = "secret"
private let lookup = knowing("K", secret)

/// Credentials of the key `K` that live for a quarter of an hour.
private func made(
    under secret: String = secret, for issuer: String = "K", seconds: Int64 = 900, nonce: UInt8 = 1,
    role: TemporarySession.Role? = nil
) -> TemporaryCredentials {
    TemporaryCredentials(
        TemporarySession(issuer: Array(issuer.utf8), expiry: now.adding(seconds: seconds), role: role),
        issuerSecret: Array(secret.utf8),
        nonce: [UInt8](repeating: nonce, count: TemporaryCredentials.nonceByteCount))
}

extension TemporaryCredentials {
    fileprivate func presigner(token: String? = nil, hasToken: Bool = true) -> Presigner {
        Presigner(
            accessKeyId: accessKeyId, secret: secret.utf8, sessionToken: hasToken ? token ?? sessionToken : nil,
            region: "r")
    }
}

private func presigned(_ presigner: Presigner, lifetime: Int64 = 3_600) throws -> WireRequest {
    let request = UnsignedRequest("GET", at: try #require(Endpoint("http://h")), bucket: "b", key: [65])
    let signed = try presigner.presign(request, lifetime: lifetime, at: now)
    return WireRequest("GET", signed.target, [("Host", "h")])
}

private func signed(_ presigner: Presigner) throws -> WireRequest {
    let request = UnsignedRequest("GET", at: try #require(Endpoint("http://h")), bucket: "b", key: [65])
    let signed = try presigner.sign(request, payload: "UNSIGNED-PAYLOAD", at: now)
    return WireRequest("GET", signed.target, [("Host", "h")] + signed.headers)
}

private func verdict(_ wire: WireRequest, at instant: Timestamp = now) throws -> Verdict {
    Authenticator().verify(try wire.parsed(), at: instant, lookup: lookup)
}

@Suite struct `Temporary credentials` {
    @Test func `are spelled as AWS spells them, and say who they speak for`() throws {
        let credentials = made(role: .init(name: "uploader", sessionName: "phone"))
        #expect(TemporaryCredentials.isTemporary(Array(credentials.accessKeyId.utf8)[...]))
        #expect(credentials.accessKeyId.utf8.count == 20 && credentials.secret.utf8.count == 40)
        #expect(try #require(SessionToken(Array(credentials.sessionToken.utf8)[...])).session == credentials.session)
        for wire in [try presigned(credentials.presigner()), try signed(credentials.presigner())] {
            let authentication = try #require(try verdict(wire).authentication)
            #expect(authentication.session == credentials.session)
            #expect(text(authentication.accessKeyId) == credentials.accessKeyId)
            #expect(text(authentication.permanentAccessKeyId) == "K")
        }
    }

    @Test func `need nothing to be kept, and differ each time`() {
        #expect(made().sessionToken == made().sessionToken)
        let other = made(nonce: 2)
        #expect(made().accessKeyId != other.accessKeyId)
        #expect(made().secret != other.secret && made().sessionToken != other.sessionToken)
    }

    /// The first instant at which they are refused is their expiry, whatever the life of the URL.
    @Test func `end at their expiry, to the millisecond`() throws {
        let wire = try presigned(made().presigner())
        let end = now.adding(seconds: 900)
        #expect(try verdict(wire, at: end.adding(milliseconds: -1)).authentication != nil)
        for instant in [end, end.adding(seconds: 60)] {
            let error = try #require(try verdict(wire, at: instant).error)
            #expect(error.code == .expiredToken && error.message == "The provided token has expired.")
            #expect(error.element("Token-0") == made().sessionToken)
        }
    }

    @Test func `are worth nothing without their token`() throws {
        let error = try #require(try verdict(try signed(made().presigner(hasToken: false))).error)
        #expect(error.code == .invalidAccessKeyId)
        #expect(error.element("AWSAccessKeyId") == made().accessKeyId)
    }

    @Test(arguments: [
        "garbage", "", "c2hvYWw=", made(nonce: 2).sessionToken, made(under: "changed").sessionToken,
        made(for: "unknown").sessionToken, String(made().sessionToken.dropLast(4)), made().sessionToken + "AAAA",
        String(repeating: "A", count: 20_000),
    ])
    func `are refused with a token that is not theirs`(token: String) throws {
        for wire in [try presigned(made().presigner(token: token)), try signed(made().presigner(token: token))] {
            let error = try #require(try verdict(wire).error)
            #expect(error.code == .invalidToken)
            #expect(error.message == "The provided token is malformed or otherwise invalid.")
            #expect(error.element("Token-0") == token)
        }
    }

    @Test func `end with the secret they were made under`() throws {
        let old = made(under: "the one before")
        #expect(try verdict(try signed(old.presigner())).error?.code == .invalidToken)
    }

    @Test func `cannot be made from others`() throws {
        let first = made()
        let chained = made(under: first.secret, for: first.accessKeyId)
        #expect(try verdict(try signed(chained.presigner())).error?.code == .invalidToken)
    }

    @Test func `change with every bit of their token`() throws {
        let token = try #require(Base64.decode(Array(made().sessionToken.utf8)))
        for index in token.indices {
            var changed = token
            changed[index] ^= 1 << UInt8(index % 8)
            let wire = try signed(made().presigner(token: Base64.string(changed)))
            #expect(try verdict(wire).error?.code == .invalidToken)
        }
    }

    @Test func `print as nothing`() {
        let credentials = made()
        var dumped = ""
        dump(credentials, to: &dumped)
        dump(SessionToken(Array(credentials.sessionToken.utf8)[...]), to: &dumped)
        let told = "\(credentials) \(String(reflecting: credentials)) \(dumped)"
        #expect(!told.contains(credentials.secret) && !told.contains(credentials.sessionToken))
    }
}

@Suite struct `A permanent key` {
    @Test func `is refused with a token, and good without one`() throws {
        let presigner = Presigner(accessKeyId: "K", secret: secret.utf8, region: "r")
        let carrying = Presigner(
            accessKeyId: "K", secret: secret.utf8, sessionToken: made().sessionToken, region: "r")
        for make in [signed, { try presigned($0) }] {
            #expect(try verdict(try make(presigner)).authentication?.session == nil)
            #expect(try verdict(try make(carrying)).error?.code == .invalidToken)
        }
    }

    @Test func `that nobody knows is not known with a token either`() throws {
        let stranger = Presigner(
            accessKeyId: "stranger", secret: secret.utf8, sessionToken: made().sessionToken, region: "r")
        #expect(try verdict(try signed(stranger)).error?.code == .invalidAccessKeyId)
    }
}

@Suite struct `The signature of another service` {
    private func request(_ service: String, body: String, payload: String? = nil) throws -> RequestHead {
        let digest = Hexadecimal.string(Digest.of(Array(body.utf8), .sha256))
        let date = now.amzDate
        let scope = "\(now.day)/r/\(service)/aws4_request"
        let head = try WireRequest("POST", "/", [("Host", "h"), ("X-Amz-Date", date)]).parsed()
        let canonical = try CanonicalRequest(
            head, signedHeaders: Array("host;x-amz-date".utf8)[...], payload: Array((payload ?? digest).utf8)[...])
        let stringToSign = StringToSign(
            algorithm: Array("AWS4-HMAC-SHA256".utf8)[...], date: Array(date.utf8)[...],
            scope: Array(scope.utf8)[...], canonicalRequest: canonical.bytes[...])
        let key = SigningKey(secret: Array(secret.utf8), day: now.day.utf8, region: "r".utf8, service: service.utf8)
        let signature = text(key.sign(stringToSign.bytes[...]).text)
        let authorization =
            "AWS4-HMAC-SHA256 Credential=K/\(scope), SignedHeaders=host;x-amz-date, Signature=\(signature)"
        return try WireRequest(
            "POST", "/", [("Host", "h"), ("X-Amz-Date", date), ("Authorization", authorization)]
        ).parsed()
    }

    private func verdict(_ head: RequestHead, body: String) -> Verdict {
        Authenticator().verify(head, body: Array(body.utf8), service: "sts", at: now, lookup: lookup)
    }

    @Test func `covers the body without a header for it`() throws {
        let head = try request("sts", body: "Action=a")
        #expect(verdict(head, body: "Action=a").authentication != nil)
        #expect(verdict(head, body: "Action=b").error?.code == .signatureDoesNotMatch)
    }

    @Test func `is not good for S3, and that of S3 not for it`() throws {
        let error = verdict(try request("s3", body: ""), body: "").error
        #expect(error?.message.contains(#"incorrect service "s3". This endpoint belongs to "sts"."#) == true)
        let head = try request("sts", body: "")
        // The keys of both are at hand by now, and stay apart.
        let authenticator = Authenticator()
        for _ in 0..<2 {
            guard
                case .accepted = authenticator.verify(head, body: [], service: "sts", at: now, lookup: lookup)
            else {
                Issue.record("refused")
                return
            }
            let s3 = authenticator.verify(
                try signed(Presigner(accessKeyId: "K", secret: secret.utf8, region: "r")).parsed(), at: now,
                lookup: lookup)
            #expect(s3.authentication != nil)
        }
    }
}

@Suite struct `A diagnosis of temporary credentials` {
    private func explain(_ wire: WireRequest, at instant: Timestamp = now) throws -> Diagnosis {
        let neighbour = (accessKeyId: "K", credential: Credential(secret: secret.utf8))
        return Diagnosis.explain(
            try wire.parsed(), at: instant, by: Authenticator(), among: .init(neighbours: [neighbour]), lookup: lookup)
    }

    @Test func `says that the token is missing, expired, of another key or of another secret`() throws {
        let own = made()
        let cases: [(WireRequest, Timestamp, String)] = [
            (try signed(own.presigner(hasToken: false)), now, "is temporary, and the request carries no session token"),
            (try presigned(own.presigner()), now.adding(seconds: 1_500), "has expired 10 minutes ago"),
            (
                try signed(own.presigner(token: made(nonce: 2).sessionToken)), now,
                "it belongs to \(made(nonce: 2).accessKeyId)"
            ),
            (
                try signed(own.presigner(token: made(under: "old").sessionToken)), now,
                "not made under the secret that access key K has now"
            ),
            (
                try signed(own.presigner(token: made(for: "gone").sessionToken)), now,
                "made for access key gone, which is not known here"
            ),
            (try signed(own.presigner(token: "garbage")), now, "is not that of access key \(own.accessKeyId)"),
        ]
        for (wire, instant, words) in cases {
            let diagnosis = try explain(wire, at: instant)
            #expect(diagnosis.findings.map(\.kind) == [.token])
            #expect(diagnosis.summary.contains(words), "\(diagnosis.summary)")
            for token in [own.sessionToken, own.secret, made(nonce: 2).sessionToken] {
                #expect(!"\(diagnosis)".contains(token))
            }
        }
    }

    @Test func `looks for the token where the verifier does`() throws {
        let own = made()
        var elsewhere = try signed(own.presigner(hasToken: false))
        elsewhere.target += "?X-Amz-Security-Token=\(own.sessionToken)"
        #expect(try explain(elsewhere).summary.contains("the request carries no session token"))
        var twice = try presigned(own.presigner(token: made(nonce: 2).sessionToken))
        twice.headers.append(("x-amz-security-token", own.sessionToken))
        // The verifier stumbles over the header, which is not signed; then over the token of the query.
        let texts = try explain(twice).findings.map(\.text)
        #expect(texts.count == 2 && texts[0].contains("x-amz-security-token is not covered"), "\(texts)")
        #expect(texts.last?.contains("it belongs to \(made(nonce: 2).accessKeyId)") == true, "\(texts)")
    }

    @Test func `finds the usual mistakes behind a token that is right`() throws {
        var wire = try signed(made().presigner())
        wire.method = "PUT"
        #expect(try explain(wire).findings.map(\.kind) == [.method])
        let mixed = Presigner(
            accessKeyId: made().accessKeyId, secret: secret.utf8, sessionToken: made().sessionToken, region: "r")
        #expect(try explain(try signed(mixed)).summary.contains("is signed with the secret of K"))
        #expect(try explain(try signed(made().presigner())).isAccepted)
    }
}
