import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

private let now = Timestamp(iso: "2026-03-14T15:09:26Z")
private let lookup = knowing("K", "secret")
private let presigner = Presigner(accessKeyId: "K", secret: "secret".utf8, region: "r")

private func presigned(
    _ authority: String = "http://localhost:9000", headers: [(name: String, value: String)] = [],
    query: [(name: String, value: String)] = []
) throws -> WireRequest {
    let request = UnsignedRequest(
        "PUT", at: try #require(Endpoint(authority)), bucket: "b", key: Array("k".utf8), query: query,
        headers: headers)
    let signed = try presigner.presign(request, lifetime: 900, at: now)
    return WireRequest(signed.method, signed.target, [("Host", signed.host)] + signed.headers)
}

private func verdict(_ wire: WireRequest, _ authenticator: Authenticator = Authenticator()) throws -> Verdict {
    authenticator.verify(try wire.parsed(), at: now, lookup: lookup)
}

@Suite struct `An authenticator` {
    @Test(arguments: [
        ("http://h", "h:80", URLScheme.http, true), ("https://h", "h:443", .https, true),
        ("http://h", "h:443", .http, true), ("http://h:443", "h:443", .http, true),
        ("https://h:80", "h:80", .https, true),
        ("http://h", "h:8080", .http, false), ("http://h:9000", "H:9000", .http, true),
        ("http://h:9000", "h", .http, false),
    ])
    func `takes a default port for no port`(signedFor: String, host: String, scheme: URLScheme, isGood: Bool) throws {
        var wire = try presigned(signedFor)
        wire.headers[0].value = host
        #expect((try verdict(wire, Authenticator(scheme: scheme)).authentication != nil) == isGood)
    }

    @Test(arguments: ["/b/%", "/b/%2", "/b/%zz", "/b/%ff", "/b/\u{80}%C3"])
    func `refuses a path that does not decode before it looks at anything else`(path: String) throws {
        var wire = try presigned()
        wire.target = path + wire.target.drop { $0 != "?" }
        #expect(try verdict(wire).error?.code == .invalidURI)
    }

    @Test func `refuses a second signature parameter as if one were missing`() throws {
        var wire = try presigned()
        wire.target += "&X-Amz-Signature=0"
        #expect(try verdict(wire).error?.message.hasPrefix("Query-string authentication version 4 requires") == true)
    }

    @Test func `takes any region unless one is pinned`() throws {
        #expect(try verdict(try presigned()).authentication != nil)
        #expect(try verdict(try presigned(), Authenticator(regions: .only("r"))).authentication != nil)
        let error = try verdict(try presigned(), Authenticator(regions: .only("q"))).error
        #expect(error?.element("Region") == "q")
    }

    @Test func `never answers with the key of a secret that has changed`() throws {
        let authenticator = Authenticator()
        let head = try presigned().parsed()
        for secret in ["secret", "changed", "secret", "other", "secret"] {
            let verdict = authenticator.verify(head, at: now, lookup: knowing("K", secret))
            #expect((verdict.authentication != nil) == (secret == "secret"))
        }
    }

