import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

private let now = Timestamp(iso: "2026-03-14T15:09:26Z")
private let localSecret = "local-secret/+="
private let presigner = Presigner(accessKeyId: "LOCALKEY", secret: localSecret.utf8, region: "us-east-1")

/// A request signed in one way and then changed, and what the diagnosis has to say.
private struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var headers: [(name: String, value: String)] = []
    var key = "photos/a b+c.jpg"
    var method = "PUT"
    var endpoint = "http://localhost:9000"
    var style = AddressingStyle.path
    var at = now
    var secret = localSecret
    var accessKeyId = "LOCALKEY"
    var regions = RegionPolicy.any
    let change: @Sendable (inout WireRequest) -> Void
    let kinds: [Diagnosis.Finding.Kind]
    /// What the texts contain, fixes included.
    let words: [String]

    var testDescription: String { name }

    func diagnosis() throws -> (diagnosis: Diagnosis, wire: WireRequest) {
        let unsigned = UnsignedRequest(
            method, at: try #require(Endpoint(endpoint)), style: style, bucket: "bucket", key: Array(key.utf8),
            headers: headers)
        let signed = try Presigner(accessKeyId: accessKeyId, secret: secret.utf8, region: "us-east-1")
            .presign(unsigned, lifetime: 900, at: now)
        var wire = WireRequest(signed.method, signed.target, [("Host", signed.host)] + signed.headers)
        change(&wire)
        return (try explain(wire, at: at, regions: regions), wire)
    }
}

private func explain(_ wire: WireRequest, at: Timestamp = now, regions: RegionPolicy = .any) throws -> Diagnosis {
    let head = try wire.parsed()
    let neighbour = (accessKeyId: "OTHERKEY", credential: Credential(secret: "other-secret".utf8))
    return Diagnosis.explain(
        head, at: at, by: Authenticator(regions: regions),
        among: .init(hosts: ["s3.shop.test:8443", "192.168.1.20:9000"], neighbours: [neighbour]),
        lookup: knowing("LOCALKEY", localSecret))
}

extension WireRequest {
    fileprivate mutating func set(_ name: String, _ value: String?) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { headers.append((name, value)) }
    }
}

