import ShoalHTTP
import ShoalS3
import Testing

@testable import ShoalSigV4

@Suite struct `The access key that a request claims` {
    private func claimed(_ target: String, _ headers: [(String, String)] = []) throws -> String? {
        let request = WireRequest("GET", target, [("Host", "h")] + headers)
        return try ClaimedAccessKey(request.parsed()).map { String(decoding: $0.accessKeyId, as: UTF8.self) }
    }

    @Test(arguments: [
        ("/", "AWS4-HMAC-SHA256 Credential=K1/20260314/r/s3/aws4_request, SignedHeaders=host, Signature=0", "K1"),
        ("/", "AWS4-HMAC-SHA256 SignedHeaders=host,Credential=K1/20260314/r/s3/aws4_request,Signature=0", "K1"),
        ("/", "AWS K2:c2lnbmF0dXJl", "K2"), ("/", "Bearer K3", nil), ("/", "AWS", nil), ("/", "", nil),
        ("/?X-Amz-Credential=K4%2F20260314%2Fr%2Fs3%2Faws4_request", nil, "K4"),
        ("/?a=b&X-Amz-Credential=K4/20260314/r/s3/aws4_request", nil, "K4"),
        ("/?AWSAccessKeyId=K5&Expires=1&Signature=x", nil, "K5"), ("/?prefix=K6", nil, nil), ("/", nil, nil),
        ("/?X-Amz-Credential=K4%2F1", "AWS K2:x", "K2"),
    ])
    func `is read wherever it may stand`(target: String, authorization: String?, key: String?) throws {
        #expect(try claimed(target, authorization.map { [("Authorization", $0)] } ?? []) == key)
    }

    /// Whose secret is to be asked for is the permanent key's.
    @Test func `is the one that a session token was made for`() throws {
        let made = TemporaryCredentials(
            TemporarySession(issuer: Array("K7".utf8), expiry: Timestamp(seconds: 1)), issuerSecret: [1],
            nonce: [UInt8](repeating: 1, count: TemporaryCredentials.nonceByteCount))
        let authorization = "AWS4-HMAC-SHA256 Credential=\(made.accessKeyId)/d/r/s3/aws4_request"
        let token = ("x-amz-security-token", made.sessionToken)
        #expect(try claimed("/", [("Authorization", authorization), token]) == "K7")
        #expect(try claimed("/", [("Authorization", authorization)]) == made.accessKeyId)
        #expect(try claimed("/", [("Authorization", "AWS K8:x"), token]) == "K8")
    }
}
