import ShoalCrypto
import ShoalS3
import ShoalServer
import ShoalWire
import Testing

/// What boto3 presigns with by default in us-east-1.
@Suite struct `A URL signed with Signature Version 2` {
    static func request(
        _ s3: S3Client, _ method: String, _ key: String, body: String = "", expires: Int64? = nil, secret: String? = nil
    ) -> WireRequest {
        let expires = expires ?? S3Client.now.seconds + 60
        let stringToSign = "\(method)\n\n\n\(expires)\n/photos/\(key)"
        let hmac = HMAC.sha1(key: Array((secret ?? s3.secret).utf8), Array(stringToSign.utf8))
        let signature = Base64.string(hmac).replacing("+", with: "%2B").replacing("/", with: "%2F")
            .replacing("=", with: "%3D")
        var request = WireRequest(
            method: method,
            target: "/photos/\(key)?AWSAccessKeyId=\(s3.accessKey)&Signature=\(signature)&Expires=\(expires)",
            host: s3.host, headers: [], body: Array(body.utf8))
        if method == "PUT" { request["Content-Length"] = String(body.utf8.count) }
        return request
    }

    @Test func `is served under both addressing styles`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.send(Self.request(s3, "PUT", "a", body: "v2")).status == 200)
        #expect(try s3.send(Self.request(s3, "GET", "a")).text == "v2")
        var hosted = Self.request(s3, "GET", "a")
        hosted.target = String(hosted.target.dropFirst("/photos".count))
        hosted.host = "photos.s3.localhost:\(server.port)"
        #expect(try s3.send(hosted).text == "v2")
    }

    @Test func `is refused with a type that was not signed, which Version 4 would let pass`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = Self.request(s3, "PUT", "a", body: "v2")
        request["Content-Type"] = "image/jpeg"
        let answer = try s3.send(request)
        #expect(answer.status == 403)
        #expect(answer.code == "SignatureDoesNotMatch")
        #expect(answer.element("StringToSign")?.hasPrefix("PUT\n\nimage/jpeg\n") == true)
        #expect(answer.element("CanonicalRequest") == nil)
        #expect(try !s3.has("a"))
    }

    @Test func `expires, and says so without X-Amz-Expires`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let expires = S3Client.now.seconds - 10
        let answer = try s3.send(Self.request(s3, "GET", "a", expires: expires))
        #expect(answer.status == 403)
        #expect(answer.element("Message") == "Request has expired")
        #expect(answer.element("Expires") == Timestamp(seconds: expires).iso8601Seconds)
        #expect(answer.element("X-Amz-Expires") == nil)
    }

    @Test func `of a wrong secret is refused in words about itself (versitygw#478)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try s3.send(Self.request(s3, "GET", "a", secret: "guess"))
        #expect(answer.status == 403)
        #expect(answer.code == "SignatureDoesNotMatch")
        #expect(answer.element("StringToSign")?.hasPrefix("GET\n\n\n") == true)
        #expect(!answer.text.contains("Authorization"))
    }
}