private let cases: [Case] = [
    Case(
        name: "nothing is wrong", change: { _ in }, kinds: [.accepted], words: ["LOCALKEY", "15 minutes"]),
    Case(
        name: "not signed at all", change: { $0.target = "/bucket/k" }, kinds: [.anonymous], words: ["not signed"]),
    Case(
        name: "cut at the first &",
        change: { $0.target = String($0.target.replacing("X-Amz-Algorithm=AWS4-HMAC-SHA256&", with: "")) },
        kinds: [.mechanism], words: ["X-Amz-Algorithm"]),
    Case(
        name: "expired", at: now.adding(seconds: 900 + 12 * 60), change: { _ in }, kinds: [.expired],
        words: ["12 minutes ago", "2026-03-14T15:24:26Z", "fresh URL"]),
    Case(
        name: "expired, and with another method", at: now.adding(seconds: 86_400), change: { $0.method = "GET" },
        kinds: [.expired, .method], words: ["23 hours ago", "signed for PUT, but GET"]),
    Case(
        name: "dated ahead", at: now.adding(seconds: -3_600), change: { _ in }, kinds: [.notYetValid],
        words: ["60 minutes ahead"]),
    Case(name: "method", change: { $0.method = "GET" }, kinds: [.method], words: ["signed for PUT, but GET"]),
    Case(
        name: "HEAD for GET", method: "GET", change: { $0.method = "HEAD" }, kinds: [.method], words: ["signed for GET"]
    ),
    Case(
        name: "localhost for 127.0.0.1", change: { $0.set("Host", "127.0.0.1:9000") }, kinds: [.host],
        words: ["localhost:9000", "127.0.0.1:9000"]),
    Case(name: "lost port", change: { $0.set("Host", "localhost") }, kinds: [.host], words: ["localhost:9000"]),
    Case(
        name: "public URL", endpoint: "https://s3.shop.test:8443", change: { $0.set("Host", "10.0.0.7:9000") },
        kinds: [.host], words: ["s3.shop.test:8443"]),
    Case(
        name: "a proxy's X-Forwarded-Host", endpoint: "http://localhost:7000",
        change: {
            $0.set("Host", "10.0.0.7:9000")
            $0.set("X-Forwarded-Host", "localhost:7000, inner:8000")
        }, kinds: [.host], words: ["localhost:7000", "10.0.0.7:9000"]),
    Case(
        name: "a proxy's Forwarded", endpoint: "http://localhost:7000",
        change: {
            $0.set("Host", "10.0.0.7:9000")
            $0.set("Forwarded", "for=192.0.2.1; Host=\"localhost:7000\";proto=http, host=inner:8000")
        }, kinds: [.host], words: ["localhost:7000", "10.0.0.7:9000"]),
    Case(
        name: "AWS's own endpoint", endpoint: "https://s3.us-east-1.amazonaws.com",
        change: { $0.set("Host", "localhost:9000") }, kinds: [.host], words: ["s3.us-east-1.amazonaws.com"]),
    Case(
        name: "virtual host signed, path style sent", style: .virtualHost,
        change: {
            $0.set("Host", "localhost:9000")
            $0.target = "/bucket" + $0.target
        }, kinds: [.host], words: ["virtual-host style for bucket.localhost:9000"]),
    Case(
        name: "Content-Type differs", headers: [("Content-Type", "image/jpeg")],
        change: { $0.set("Content-Type", "image/png") }, kinds: [.headerDiffers],
        words: ["content-type", "\"image/jpeg\"", "\"image/png\""]),
    Case(
        name: "Content-Type with a charset", headers: [("Content-Type", "text/csv")],
        change: { $0.set("Content-Type", "text/csv; charset=UTF-8") }, kinds: [.headerDiffers], words: ["\"text/csv\""]),
    Case(
        name: "Content-Type missing, usual value", headers: [("Content-Type", "image/webp")],
        change: { $0.set("Content-Type", nil) }, kinds: [.missingHeader],
        words: ["content-type", "\"image/webp\"", "none"]),
    Case(
        name: "Content-Type missing, unusual value", headers: [("Content-Type", "application/x-custom")],
        change: { $0.set("Content-Type", nil) }, kinds: [.missingHeader], words: ["covers the header content-type"]),
    Case(
        name: "Content-Type and host at once", headers: [("Content-Type", "image/jpeg")],
        change: {
            $0.set("Content-Type", "image/png")
            $0.set("Host", "127.0.0.1:9000")
        }, kinds: [.host, .headerDiffers], words: ["image/jpeg", "localhost:9000"]),
    Case(
        name: "metadata not signed", change: { $0.set("x-amz-meta-a", "1") }, kinds: [.unsignedHeader],
        words: ["x-amz-meta-a"]),
    Case(
        name: "two headers not signed and another method",
        change: {
            $0.set("x-amz-meta-a", "1")
            $0.set("Content-MD5", "XrY7u+Ae7tCTyyK7j1rNww==")
            $0.method = "POST"
        }, kinds: [.unsignedHeader, .unsignedHeader, .method], words: ["x-amz-meta-a", "content-md5", "POST"]),
    Case(
        name: "body hash added", change: { $0.set("x-amz-content-sha256", String(repeating: "0", count: 64)) },
        kinds: [.payload], words: ["x-amz-content-sha256", "Leave"]),
    Case(
        name: "parameter added", change: { $0.target += "&x-id=PutObject" }, kinds: [.query], words: ["x-id"]),
    Case(
        name: "key encoded twice",
        change: { $0.target = $0.target.replacing("a%20b%2Bc.jpg", with: "a%2520b%252Bc.jpg") },
        kinds: [.path], words: ["twice when sent"]),
    Case(
        name: "key encoded twice when signed", key: "photos/a%20b.jpg",
        change: { $0.target = $0.target.replacing("a%2520b.jpg", with: "a%20b.jpg") }, kinds: [.path],
        words: ["twice when it was signed"]),
    Case(
        name: "plus sent bare", key: "a+b.jpg", change: { $0.target = $0.target.replacing("a%2Bb", with: "a+b") },
        kinds: [.path], words: ["sent bare"]),
    Case(
        name: "plus for blank", key: "a b.jpg", change: { $0.target = $0.target.replacing("a%20b", with: "a%2Bb") },
        kinds: [.path], words: ["blank", "%2B"]),
    Case(
        name: "slash lost", key: "/a.jpg", change: { $0.target = $0.target.replacing("//a", with: "/a") },
        kinds: [.path],
        words: ["slash before"]),
    Case(
        name: "neighbour's secret", secret: "other-secret", change: { _ in }, kinds: [.otherSecret],
        words: ["LOCALKEY", "secret of OTHERKEY"]),
    Case(
        name: "secret with a line break", secret: localSecret + "\n", change: { _ in }, kinds: [.otherSecret],
        words: ["white space"]),
    Case(
        name: "wholly other secret", secret: "who knows", change: { _ in }, kinds: [.unexplained],
        words: ["not that of access key LOCALKEY"]),
    Case(
        name: "unknown key", secret: "x", accessKeyId: "NOBODY", change: { _ in }, kinds: [.unknownKey],
        words: ["NOBODY"]),
    Case(
        name: "unknown key with a neighbour's secret", secret: "other-secret", accessKeyId: "OTHERKEX",
        change: { _ in },
        kinds: [.unknownKey], words: ["OTHERKEX", "OTHERKEY"]),
    Case(
        name: "key in another case", secret: "x", accessKeyId: "otherkey", change: { _ in }, kinds: [.unknownKey],
        words: ["exactly as OTHERKEY"]),
    Case(
        name: "region", regions: .only("eu-west-1"), change: { _ in }, kinds: [.region],
        words: ["us-east-1", "eu-west-1"]),
    Case(
        name: "region and method", regions: .only("eu-west-1"), change: { $0.method = "DELETE" },
        kinds: [.region, .method], words: ["eu-west-1", "DELETE"]),
    Case(
        name: "credential encoded twice", change: { $0.target = $0.target.replacing("%2F", with: "%252F") },
        kinds: [.credential], words: ["encoded twice"]),
    Case(
        name: "Authorization beside the URL", change: { $0.set("Authorization", "Bearer sesame") }, kinds: [.mechanism],
        words: ["without an Authorization header"]),
    Case(
        name: "token of a permanent key", change: { $0.target += "&X-Amz-Security-Token=sesame" }, kinds: [.token],
        words: ["permanent"]),
    Case(
        name: "broken path", change: { $0.target = "/bucket/%zz?" + $0.target.drop { $0 != "?" }.dropFirst() },
        kinds: [.path], words: ["%"]),
]

