import ShoalWire
import Testing

@Suite struct `A bucket's log` {
    private func call(_ method: String, _ body: String = "") -> S3Call {
        S3Call(method, "photos", query: [("logging", "")], body: body)
    }

    @Test func `goes to a bucket that is there, in the same region`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for region in ["us-west-2", "eu-west-1"] {
            let body =
                "<CreateBucketConfiguration><LocationConstraint>\(region)</LocationConstraint></CreateBucketConfiguration>"
            #expect(try s3.send(S3Call("PUT", "in-" + region, body: body)).status == 200)
        }
        func put(_ source: String, _ target: String) throws -> WireResponse {
            let body =
                "<BucketLoggingStatus><LoggingEnabled><TargetBucket>\(target)</TargetBucket><TargetPrefix/>"
                + "</LoggingEnabled></BucketLoggingStatus>"
            return try s3.send(S3Call("PUT", source, query: [("logging", "")], body: body))
        }
        let absent = try put("photos", "nowhere")
        #expect(absent.status == 400 && absent.code == "InvalidTargetBucketForLogging")
        #expect(absent.element("TargetBucket") == "nowhere")
        let far = try put("photos", "in-us-west-2")
        #expect(far.status == 403 && far.code == "CrossLocationLoggingProhibitted")
        #expect(far.element("TargetBucketLocation") == "us-west-2" && far.element("SourceBucketLocation") == nil)
        #expect(try put("in-eu-west-1", "in-us-west-2").element("SourceBucketLocation") == "eu-west-1")
        #expect(try put("photos", "films").status == 200)
        #expect(try s3.send(call("GET")).element("TargetBucket") == "films")
        #expect(try s3.send(call("PUT", "<BucketLoggingStatus/>")).status == 200)
        #expect(try s3.send(call("GET")).element("TargetBucket") == nil)
    }
}
