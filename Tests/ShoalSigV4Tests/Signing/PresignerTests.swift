import ShoalHTTP
import ShoalS3
import ShoalSeeded
import Testing

@testable import ShoalSigV4

private let now = Timestamp(iso: "2026-03-14T15:09:26Z")
private let lookup = knowing("SHOALKEY", "shoal/secret+~", token: nil)
private let presigner = Presigner(accessKeyId: "SHOALKEY", secret: "shoal/secret+~".utf8, region: "eu-central-1")

private func request(_ method: String = "PUT", key: String = "a b+c/é.txt") throws -> UnsignedRequest {
    UnsignedRequest(
        method, at: try #require(Endpoint("http://localhost:9000/")), bucket: "photos", key: Array(key.utf8))
}

extension PresignedRequest {
    fileprivate func wire(_ method: String? = nil) -> WireRequest {
        WireRequest(method ?? self.method, target, [("Host", host)] + headers)
    }
}

@Suite struct `A presigner` {
    @Test(arguments: ["path", "virtual-host"])
    func `makes URLs that are served until they expire`(styleName: String) throws {
        var unsigned = try request()
        unsigned.style = try #require(AddressingStyle(rawValue: styleName))
        let signed = try presigner.presign(unsigned, lifetime: 60, at: now)
        #expect(signed.expiry == now.adding(seconds: 60))
        let expected = styleName == "path" ? "localhost:9000/photos/" : "photos.localhost:9000/"
        #expect(signed.url.hasPrefix("http://\(expected)a%20b%2Bc/%C3%A9.txt?X-Amz-Algorithm="))
        let head = try signed.wire().parsed()
        let authenticator = Authenticator()
        #expect(authenticator.verify(head, at: signed.expiry, lookup: lookup).authentication != nil)
        #expect(
            authenticator.verify(head, at: signed.expiry.adding(milliseconds: 1), lookup: lookup).error?.message
                == "Request has expired")
    }

    @Test func `covers headers, parameters and the session's token`() throws {
        var unsigned = try request()
        unsigned.query = [("x-id", "PutObject"), ("partNumber", "1")]
        unsigned.headers = [("Content-Type", "image/jpeg"), ("x-amz-meta-a", " two  blanks "), ("Content-Length", "5")]
        let signed = try Presigner(
            accessKeyId: "SHOALKEY", secret: "shoal/secret+~".utf8, sessionToken: "to+ken/=", region: "x"
        ).presign(unsigned, lifetime: 60, at: now)
        let known = knowing("SHOALKEY", "shoal/secret+~", token: "to+ken/=")
        let authentication = try #require(
            Authenticator().verify(try signed.wire().parsed(), at: now, lookup: known).authentication)
        #expect(authentication.signedHeaderNames == ["content-length", "content-type", "host", "x-amz-meta-a"])
        var changed = signed.wire()
        changed.headers[1].value = "image/png"
        #expect(
            Authenticator().verify(try changed.parsed(), at: now, lookup: known).error?.code == .signatureDoesNotMatch)
    }

    @Test(arguments: [
        (Defect.expired, S3Error.Code.accessDenied, "Request has expired"),
        (.notYetValid, .accessDenied, "Request is not yet valid"),
        (.wrongSecret, .signatureDoesNotMatch, S3Error.Code.signatureDoesNotMatch.usualMessage),
        (.wrongHost, .signatureDoesNotMatch, S3Error.Code.signatureDoesNotMatch.usualMessage),
        (.wrongMethod, .signatureDoesNotMatch, S3Error.Code.signatureDoesNotMatch.usualMessage),
    ])
    func `makes URLs that are refused for the defect asked for`(
        defect: Defect, code: S3Error.Code, message: String
    ) throws {
        for method in ["GET", "PUT", "DELETE"] {
            let signed = try presigner.presign(try request(method), lifetime: 900, at: now, defect: defect)
            let error = Authenticator().verify(try signed.wire().parsed(), at: now, lookup: lookup).error
            #expect(error?.code == code)
            #expect(error?.message == message)
        }
    }

    @Test func `signs headers for every operation`() throws {
        for (bucket, key) in [(nil, nil), ("b", nil), ("b", Array("k".utf8))] as [(String?, [UInt8]?)] {
            let unsigned = UnsignedRequest(
                "GET", at: try #require(Endpoint("https://s3.local:443")), bucket: bucket, key: key,
                query: [("list-type", "2"), ("prefix", "a/b c")])
            let signed = try presigner.sign(unsigned, payload: "UNSIGNED-PAYLOAD", at: now)
            #expect(signed.host == "s3.local")
            let head = try WireRequest(signed.method, signed.target, [("Host", signed.host)] + signed.headers).parsed()
            let verdict = Authenticator(regions: .only("eu-central-1"), scheme: .https)
                .verify(head, at: now, lookup: lookup)
            #expect(verdict.authentication?.mechanism == .headerV4)
        }
    }

    @Test(arguments: [-1, 604_801] as [Int64])
    func `refuses a life that S3 would not take`(lifetime: Int64) throws {
        let unsigned = try request()
        #expect(throws: SigningError.expiryOutOfRange(lifetime)) {
            try presigner.presign(unsigned, lifetime: lifetime, at: now)
        }
    }

    @Test(arguments: [("x-amz-meta-a", "b\r\nx-injected: 1"), ("a b", "c"), ("", "c"), ("a:b", "c"), ("a", "\u{0}")])
    func `refuses headers that would not stay one line`(name: String, value: String) throws {
        var unsigned = try request()
        unsigned.headers = [(name, value)]
        #expect(throws: SigningError.self) { try presigner.presign(unsigned, lifetime: 1, at: now) }
        #expect(throws: SigningError.self) { try presigner.sign(unsigned, payload: "UNSIGNED-PAYLOAD", at: now) }
    }

    @Test(arguments: ["ftp://h", "http://", "http://h/path", "http://user@h", "http://h x", "h:9000"])
    func `takes no endpoint that is more than scheme and host`(url: String) {
        #expect(Endpoint(url) == nil)
    }

    @Test func `shows neither secret nor token when it is printed`() {
        let presigner = Presigner(accessKeyId: "K", secret: "hush".utf8, sessionToken: "quiet", region: "r")
        var dumped = ""
        dump(presigner, to: &dumped)
        dump(Credential(secret: "hush".utf8, session: .init(token: "quiet".utf8)), to: &dumped)
        for text in [dumped, "\(presigner)", String(reflecting: presigner)] {
            #expect(!text.contains("hush") && !text.contains("quiet") && !text.contains("104"))
        }
    }
}