@Suite struct `A diagnosis` {
    @Test(arguments: cases)
    fileprivate func `says what is wrong and what to change`(one: Case) throws {
        let (diagnosis, _) = try one.diagnosis()
        #expect(diagnosis.findings.map(\.kind) == one.kinds, "\(diagnosis)")
        let told = diagnosis.findings.map { "\($0.text) \($0.fix)" }.joined(separator: " ")
        for word in one.words { #expect(told.contains(word), "\(told)") }
        #expect(diagnosis.summary.hasPrefix(try #require(diagnosis.findings.first).text))
        #expect(diagnosis.isAccepted == (one.kinds == [.accepted]))
    }

    @Test(arguments: cases)
    fileprivate func `holds no signature, secret or token`(one: Case) throws {
        let (diagnosis, wire) = try one.diagnosis()
        let told = "\(diagnosis)"
        for word in [localSecret, "other-secret", "who knows", "sesame"] { #expect(!told.contains(word)) }
        let signature = wire.target.split(separator: "X-Amz-Signature=").last?.prefix(64) ?? ""
        #expect(signature.isEmpty || wire.target == "/bucket/k" || !told.contains(signature))
    }

    @Test func `tells how far a client's clock is off`() throws {
        let signed = try presigner.sign(
            UnsignedRequest("GET", at: try #require(Endpoint("http://h")), bucket: "b"), payload: "UNSIGNED-PAYLOAD",
            at: now)
        let wire = WireRequest("GET", signed.target, [("Host", "h")] + signed.headers)
        for (offset, words) in [(3_000, "50 minutes behind"), (-3_000, "50 minutes ahead of")] as [(Int64, String)] {
            let diagnosis = try explain(wire, at: now.adding(seconds: offset))
            #expect(diagnosis.findings.map(\.kind) == [.clockSkew])
            #expect(diagnosis.summary.contains(words))
        }
    }

    @Test func `names the Content-Type that Signature Version 2 did not sign`() throws {
        let vector = "/bucket/k?AWSAccessKeyId=LOCALKEY&Expires=1773501866&Signature="
        let unsigned = RequestV2(
            head: try WireRequest("PUT", vector + "x").parsed(),
            query: RawQuery(try WireRequest("PUT", vector + "x").parsed()), hostBucket: nil)
        let signature = RequestV2.sign(
            unsigned.stringToSign(dateLine: Array("1773501866".utf8)[...]), secret: Array(localSecret.utf8))
        let target = vector + text(PercentEncoding.encoded(signature.text))
        #expect(try explain(WireRequest("PUT", target)).isAccepted)
        let typed = try explain(WireRequest("PUT", target, [("Host", "h"), ("Content-Type", "image/jpeg")]))
        #expect(typed.findings.map(\.kind) == [.unsignedHeader])
        #expect(typed.findings[0].text.contains("Signature Version 2 always covers it"))
        #expect(typed.findings[0].fix.contains("Signature Version 4"))
        let late = try explain(WireRequest("PUT", target), at: Timestamp(seconds: 1_773_501_866 + 600))
        #expect(late.findings.map(\.kind) == [.expired])
    }

    @Test func `asks a temporary key for its token, and for the right one`() throws {
        let unsigned = UnsignedRequest("GET", at: try #require(Endpoint("http://h")), bucket: "b")
        for (token, words) in [(nil, "no session token"), ("mine", "expired"), ("yours", "not that of")]
            as [(String?, String)]
        {
            let signed = try Presigner(accessKeyId: "T", secret: "s".utf8, sessionToken: token, region: "r")
                .presign(unsigned, lifetime: 60, at: now)
            let diagnosis = Diagnosis.explain(
                try WireRequest("GET", signed.target, [("Host", "h")]).parsed(), at: now, by: Authenticator(),
                among: .init(), lookup: knowing("T", "s", token: "mine", tokenExpiry: now))
            #expect(diagnosis.findings.map(\.kind) == [.token])
            #expect(diagnosis.summary.contains(words))
        }
    }

    @Test func `takes a request that is described instead of sent`() throws {
        let signed = try presigner.presign(
            UnsignedRequest("GET", at: try #require(Endpoint("https://h:8443")), bucket: "b"), lifetime: 60, at: now)
        let described = try DescribedRequest(method: "GET", url: signed.url + "#top", headers: [("Accept", "*/*")])
        #expect(described.scheme == .https)
        #expect(text(described.head.target) == signed.target)
        let diagnosis = Diagnosis.explain(
            described.head, at: now, by: Authenticator(scheme: described.scheme), among: .init(),
            lookup: knowing("LOCALKEY", localSecret))
        #expect(diagnosis.isAccepted)
        let moved = try DescribedRequest(method: "GET", url: signed.url, headers: [("Host", "h")])
        #expect(moved.head.all("host").map { text($0) } == ["h"])
        #expect(text(try DescribedRequest(method: "GET", url: "http://h?acl", headers: []).head.target) == "/?acl")
    }

    @Test(arguments: ["ftp://h/", "http:///k", "http://u:p@h/k", "http://h/a b", "h/k", "http://h/\r\nX: y"])
    func `does not take what is no URL`(url: String) {
        #expect(throws: SigningError.self) { try DescribedRequest(method: "GET", url: url, headers: []) }
    }
}
