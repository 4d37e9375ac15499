import Testing

@testable import ShoalSigV4

@Suite struct `A redacted request` {
    @Test(arguments: [
        ("/b/k", "/b/k"),
        ("/b/k?acl", "/b/k?acl"),
        ("/b/k?a=1&X-Amz-Signature=abc&b=2", "/b/k?a=1&X-Amz-Signature=REDACTED&b=2"),
        ("/b/k?x-amz-SIGNATURE=abc", "/b/k?x-amz-SIGNATURE=REDACTED"),
        ("/b/k?X%2DAmz%2DSignature=abc", "/b/k?X%2DAmz%2DSignature=REDACTED"),
        ("/b/k?AWSAccessKeyId=K&Signature=a%3D&Expires=1", "/b/k?AWSAccessKeyId=K&Signature=REDACTED&Expires=1"),
        ("/b/k?X-Amz-Security-Token=t=t", "/b/k?X-Amz-Security-Token=REDACTED"),
        ("/b/k?token=a&token=b&", "/b/k?token=REDACTED&token=REDACTED&"),
        ("/b/k?Signature", "/b/k?Signature"),
        ("http://h/b/k?signature=x?y", "http://h/b/k?signature=REDACTED"),
    ])
    func `masks what makes a URL a password`(target: String, expected: String) {
        #expect(Redaction.target(target.utf8) == expected)
    }

    @Test(arguments: [
        (
            "Authorization",
            "AWS4-HMAC-SHA256 Credential=K/20260314/r/s3/aws4_request, SignedHeaders=host, Signature=abc",
            "AWS4-HMAC-SHA256 Credential=K/20260314/r/s3/aws4_request, SignedHeaders=host, Signature=REDACTED"
        ),
        ("authorization", "AWS K:abc=", "AWS K:REDACTED"),
        ("Authorization", "Bearer abc", "Bearer REDACTED"),
        ("Authorization", "abc", "REDACTED"),
        ("Cookie", "a=b", "REDACTED"),
        ("X-Amz-Security-Token", "abc", "REDACTED"),
        ("x-amz-server-side-encryption-customer-key", "abc", "REDACTED"),
        ("Referer", "http://h/?X-Amz-Signature=abc", "http://h/?X-Amz-Signature=REDACTED"),
        ("Content-Type", "image/jpeg", "image/jpeg"),
    ])
    func `masks headers that carry secrets`(name: String, value: String, expected: String) {
        #expect(Redaction.header(name, value) == expected)
    }
}
