import ShoalS3
import ShoalWire
import Testing

@Suite struct `A size range in a form's policy` {
    @Test(arguments: [#""10", "20""#, #"10, "20""#, #""10", 20"#, "10, 20"])
    func `may be numbers or text that is a number (localstack#10889)`(bounds: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for (size, code) in [(9, "EntityTooSmall"), (10, nil), (20, nil), (21, "EntityTooLarge")] as [(Int, String?)] {
            let form = s3.form(
                [("key", "k\(size)")], conditions: [#"["content-length-range", \#(bounds)]"#], file: pattern(size))
            let answer = try s3.send(form.request(s3))
            #expect(answer.status == (code == nil ? 204 : 400) && answer.code == code)
            #expect(try s3.has("k\(size)") == (code == nil))
        }
    }
}

@Suite struct `A rule for other origins` {
    @Test func `exposes the headers it names, on answers and on errors (uppy-s3_multipart#33)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let rules =
            "<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PUT</AllowedMethod>"
            + "<AllowedMethod>GET</AllowedMethod><ExposeHeader>ETag</ExposeHeader><ExposeHeader>Location</ExposeHeader>"
            + "</CORSRule></CORSConfiguration>"
        #expect(try s3.send(S3Call("PUT", "photos", query: [("cors", "")], body: rules)).status == 200)
        let origin = `A page of another origin`.origin
        let upload = try s3.begin("a")
        let part = try s3.send(
            S3Call(
                "PUT", "photos", "a", query: [("partNumber", "1"), ("uploadId", upload)], unsigned: [origin],
                body: "part"), .presigned(seconds: 60))
        let missing = try s3.send(S3Call("GET", "photos", "none", unsigned: [origin]))
        #expect(part.status == 200 && missing.status == 404)
        for answer in [part, missing] { #expect(answer["Access-Control-Expose-Headers"] == "ETag, Location") }
        #expect(part["ETag"] == etag(of: "part"))
    }

    /// A browser asks at the URL itself, without what the upload will carry; whether it is good is no question yet.
    @Test(arguments: [60, -60] as [Int64])
    func `answers the preflight of a presigned URL, and a refusal can be read (localstack#99)`(life: Int64) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let origin = `A page of another origin`.origin
        let call = S3Call(
            "PUT", "photos", "a", headers: [("Content-Type", "image/jpeg")], unsigned: [origin], body: "jpg")
        let upload = try s3.request(call, .presigned(seconds: 60), at: S3Client.now.adding(seconds: life - 60))
        let preflight = WireRequest(
            method: "OPTIONS", target: upload.target, host: upload.host,
            headers: [
                origin, ("Access-Control-Request-Method", "PUT"), ("Access-Control-Request-Headers", "content-type"),
            ], body: [])
        let allowed = try s3.send(preflight)
        #expect(allowed.status == 200 && allowed.body.isEmpty)
        #expect(allowed["Access-Control-Allow-Origin"] == "*")
        #expect(allowed["Access-Control-Allow-Headers"] == "content-type")
        let answer = try s3.send(upload)
        #expect(answer.status == (life > 0 ? 200 : 403))
        #expect(answer["Access-Control-Allow-Origin"] == "*")
    }
}
