import ShoalCrypto
import ShoalFaults
import ShoalS3
import ShoalWire
import Testing

@Suite struct `A form with a file` {
    /// moto#3667: `${filename}` is the name of the file, without its folders.
    @Test(arguments: S3Client.FormVersion.allCases, [false, true])
    func `becomes an object, with a signature of either version and at either address`(
        version: S3Client.FormVersion, isVirtualHosted: Bool
    ) throws {
        let server = try TestServer()
        let s3 = isVirtualHosted ? S3Client(server).virtualHosted : S3Client(server)
        let bytes = pattern(1_000)
        let form = s3.form(
            [
                ("key", "user/${filename}"), ("Content-Type", "image/jpeg"), ("x-amz-meta-Place", "Caf\u{E9}"),
                ("Cache-Control", "no-store"), ("x-amz-storage-class", "STANDARD_IA"),
            ], file: bytes, filename: "C:\\photos\\harbour.jpg", version: version)
        let answer = try s3.send(form.request(s3))
        #expect(answer.status == 204 && answer.body.isEmpty, "\(answer.text)")
        #expect(answer["ETag"] == etag(of: bytes))
        let base = isVirtualHosted ? "http://photos.s3.localhost:\(server.port)" : "\(server.url)/photos"
        #expect(answer["Location"] == "\(base)/user%2Fharbour.jpg")
        #expect(answer["x-amz-checksum-crc64nvme"] == `A checksum`.value(.crc64nvme, bytes))
        #expect(answer["x-amz-checksum-type"] == "FULL_OBJECT")
        let got = try S3Client(server).get("user/harbour.jpg")
        #expect(got.body == bytes && got["Content-Type"] == "image/jpeg" && got["Cache-Control"] == "no-store")
        #expect(got["x-amz-meta-place"] == "=?UTF-8?Q?Caf=C3=A9?=" && got["x-amz-storage-class"] == "STANDARD_IA")
        #expect(server.files(below: "staging").isEmpty)
    }

