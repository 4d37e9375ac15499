import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

/// The examples of AWS's documentation.
private struct DocumentedExample: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let auth: String
    let method: String?
    let path: String?
    let query: String?
    let headers: [[String]]?
    let payload_hash: String?
    let canonical_request: String?
    let string_to_sign: String
    let signature: String?
    let published_signature: String?
    let computed_signature: String?
    let reproduces: Bool?
    let secret_key: String

    var testDescription: String { id }

    static let all = Fixture.vectors("aws-docs-examples.json", of: DocumentedExample.self)
    static let version4 = all.filter { $0.auth != "sigv2" }
    static let version2 = all.filter { $0.auth == "sigv2" }
}

@Suite struct `AWS's documented examples` {
    @Test func `are all here`() {
        #expect(DocumentedExample.version4.count == 5)
        #expect(DocumentedExample.version2.count == 9)
        // The guide prints a signature that does not belong to the string it prints.
        #expect(DocumentedExample.version2.filter { $0.reproduces == false }.map(\.id) == ["v2-query"])
    }

    @Test(arguments: DocumentedExample.version4)
    fileprivate func `reproduce in every stage of Version 4`(example: DocumentedExample) throws {
        let headers = try #require(example.headers)
        let query = try #require(example.query)
        let target = try #require(example.path) + (query.isEmpty ? "" : "?\(query)")
        let head = try WireRequest(try #require(example.method), target, pairs: headers).parsed()
        let signedHeaders = headers.map { $0[0] }.joined(separator: ";")
        let canonical = try CanonicalRequest(
            head, signedHeaders: Array(signedHeaders.utf8)[...],
            payload: Array(try #require(example.payload_hash).utf8)[...])
        #expect(text(canonical.bytes) == example.canonical_request)
        let stringToSign = StringToSign(
            algorithm: Array("AWS4-HMAC-SHA256".utf8)[...], date: Array("20130524T000000Z".utf8)[...],
            scope: Array("20130524/us-east-1/s3/aws4_request".utf8)[...], canonicalRequest: canonical.bytes[...])
        #expect(text(stringToSign.bytes) == example.string_to_sign)
        let key = SigningKey(
            secret: Array(example.secret_key.utf8), day: "20130524".utf8, region: "us-east-1".utf8, service: "s3".utf8)
        #expect(text(key.sign(stringToSign.bytes[...]).text) == example.signature)
    }

    @Test(arguments: DocumentedExample.version2)
    fileprivate func `reproduce in Version 2`(example: DocumentedExample) {
        let signature = RequestV2.sign(Array(example.string_to_sign.utf8), secret: Array(example.secret_key.utf8))
        #expect(text(signature.text) == example.computed_signature)
        #expect((text(signature.text) == example.published_signature) == example.reproduces)
    }

    @Test func `come out of the presigner`() throws {
        let presigner = Presigner(
            accessKeyId: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8,
            region: "us-east-1")
        let request = UnsignedRequest(
            "GET", at: try #require(Endpoint("https://s3.amazonaws.com")), style: .virtualHost,
            bucket: "examplebucket", key: Array("test.txt".utf8))
        let signed = try presigner.presign(request, lifetime: 86_400, at: Timestamp(iso: "2013-05-24T00:00:00Z"))
        let example = try #require(DocumentedExample.version4.first { $0.id == "presigned-get" })
        #expect(signed.url.hasSuffix("&X-Amz-Signature=\(try #require(example.signature))"))
        #expect(signed.url.hasPrefix("https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm="))
    }
}
