import ShoalWire
import Testing

@Suite struct `A page of another origin` {
    static let origin: WireRequest.Field = ("Origin", "http://localhost:5173")
    static let vary = "Origin, Access-Control-Request-Headers, Access-Control-Request-Method"

    static func preflight(_ s3: S3Client, _ bucket: String?, _ key: String?, _ headers: [WireRequest.Field]) throws
        -> WireResponse
    {
        try s3.send(S3Call("OPTIONS", bucket, key, headers: headers), .none)
    }

    @Test(arguments: ["a", "not/there", nil] as [String?])
    func `may upload to a presigned URL after its preflight (localstack#99)`(key: String?) throws {
        let server = try TestServer()
        let answer = try Self.preflight(
            S3Client(server), "photos", key,
            [
                Self.origin, ("Access-Control-Request-Method", "PUT"),
                ("Access-Control-Request-Headers", "Content-Type, X-Amz-Meta-A"),
            ])
        #expect(answer.status == 200)
        #expect(answer["Content-Length"] == "0")
        #expect(answer["Access-Control-Allow-Origin"] == "*")
        #expect(answer["Access-Control-Allow-Methods"] == "GET, PUT, POST, DELETE, HEAD")
        #expect(answer["Access-Control-Allow-Headers"] == "content-type, x-amz-meta-a")
        #expect(answer["Access-Control-Max-Age"] == "3000")
        #expect(answer["Access-Control-Allow-Credentials"] == nil)
        #expect(answer["Vary"] == Self.vary)
    }

    static let notAllowed =
        "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request method / "
        + "Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec."

    @Test(
        arguments: [
            (
                "photos", "a", [], 400,
                "<Code>BadRequest</Code><Message>Insufficient information. Origin request header needed.</Message>"
            ),
            (
                "photos", "a", [origin], 400,
                "<Code>BadRequest</Code><Message>Invalid Access-Control-Request-Method: </Message>"
            ),
            (
                "photos", "a", [origin, ("Access-Control-Request-Method", "put")], 400,
                "<Code>BadRequest</Code><Message>Invalid Access-Control-Request-Method: put</Message>"
            ),
            (
                "nowhere", "a", [origin, ("Access-Control-Request-Method", "PUT")], 403,
                "<Code>AccessForbidden</Code><Message>CORSResponse: Bucket not found</Message><Method>PUT</Method>"
                    + "<ResourceType>BUCKET</ResourceType>"
            ),
            (
                "nowhere", "a", [origin], 403,
                "<Code>AccessForbidden</Code><Message>CORSResponse: Bucket not found</Message><Method>OPTIONS</Method>"
                    + "<ResourceType>BUCKET</ResourceType>"
            ),
            (
                "photos", "a", [origin, ("Access-Control-Request-Method", "PATCH")], 403,
                "<Code>AccessForbidden</Code><Message>\(notAllowed)</Message><Method>PATCH</Method>"
                    + "<ResourceType>OBJECT</ResourceType>"
            ),
        ] as [(String, String, [(String, String)], Int, String)])
    func `is refused its preflight in S3's words`(
        bucket: String, key: String, headers: [(String, String)], status: Int, content: String
    ) throws {
        let server = try TestServer()
        let answer = try Self.preflight(S3Client(server), bucket, key, headers)
        #expect(answer.status == status)
        #expect(answer.errorContent == content)
    }

    @Test func `can read the answer, its entity tag and every error (aws-sdk-js#191, uppy#1762, s3proxy#492)`() throws {
        let server = try TestServer()
        var s3 = S3Client(server)
        let put = try s3.send(S3Call("PUT", "photos", "a", unsigned: [Self.origin], body: "x"), .presigned(seconds: 60))
        let missing = try s3.send(S3Call("GET", "photos", "b", unsigned: [Self.origin]))
        s3.secret = "guess"
        let refused = try s3.send(
            S3Call("PUT", "photos", "a", unsigned: [Self.origin], body: "x"), .presigned(seconds: 60))
        #expect([put.status, missing.status, refused.status] == [200, 404, 403])
        for answer in [put, missing, refused] {
            #expect(answer["Access-Control-Allow-Origin"] == "*")
            #expect(answer["Access-Control-Expose-Headers"]?.split(separator: ", ").contains("ETag") == true)
            #expect(answer["Vary"] == Self.vary)
        }
    }

    @Test func `can read what a rule injects`() throws {
        let server = try TestServer()
        try AdminClient(server).arm("GetObject @auth SlowDown(retryAfter=2)")
        let answer = try S3Client(server).send(S3Call("GET", "photos", "a", unsigned: [Self.origin]))
        #expect(answer.status == 503)
        #expect(answer["Access-Control-Allow-Origin"] == "*")
    }

    @Test func `is not spoken to where nobody named an origin`() throws {
        let server = try TestServer()
        let answer = try S3Client(server).get("a")
        #expect(!answer.fields.contains { $0.name.lowercased().hasPrefix("access-control-") || $0.name == "Vary" })
    }
}
