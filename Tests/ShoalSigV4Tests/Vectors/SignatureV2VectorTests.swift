import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

/// Requests signed by botocore with Signature Version 2.
private struct V2Vector: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let auth: String
    let method: String
    let url: String
    let headers: [[String]]
    let string_to_sign: String
    let signature: String
    let access_key: String
    let secret_key: String
    let now: String

    var testDescription: String { id }

    static let all = Fixture.vectors("sigv2.json", of: V2Vector.self)

    var request: WireRequest {
        let rest = url.dropFirst("http://".count)
        let host = rest.prefix { $0 != "/" }
        return WireRequest(
            method, String(rest.dropFirst(host.count)),
            [("Host", String(host))] + headers.map { ($0[0], $0[1]) })
    }

    func isAccepted(_ request: WireRequest) throws -> Verdict {
        Authenticator().verify(
            try request.parsed(), at: Timestamp(iso: now), lookup: knowing(access_key, secret_key))
    }
}

@Suite struct `Requests signed with Signature Version 2` {
    @Test func `are all here`() { #expect(V2Vector.all.count == 20) }

    @Test(arguments: V2Vector.all)
    fileprivate func `have botocore's string to sign`(vector: V2Vector) throws {
        let head = try vector.request.parsed()
        let query = QueryParameters(head)
        let dateLine = vector.auth == "sigv2-query" ? query.first("Expires") : head.first("date")
        let request = RequestV2(head: head, query: query, hostBucket: nil)
        #expect(text(request.stringToSign(dateLine: try #require(dateLine))) == vector.string_to_sign)
    }

    @Test(arguments: V2Vector.all)
    fileprivate func `are accepted`(vector: V2Vector) throws {
        let authentication = try #require(try vector.isAccepted(vector.request).authentication)
        #expect(authentication.mechanism == (vector.auth == "sigv2-query" ? .queryV2 : .headerV2))
        #expect((authentication.expiry != nil) == (vector.auth == "sigv2-query"))
    }

    @Test(arguments: V2Vector.all)
    fileprivate func `are refused with a Content-Type that was not signed`(vector: V2Vector) throws {
        var request = vector.request
        request.headers.removeAll { $0.name.lowercased() == "content-type" }
        request.headers.append(("Content-Type", "application/x-other"))
        let error = try #require(try vector.isAccepted(request).error)
        #expect(error.code == .signatureDoesNotMatch)
        #expect(
            error.elements.map(\.name)
                == ["AWSAccessKeyId", "StringToSign", "SignatureProvided", "StringToSignBytes"])
    }

    @Test func `sign the bucket of a virtual host before the path`() throws {
        let head = try WireRequest("GET", "/photos/puppy.jpg?versions&acl=v", [("Host", "b.localhost:9000")]).parsed()
        let request = RequestV2(head: head, query: QueryParameters(head), hostBucket: Array("b".utf8))
        #expect(text(request.stringToSign(dateLine: [])) == "GET\n\n\n\n/b/photos/puppy.jpg?acl&versions")
    }

    @Test func `let an x-amz- parameter win over a header of its name and join headers`() throws {
        let head = try WireRequest(
            "PUT", "/b/k?x-amz-acl=private&X-Amz-Meta-A=1",
            [("Host", "h"), ("x-amz-acl", "public-read"), ("x-amz-meta-b", "2"), ("X-AMZ-META-B", "3")]
        ).parsed()
        let request = RequestV2(head: head, query: QueryParameters(head), hostBucket: nil)
        #expect(
            text(request.stringToSign(dateLine: []))
                == "PUT\n\n\n\nx-amz-acl:private\nx-amz-meta-a:1\nx-amz-meta-b:2,3\n/b/k")
    }
}
