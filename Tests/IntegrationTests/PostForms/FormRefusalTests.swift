import ShoalJSON
import ShoalS3
import ShoalServer
import ShoalWire
import Testing

@Suite struct `A form that S3 refuses` {
    private static let order = "  If it is specified, please check the order of the fields."

    /// The answer's code, message and elements, and that nothing was stored.
    private static func refusal(_ form: WebForm, _ server: TestServer, _ bucket: String = "photos") throws -> String {
        let s3 = S3Client(server)
        let answer = try s3.send(form.request(s3, bucket))
        #expect(try AdminClient(server).json("GET", "/objects")["objects"]?.elements.isEmpty == true)
        #expect(server.files(below: "staging").isEmpty && server.files(below: "blobs").isEmpty)
        return "\(answer.status) \(answer.errorContent ?? answer.text)"
    }

    private static func missing(_ name: String) -> String {
        "400 <Code>InvalidArgument</Code><Message>Bucket POST must contain a field named '\(name)'.\(order)</Message>"
            + "<ArgumentName>\(name)</ArgumentName><ArgumentValue></ArgumentValue>"
    }

    private static let denied = "403 <Code>AccessDenied</Code><Message>Access Denied</Message>"

    @Test func `lacks a field, or has it behind the file (appium#18519)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let fields = [
            ("key", "key"), ("x-amz-signature", "X-Amz-Signature"), ("x-amz-algorithm", "X-Amz-Algorithm"),
            ("x-amz-credential", "X-Amz-Credential"), ("x-amz-date", "X-Amz-Date"), ("policy", "policy"),
        ]
        for (field, name) in fields {
            var form = s3.form([("key", "a")])
            form.trailing = [(field, form[field] ?? "")]
            form[field] = nil
            #expect(try Self.refusal(form, server) == Self.missing(name))
        }
        for field in ["signature", "AWSAccessKeyId", "policy"] {
            var form = s3.form([("key", "a")], version: .v2)
            form[field] = nil
            #expect(try Self.refusal(form, server) == Self.missing(field == "signature" ? "Signature" : field))
        }
    }

    @Test func `is signed by nobody`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try Self.refusal(WebForm([("key", "a")], file: [1]), server) == Self.denied)
        var form = s3.form([("key", "a")], version: .v2)
        for field in ["signature", "AWSAccessKeyId"] { form[field] = nil }
        #expect(try Self.refusal(form, server) == Self.denied)
        #expect(
            try Self.refusal(WebForm([("key", "a")], file: [1]), server, "absent").hasPrefix("404 <Code>NoSuchBucket"))
        let other = try Self.refusal(s3.form([("key", "a")]), server, "films")
        #expect(other.contains(#"Policy Condition failed: ["eq", "$bucket", "photos"]"#))
    }

    @Test(arguments: S3Client.FormVersion.allCases)
    func `is signed with another secret, or for another policy`(version: S3Client.FormVersion) throws {
        let server = try TestServer()
        var forger = S3Client(server)
        forger.secret = "another-secret"
        let form = forger.form([("key", "a")], version: version)
        let policy = try #require(form["policy"])
        let signature = try #require(form[version == .v4 ? "x-amz-signature" : "signature"])
        let bytes = policy.utf8.map { byte in
            let text = String(byte, radix: 16)
            return text.utf8.count == 1 ? "0" + text : text
        }
        #expect(
            try Self.refusal(form, server)
                == "403 <Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the "
                + "signature you provided. Check your key and signing method.</Message><AWSAccessKeyId>shoal</AWSAccessKeyId>"
                + "<StringToSign>\(policy)</StringToSign><SignatureProvided>\(signature)</SignatureProvided>"
                + "<StringToSignBytes>\(bytes.joined(separator: " "))</StringToSignBytes>")
        forger.accessKey = "nobody"
        #expect(
            try Self.refusal(forger.form([("key", "a")], version: version), server).hasPrefix(
                "403 <Code>InvalidAccessKeyId"))
        var token = S3Client(server).form([("key", "a"), ("x-amz-security-token", "t")], version: version)
        #expect(try Self.refusal(token, server).hasPrefix("400 <Code>InvalidToken"))
        token["x-amz-security-token"] = nil
        #expect(try Self.refusal(token, server).contains("Policy Condition failed"))
    }

    @Test func `comes after its policy's end, or says what its policy does not allow`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let prefix = "403 <Code>AccessDenied</Code><Message>Invalid according to Policy: "
        let late = s3.form([("key", "a")], lifetime: -1)
        #expect(try Self.refusal(late, server) == prefix + "Policy expired.</Message>")
        var extra = s3.form([("key", "a")])
        extra["Content-Type"] = "image/png"
        #expect(try Self.refusal(extra, server) == prefix + "Extra input fields: content-type</Message>")
        var other = s3.form([("key", "a")])
        other["key"] = "b"
        #expect(
            try Self.refusal(other, server) == prefix + #"Policy Condition failed: ["eq", "$key", "a"]</Message>"#)
        let fields = s3.signed([("key", "a")], policy: "{}", version: .v2)
        #expect(
            try Self.refusal(WebForm(fields, file: [1]), server)
                == "400 <Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Policy missing expiration.</Message>"
        )
        try AdminClient(server).json("PUT", "/clock", #"{"offset":"+2m"}"#)
        #expect(try Self.refusal(s3.form([("key", "a")]), server) == prefix + "Policy expired.</Message>")
    }

    @Test(arguments: [0, 9, 11, 400_000])
    func `has a file of another size than its policy allows (rustfs#984)`(size: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let form = s3.form(
            [("key", "a")], conditions: [#"["content-length-range", 10, 10]"#], file: pattern(size))
        let isSmall = size < 10
        #expect(
            try Self.refusal(form, server)
                == "400 <Code>\(isSmall ? "EntityTooSmall" : "EntityTooLarge")</Code><Message>Your proposed upload "
                + "\(isSmall ? "is smaller than the minimum" : "exceeds the maximum") allowed size</Message>"
                + "<ProposedSize>\(size)</ProposedSize><\(isSmall ? "Min" : "Max")SizeAllowed>10"
                + "</\(isSmall ? "Min" : "Max")SizeAllowed>")
        var good = form
        good.file = pattern(10)
        #expect(try s3.send(good.request(s3)).status == 204)
    }

    @Test func `is no form, or has no end, no file or no length (dio#603)`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let good = s3.form([("key", "a")]).request(s3)
        func code(_ change: (inout WireRequest) -> Void) throws -> String {
            var request = good
            change(&request)
            if request["Content-Length"] != nil { request["Content-Length"] = String(request.body.count) }
            let answer = try s3.send(request)
            #expect(answer.code == "MissingContentLength" || server.files(below: "staging").isEmpty)
            return "\(answer.status) \(answer.code ?? "")"
        }
        #expect(try code { $0["Content-Type"] = "text/plain" } == "412 PreconditionFailed")
        #expect(try code { $0["Content-Type"] = nil } == "412 PreconditionFailed")
        #expect(try code { $0["Content-Type"] = "multipart/form-data" } == "400 MalformedPOSTRequest")
        #expect(try code { $0["Content-Type"] = "multipart/form-data; boundary=x" } == "400 MalformedPOSTRequest")
        #expect(try code { $0.body.removeLast(4) } == "400 MalformedPOSTRequest")
        #expect(try code { $0.body.removeLast(WebForm.boundary.utf8.count + 8) } == "400 MalformedPOSTRequest")
        #expect(try code { $0.body = [] } == "400 MalformedPOSTRequest")
        #expect(try code { $0.body = Array("--\(WebForm.boundary)--".utf8) } == "400 InvalidArgument")
        #expect(try code { $0["Content-Length"] = nil } == "411 MissingContentLength")
        #expect(
            try code {
                $0["Content-Length"] = nil
                $0["Transfer-Encoding"] = "chunked"
                $0.body = Array("0\r\n\r\n".utf8)
            } == "501 NotImplemented")
        var large = s3.form([("key", "a")])
        large.fields.insert(("x-ignore-me", String(repeating: "x", count: 20_480)), at: 0)
        #expect(try Self.refusal(large, server).hasPrefix("400 <Code>MaxPostPreDataLengthExceededError"))
        #expect(
            try Self.refusal(s3.form([("key", "a"), ("acl", "public-read")]), server).hasPrefix(
                "400 <Code>AccessControlListNotSupported"))
        #expect(
            try Self.refusal(s3.form([("key", "a"), ("x-amz-storage-class", "ICE")]), server).hasPrefix(
                "400 <Code>InvalidStorageClass"))
        #expect(
            try Self.refusal(s3.form([("key", "a"), ("tagging", "x")]), server).hasPrefix("400 <Code>MalformedXML"))
    }

    /// In front of the file, in it, and within the last boundary.
    @Test(arguments: [100, 900, 1_500_000, 2_000_900])
    func `breaks off and leaves nothing`(count: Int) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let request = s3.form([("key", "a")], file: pattern(2_000_000)).request(s3)
        let connection = server.connection
        connection.send(request.head + request.body.prefix(min(count, request.body.count - 1)))
        connection.finishSending()
        let (bytes, _) = connection.receive()
        let answer = try #require(WireResponse(parsing: bytes, isHead: false))
        #expect(answer.status == 400 && answer.code == "IncompleteBody", "\(answer.text)")
        try `An upload that breaks`.expectNothingLeft(server)
    }

    @Test func `is let pass by the lenient profile, with what S3 would have said in the log`() throws {
        let server = try TestServer { $0.profile = .lenient }
        let s3 = S3Client(server)
        var forged = s3.form([("key", "a")])
        forged["x-amz-signature"] = "forged-signature"
        #expect(try s3.send(forged.request(s3)).status == 204)
        #expect(try s3.send(WebForm([("key", "b")], file: [1]).request(s3)).status == 204)
        #expect(try s3.has("a") && s3.has("b"))
        #expect(server.log.contains("S3 would have said: 403 SignatureDoesNotMatch"))
        #expect(!server.log.contains("forged-signature"))
    }

    @Test func `is judged by its head if that is signed`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let form = WebForm([("key", "a")], file: Array("x".utf8))
        let type = ("Content-Type", "multipart/form-data; boundary=\(WebForm.boundary)")
        #expect(try s3.send(S3Call("POST", "photos", headers: [type], body: form.body)).status == 204)
        #expect(try s3.get("a").text == "x")
        var stranger = s3
        stranger.secret = "another-secret"
        let refused = try stranger.send(S3Call("POST", "photos", headers: [type], body: form.body))
        #expect(refused.status == 403 && refused.code == "SignatureDoesNotMatch")
    }

    @Test func `keeps signatures, policies and tokens out of log and journal`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let token = ("x-amz-security-token", "session/token+of==somebody")
        var forms = [s3.form([("key", "a")]), s3.form([("key", "a"), token]), s3.form([("key", "a")], version: .v2)]
        var forged = s3.form(
            [("key", "a")], conditions: [#"["eq", "$x-amz-security-token", "session/token+of==somebody"]"#])
        forms.append(forged)
        forged["x-amz-signature"] = "forged-signature"
        forms.append(forged)
        for form in forms { _ = try s3.send(form.request(s3)) }
        server.stop()
        let written = server.log + server.journalFile
        for form in forms {
            for name in ["policy", "x-amz-signature", "signature", "x-amz-security-token"] {
                if let value = form[name] { #expect(!written.contains(value), "\(name)") }
            }
        }
        #expect(!written.contains("session/token+of==somebody"))
        #expect(written.contains("PostObject") && written.contains("SignatureDoesNotMatch"))
    }
}
