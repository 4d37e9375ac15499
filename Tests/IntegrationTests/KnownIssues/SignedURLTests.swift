import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

/// What users of clients and of other servers ran into with the URLs they signed.
@Suite struct `A signed URL` {
    @Test(arguments: [nil, "image/png", "text/plain"] as [String?])
    func `with Content-Type in its query pins and sets no type (soto#477)`(type: String?) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let header: [WireRequest.Field] = type.map { [("Content-Type", $0)] } ?? []
        let call = S3Call(
            "PUT", "photos", "a", query: [("Content-Type", "image/jpeg")], unsigned: header, body: "x")
        var request = try s3.request(call, .presigned(seconds: 60))
        #expect(try s3.send(request).status == 200)
        #expect(try s3.get("a")["Content-Type"] == type ?? "binary/octet-stream")
        request.target = request.target.replacing("Content-Type=image%2Fjpeg", with: "Content-Type=image%2Fpng")
        #expect(try s3.send(request).code == "SignatureDoesNotMatch")
    }

    @Test(arguments: ["image/jpeg", "application/x-www-form-urlencoded", "false"])
    func `for a part takes whatever type a browser adds (boto3#3708)`(type: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let upload = try s3.begin("a", headers: [("Content-Type", "video/mp4")])
        let call = S3Call(
            "PUT", "photos", "a", query: [("partNumber", "1"), ("uploadId", upload)],
            unsigned: [("Content-Type", type)], body: "part")
        let request = try s3.request(call, .presigned(seconds: 60))
        #expect(request.target.contains("X-Amz-SignedHeaders=host&"))
        let part = try s3.send(request)
        #expect(part.status == 200, "\(part.text)")
        #expect(try s3.complete(upload, "a", [(1, try #require(part["ETag"]))]).status == 200)
        let got = try s3.get("a")
        #expect(got.text == "part" && got["Content-Type"] == "video/mp4")
    }

    @Test func `pins no length it does not list, and every x-amz- header it does (aws-sdk-go#1414)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for size in [0, 1, 70_000] {
            let url = try s3.request(S3Call("PUT", "photos", "a"), .presigned(seconds: 60))
            var request = url
            request.body = pattern(size)
            request["Content-Length"] = String(size)
            #expect(try s3.send(request).status == 200)
            #expect(try s3.get("a").body == pattern(size))
        }
        let listed = try s3.request(
            S3Call("PUT", "photos", "b", headers: [("x-amz-meta-album", "2026")], body: "x"), .presigned(seconds: 60))
        for value in [nil, "2027", ""] {
            var request = listed
            request["x-amz-meta-album"] = value
            let answer = try s3.send(request)
            #expect(answer.status == 403 && answer.code == "SignatureDoesNotMatch", "\(value ?? "left out")")
        }
        #expect(try !s3.has("b"))
        #expect(try s3.send(listed).status == 200)
        #expect(try s3.get("b")["x-amz-meta-album"] == "2026")
    }

    /// A form's fields prove who made the form; they sign no other request, wherever a client puts them.
    @Test(arguments: S3Client.FormVersion.allCases)
    func `is more than the fields of a form: they open no PUT (boto3#2261)`(version: S3Client.FormVersion) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let fields = s3.form([("key", "a")], version: version).fields
        let put = S3Call("PUT", "photos", "a", body: "x")
        var asHeaders = try s3.request(put, .none)
        asHeaders.headers += fields
        var asQuery = try s3.request(put, .none)
        asQuery.target += "?" + fields.map { "\($0.name)=\(encoded($0.value))" }.joined(separator: "&")
        for request in [asHeaders, asQuery] {
            let answer = try s3.send(request)
            #expect([400, 403].contains(answer.status), "\(answer.text)")
        }
        #expect(try !s3.has("a"))
        #expect(try s3.send(s3.form([("key", "a")], version: version).request(s3)).status == 204)
    }

    private func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

/// Proxies between the client and the server.
@Suite struct `A URL that was signed for a proxy` {
    private static let publicName = "localhost:7000"

    private func request(_ server: TestServer, _ method: String, _ bucket: String, _ key: String) throws -> WireRequest
    {
        var s3 = S3Client(server)
        s3.host = Self.publicName
        let call = S3Call(method, bucket, key, body: method == "PUT" ? "x" : "")
        return try s3.request(call, .presigned(seconds: 60))
    }

    @Test(arguments: [
        ("X-Forwarded-Host", publicName), ("X-Original-Host", publicName), ("Forwarded", "host=\(publicName)"),
    ])
    func `is good if the proxy passes Host on; what else it tells of Host counts for nothing (minio#20964)`(
        header: String, value: String
    ) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        #expect(try s3.send(request(server, "PUT", "photos", "a")).status == 200)
        var forwarded = try request(server, "PUT", "photos", "b")
        forwarded.host = "127.0.0.1:\(server.port)"
        forwarded[header] = value
        let since = try admin.lastEvent
        let answer = try s3.send(forwarded)
        #expect(answer.status == 403 && answer.code == "SignatureDoesNotMatch")
        #expect(answer.element("CanonicalRequest")?.contains("host:127.0.0.1:\(server.port)\n") == true)
        let auth = try admin.exchange(since: since) { $0["key"]?.string == "b" }.first { $0.ev == "auth" }
        #expect(auth?["diagnosis"]?.string?.contains("127.0.0.1:\(server.port)") == true, "\(auth?.text ?? "")")
        var claimed = try request(server, "GET", "photos", "a")
        claimed[header] = value.replacing(Self.publicName, with: "elsewhere.example")
        #expect(try s3.send(claimed).status == 200)
    }

    /// The client signs `/s3/photos/a`, the proxy takes `/s3` off.
    @Test(arguments: ["GET", "HEAD", "PUT", "DELETE"])
    func `with a prefix that the proxy takes off is refused on every method alike (seaweedfs#7320)`(method: String)
        throws
    {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "kept")
        var stripped = try request(server, method, "s3", "photos/a")
        #expect(stripped.target.hasPrefix("/s3/photos/a?"))
        stripped.target = String(stripped.target.dropFirst("/s3".count))
        #expect(try s3.send(stripped).status == 403)
        #expect(try s3.get("a").text == "kept")
        #expect(try s3.send(request(server, method, "photos", "a")).status == (method == "DELETE" ? 204 : 200))
    }

    @Test(arguments: [true, false])
    func `with a prefix that the proxy takes off is refused in chunks too (seaweedfs#7320)`(isSigned: Bool) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = try ChunkedUpload(isSigned: isSigned).request(s3, "films/a", pattern(20))
        request.target = String(request.target.dropFirst("/photos".count))
        let answer = try s3.send(request)
        #expect(answer.status == 403 && answer.code == "SignatureDoesNotMatch")
        #expect(answer.element("CanonicalRequest")?.hasPrefix("PUT\n/films/a\n") == true)
        #expect(try !s3.has("a", in: "films"))
    }
}