@Suite struct `Signing and verifying` {
    /// 400 requests from one seed: any bytes in keys and values, both styles, both mechanisms.
    @Test func `agree on random requests, and on nothing else`() throws {
        var random = SeededGenerator(seed: 2_026)
        let authenticator = Authenticator()
        for round in 0..<400 {
            var unsigned = try request(["GET", "PUT", "POST", "DELETE"].randomElement(using: &random) ?? "GET")
            unsigned.style = Bool.random(using: &random) ? .path : .virtualHost
            unsigned.key = randomKey(using: &random)
            unsigned.query = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (randomText(using: &random), randomText(using: &random))
            }
            unsigned.headers = (0..<Int.random(in: 0...4, using: &random)).map { index in
                ("x-amz-meta-\(index)", randomText(using: &random))
            }
            let host = ("Host", unsigned.host)
            let wire: WireRequest
            if Bool.random(using: &random) {
                let signed = try presigner.presign(unsigned, lifetime: 900, at: now)
                wire = WireRequest(signed.method, signed.target, [host] + signed.headers)
            } else {
                let signed = try presigner.sign(unsigned, payload: "UNSIGNED-PAYLOAD", at: now)
                wire = WireRequest(signed.method, signed.target, [host] + signed.headers)
            }
            let verdict = authenticator.verify(try wire.parsed(), at: now, lookup: lookup)
            #expect(verdict.authentication != nil, "round \(round): \(wire.target)")
            var changed = wire
            changed.target = wire.target.replacing("?", with: "x?", maxReplacements: 1)
            if changed.target == wire.target { changed.target += "x" }
            let refused = authenticator.verify(try changed.parsed(), at: now, lookup: lookup)
            #expect(refused.error?.code == .signatureDoesNotMatch, "round \(round): \(changed.target)")
        }
    }

    private func randomKey(using random: inout SeededGenerator) -> [UInt8] {
        Array(("k" + randomText(using: &random)).utf8)
    }

    private func randomText(using random: inout SeededGenerator) -> String {
        let letters = Array("aZ09-._~ /%+&=?#!*'();:@,[]é日😀\"<>\\^`{|}")
        return String((0..<Int.random(in: 0...12, using: &random)).map { _ in letters.randomElement(using: &random)! })
    }
}