    @Test func `forgets keys rather than hold more than its slots`() throws {
        let authenticator = Authenticator()
        for index in 0..<(SigningKeyCache.slotCount * 3) {
            let signed = try Presigner(accessKeyId: "K\(index)", secret: "s\(index)".utf8, region: "r").presign(
                UnsignedRequest("GET", at: try #require(Endpoint("http://h")), bucket: "b"), lifetime: 9, at: now)
            let head = try WireRequest("GET", signed.target, [("Host", "h")]).parsed()
            for _ in 0..<2 {
                let verdict = authenticator.verify(head, at: now, lookup: knowing("K\(index)", "s\(index)"))
                #expect(verdict.authentication != nil)
            }
        }
    }

    @Test func `answers a list of a thousand signed headers without working through it`() throws {
        var wire = try presigned()
        wire.target = wire.target.replacing(
            "SignedHeaders=host", with: "SignedHeaders=" + String(repeating: "host%3B", count: 1_001))
        #expect(try verdict(wire).error?.code == .requestHeaderSectionTooLarge)
    }

    @Test func `bounds what a repeated signed header makes of the canonical request`() throws {
        var wire = try presigned()
        wire.headers.append(("a", String(repeating: "x", count: 30_000)))
        wire.target = wire.target.replacing(
            "SignedHeaders=host", with: "SignedHeaders=host" + String(repeating: "%3Ba", count: 900))
        #expect(try verdict(wire).error?.code == .requestHeaderSectionTooLarge)
    }

    @Test(arguments: [
        ("STREAMING-AWS4-HMAC-SHA256-PAYLOAD", false), ("STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", false),
        ("STREAMING-UNSIGNED-PAYLOAD-TRAILER", true), ("UNSIGNED-PAYLOAD", true),
    ])
    func `lets no anonymous request sign its chunks`(value: String, isAnonymous: Bool) throws {
        let wire = WireRequest("PUT", "/b/k", [("Host", "h"), ("x-amz-content-sha256", value)])
        switch try verdict(wire) {
        case .anonymous: #expect(isAnonymous)
        case .rejected(let error):
            #expect(!isAnonymous)
            #expect(error.message.hasPrefix("Anonymous requests don't support this x-amz-content-sha256 value."))
        case .accepted: Issue.record("nobody signed it")
        }
    }

    @Test func `answers signatures of elliptic curves with 501`() throws {
        let request = UnsignedRequest("PUT", at: try #require(Endpoint("http://h")), bucket: "b", key: [65])
        let signed = try presigner.sign(request, payload: "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", at: now)
        let wire = WireRequest("PUT", signed.target, [("Host", "h")] + signed.headers)
        #expect(try verdict(wire).error?.code == .notImplemented)
    }

    @Test(arguments: [
        ("Sat, 14 Mar 2026 15:09:26 GMT", true), ("Saturday, 14-Mar-26 15:09:26 GMT", true),
        ("Sat Mar 14 15:09:26 2026", true), ("Sat, 14 Mar 2026 15:09:26 -0000", true),
        ("Sat, 14 Mar 2026 17:09:26 +0200", true), ("14 March", false), ("2026-03-14T15:09:26Z", false),
    ])
    func `reads each form of a Date`(date: String, isReadable: Bool) throws {
        let wire = WireRequest(
            "GET", "/", [("Host", "h"), ("Date", date), ("Authorization", "AWS K:c2lnbmF0dXJl")])
        #expect(try verdict(wire).error?.code == (isReadable ? .signatureDoesNotMatch : .accessDenied))
    }

    @Test(arguments: [
        ("AWS K:a:b", "AWS authorization header is invalid.  Expected AwsAccessKeyId:signature"),
        ("AWS K:", "AWS authorization header is invalid.  Expected AwsAccessKeyId:signature"),
        ("AWS K: a", "Authorization header is invalid -- one and only one ' ' (space) required"),
        ("Bearer abc", "Unsupported Authorization Type"),
        ("", "Authorization header is invalid -- one and only one ' ' (space) required"),
    ])
    func `names what is wrong with an Authorization header`(value: String, message: String) throws {
        let error = try verdict(WireRequest("GET", "/", [("Host", "h"), ("Authorization", value)])).error
        #expect(error?.message == message)
        #expect(error?.element("ArgumentValue") == value)
    }

    @Test func `signs a query of thousands of parameters in order`() throws {
        let query = (0..<2_000).reversed().map { (name: "p\($0 % 700)", value: "\($0)") }
        #expect(try verdict(try presigned(query: query)).authentication != nil)
    }
}

@Suite struct `Headers that are not signed` {
    @Test(arguments: [
        (
            ["x-amz-meta-infinsnap_end", "x-amz-meta-infinsnap_start"],
            ["x-amz-meta-infinsnap_start", "x-amz-meta-infinsnap_end"]
        ),
        (["content-md5"], ["content-md5"]), ([], []),
    ])
    func `are listed in the order of a Java HashSet`(names: [String], expected: [String]) {
        #expect(HeadersNotSigned.hashSetOrder(names.map { Array($0.utf8) }).map { text($0) } == expected)
    }

    @Test func `are named once, whatever their case, and only if they must be signed`() throws {
        var wire = try presigned()
        wire.headers += [
            ("X-AMZ-Acl", "private"), ("x-amz-acl", "private"), ("Content-Type", "a/b"), ("X-Amzn-Trace-Id", "1"),
            ("x-amz-content-sha256", "UNSIGNED-PAYLOAD"), ("Range", "bytes=0-1"),
        ]
        #expect(try verdict(wire).error?.element("HeadersNotSigned") == "x-amz-acl")
    }
}

@Suite struct `The length of an upload` {
    @Test(
        arguments: [
            ([("Content-Length", "5")], nil, 5), ([("Content-Length", "5368709120")], nil, 5_368_709_120),
            ([("Content-Length", "5368709121")], .entityTooLarge, nil), ([], .missingContentLength, nil),
            ([("Transfer-Encoding", "chunked")], .notImplemented, nil),
            ([("Transfer-Encoding", "chunked"), ("x-amz-decoded-content-length", "5")], nil, nil),
        ] as [([(name: String, value: String)], S3Error.Code?, UInt64?)])
    func `is judged by the head`(headers: [(name: String, value: String)], code: S3Error.Code?, byteCount: UInt64?)
        throws
    {
        let head = try WireRequest("PUT", "/b/k", [("Host", "h")] + headers).parsed()
        do throws(S3Error) {
            try UploadLength.check(head)
            #expect(code == nil)
        } catch { #expect(error.code == code) }
        guard let byteCount else { return }
        #expect(try UploadLength.payloadByteCount(of: head, .unsigned) == byteCount)
    }

    @Test func `is that of the payload where the body is framed`() throws {
        let head = try WireRequest(
            "PUT", "/b/k", [("Host", "h"), ("Transfer-Encoding", "chunked"), ("x-amz-decoded-content-length", "5")]
        ).parsed()
        #expect(try UploadLength.payloadByteCount(of: head, .chunked(signing: nil, hasTrailer: true)) == 5)
        #expect(throws: S3Error.self) { try UploadLength.payloadByteCount(of: head, .unsigned) }
    }

    @Test func `may be framed with a trailer for object data only`() throws {
        let payload = PayloadExpectation.chunked(signing: nil, hasTrailer: true)
        try payload.checkAllowed(for: .putObject)
        try payload.checkAllowed(for: .uploadPart)
        let error = #expect(throws: S3Error.self) { try payload.checkAllowed(for: .deleteObjects) }
        #expect(error?.message == "The value of x-amz-content-sha256 header is invalid.")
    }
}