    @Test func `is answered as it wants (localstack#1302, moto#3667)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        func send(_ fields: [WebForm.Field]) throws -> WireResponse {
            try s3.send(s3.form([("key", "a/b c")] + fields).request(s3))
        }
        let created = try send([("success_action_status", "201")])
        #expect(created.status == 201 && created["Content-Type"] == "application/xml")
        #expect(
            created.text == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<PostResponse><Location>\(server.url)/photos/"
                + "a%2Fb%20c</Location><Bucket>photos</Bucket><Key>a/b c</Key><ETag>\(etag(of: "file"))</ETag></PostResponse>"
        )
        let ok = try send([("success_action_status", "200")])
        #expect(ok.status == 200 && ok["Content-Length"] == "0")
        #expect(try send([("success_action_status", "500")]).status == 204)
        let redirected = try send([("success_action_redirect", "http://localhost/done?a=b")])
        #expect(redirected.status == 303 && redirected.body.isEmpty)
        let tag = etag(of: "file").replacing("\"", with: "%22")
        #expect(redirected["Location"] == "http://localhost/done?a=b&bucket=photos&key=a%2Fb%20c&etag=\(tag)")
        #expect(redirected["ETag"] == etag(of: "file"))
        #expect(try send([("success_action_redirect", "nowhere")]).status == 204)
    }

    @Test func `may have fields behind it, which are ignored, and end in any way`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for (index, epilogue) in ["\r\n", "", "\r\n\r\nanything --at all\r\n"].enumerated() {
            for size in [0, 10, 300_000] {
                var form = s3.form([("key", "\(index)-\(size)")], file: pattern(size))
                form.trailing = index == 1 ? [] : [("key", "other"), ("acl", "public-read")]
                form.epilogue = epilogue
                #expect(try s3.send(form.request(s3)).status == 204)
                let got = try s3.get("\(index)-\(size)")
                #expect(got.status == 200 && got.body == pattern(size) && got["ETag"] == etag(of: pattern(size)))
            }
        }
        #expect(try !s3.has("other"))
        server.stop()
        let again = try TestServer { $0.storage = .directory(server.data) }
        #expect(try S3Client(again).get("2-300000").body == pattern(300_000))
        #expect(try S3Client(again).get("2-10").body == pattern(10))
        again.stop()
    }

    @Test func `may be a plain field, whose name then stays out of the key`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.send(s3.form([("key", "${filename}")], filename: nil).request(s3)).status == 204)
        #expect(try s3.get("${filename}").text == "file")
    }

    @Test func `carries tags and a checksum that are kept and checked`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let digest = Base64.string(Digest.of(Array("file".utf8), .sha256))
        let tags = "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>"
        let form = s3.form([
            ("key", "a"), ("tagging", tags), ("x-amz-checksum-sha256", digest), ("acl", "bucket-owner-full-control"),
        ])
        let answer = try s3.send(form.request(s3))
        #expect(answer.status == 204 && answer["x-amz-checksum-sha256"] == digest, "\(answer.text)")
        let got = try s3.send(S3Call("GET", "photos", "a", query: [("tagging", "")]))
        #expect(got.element("Key") == "k" && got.element("Value") == "v")
        let wrong = s3.form([("key", "b"), ("x-amz-checksum-sha256", Base64.string(Digest.of([], .sha256)))])
        let refused = try s3.send(wrong.request(s3))
        #expect(refused.status == 400 && refused.code == "BadDigest")
        #expect(try !s3.has("b"))
    }

    @Test func `of many bytes streams into the store, and arrives to the byte`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var random = SystemRandomNumberGenerator()
        // CR and LF more often than chance would have them.
        var bytes = [UInt8](repeating: 0, count: 20 << 20)
        bytes.withUnsafeMutableBytes { buffer in
            for index in stride(from: 0, to: buffer.count, by: 8) {
                buffer.storeBytes(of: random.next(), toByteOffset: index, as: UInt64.self)
            }
        }
        for index in stride(from: 0, to: bytes.count - 4, by: 4_093) {
            bytes.replaceSubrange(index..<(index + 4), with: [13, 10, 45, 45])
        }
        let form = s3.form([("key", "film")], file: bytes)
        let answer = try s3.send(form.request(s3))
        #expect(answer.status == 204 && answer["ETag"] == etag(of: bytes))
        #expect(try s3.get("film").body == bytes)
        #expect(server.files(below: "staging").isEmpty)
    }

    @Test func `waits for 100 Continue, and its bucket's rules are for other origins`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let rules =
            "<CORSConfiguration><CORSRule><AllowedOrigin>http://page</AllowedOrigin><AllowedMethod>POST</AllowedMethod>"
            + "</CORSRule></CORSConfiguration>"
        #expect(try s3.send(S3Call("PUT", "photos", query: [("cors", "")], body: rules)).status == 200)
        let request = s3.form([("key", "a")]).request(
            s3, headers: [("Expect", "100-continue"), ("Origin", "http://page")])
        let connection = server.connection
        connection.send(request.head)
        #expect(connection.receiveResponse()?.status == 100)
        connection.send(request.body)
        let answer = try #require(connection.receiveResponse())
        #expect(answer.status == 204 && answer["Access-Control-Allow-Origin"] == "http://page")
        var refused = s3.form([("key", "a")])
        refused["x-amz-signature"] = "0"
        let other = try s3.send(refused.request(s3, headers: [("Origin", "http://page")]))
        #expect(other.status == 403 && other["Access-Control-Allow-Origin"] == "http://page")
    }

    @Test(.enabled(if: ChildProcess.exists("curl"), "curl is not installed"))
    func `is sent by curl -F, however large it is`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        for (index, size) in [0, 5, 3_000_000].enumerated() {
            let path = server.data + "/../upload \(index).bin"
            try #require(ChildProcess.run(["truncate", "-s", "\(size)", path]).code == 0)
            let form = s3.form([("key", "curl/${filename}"), ("success_action_status", "201")])
            let fields = form.fields.flatMap { ["--form-string", "\($0.name)=\($0.value)"] }
            let sent = ChildProcess.run(
                ["curl", "-q", "-sS", "--noproxy", "*"] + fields
                    + ["-F", "file=@\(path);type=image/png", "-w", "%{http_code}", server.url + "/photos"])
            #expect(sent.code == 0 && sent.output.hasSuffix("201"), "\(sent)")
            #expect(try s3.get("curl/upload \(index).bin").body == [UInt8](repeating: 0, count: size))
        }
    }

    /// Every point of an upload, by the head of the request or by what the form says.
    @Test(arguments: [
        "request.head", "continue", "auth", "body.at(50%)", "body.end", "commit.before", "commit.after",
        "response.head",
        "response.end",
    ])
    func `can be struck at every point of an upload`(point: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let admin = AdminClient(server)
        let rule = try admin.arm("PostObject @\(point) 1*reset per=rule")
        let waits = point == "continue"
        let request = s3.form([("key", "a")], file: pattern(100_000)).request(
            s3, headers: waits ? [("Expect", "100-continue")] : [])
        let connection = server.connection
        connection.send(waits ? request.head : request.bytes)
        #expect(connection.receive().end == .reset)
        #expect(try admin.firings(of: rule) == 1)
        let isStored = point.hasPrefix("commit.after") || point.hasPrefix("response")
        #expect(try s3.has("a") == isStored)
        #expect(server.files(below: "staging").isEmpty)
        #expect(try s3.send(s3.form([("key", "a")]).request(s3)).status == 204)
    }

    @Test func `may be answered in place of the store, or count as expired, once it has shown who sends it`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let admin = AdminClient(server)
        let expired = "Invalid according to Policy: Policy expired."
        for (rule, code) in [
            ("PostObject a @auth 1*SlowDown", "SlowDown"), ("PostObject a @auth 1*expire", "AccessDenied"),
        ] {
            try admin.arm(rule + " per=rule")
            #expect(try s3.send(s3.form([("key", "b")]).request(s3)).status == 204)
            let request = s3.form([("key", "a")], file: pattern(500_000)).request(s3)
            let answer = try s3.send(request)
            #expect(answer.code == code)
            guard code == "AccessDenied" else { continue }
            #expect(answer.element("Message") == expired)
            #expect(try s3.send(request).element("Message") == expired)
        }
        for rule in ["PostObject a @body.at(-1) 1*reset per=rule", "PostObject a @commit.after 1*reset per=rule"] {
            let id = try admin.arm(rule)
            let connection = server.connection
            connection.send(s3.form([("key", "a")], file: pattern(500_000)).request(s3).bytes)
            #expect(connection.receive().end == .reset)
            #expect(try admin.firings(of: id) == 1)
            #expect(try s3.has("a") == rule.contains("commit"))
            try s3.send(S3Call("DELETE", "photos", "a"))
        }
        try admin.arm("PostObject @auth 1*pause(gate) per=rule")
        let connection = server.connection
        connection.send(s3.form([("key", "a")], file: pattern(500_000)).request(s3).bytes)
        _ = try admin.journal { $0.contains { $0.ev == "fault" && $0["action"]?.string == "pause(gate)" } }
        #expect(try !s3.has("a"))
        #expect(try admin.json("POST", "/gates/gate/release")["released"]?.integer == 1)
        #expect(connection.receiveResponse()?.status == 204)
        #expect(try s3.get("a").body == pattern(500_000))
    }
}
