import ShoalAdminAPI
import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalServer
import ShoalWire
import Testing

/// Actions that have a part in the verdict about the sender.
@Suite struct `A rule about the sender` {
    @Test(arguments: WireStrike.possible(.revoke))
    func `revokes a key, which every later request of it finds unknown, until the rules are cleared`(
        strike: WireStrike
    ) throws {
        let struck = try StruckExchange(strike)
        let answers = [
            try struck.finish(), try struck.s3.send(struck.request), try struck.s3.get("other"),
            try struck.s3.send(struck.s3.form([("key", "a")], file: Array("x".utf8)).request(struck.s3)),
        ]
        for answer in answers {
            #expect(answer.status == 403 && answer.code == "InvalidAccessKeyId")
            #expect(answer.element("AWSAccessKeyId") == struck.s3.accessKey)
        }
        // Nobody has to take a key away from who shows none.
        #expect(try struck.s3.send(S3Call("GET", "photos", "a"), .none).code == "AccessDenied")
        #expect(try struck.admin.firings(of: struck.rule) == 1)
        #expect(try struck.admin.send("DELETE", "/rules").status == 204)
        #expect(try struck.s3.send(struck.request).status == 200)
    }

    @Test func `revokes one key and leaves the others of the scope`() throws {
        let server = try TestServer {
            $0.accounts = [
                Account(
                    accessKey: "other", secretKey: Secret("other-secret"), ownerID: String(repeating: "a", count: 64),
                    displayName: "Other")
            ]
        }
        let (s3, admin) = (S3Client(server), AdminClient(server))
        var other = s3
        (other.accessKey, other.secret) = ("other", "other-secret")
        try admin.arm("GetObject @auth 1*revoke per=rule")
        #expect(try other.get("a").code == "InvalidAccessKeyId")
        #expect(try s3.get("a").code == "NoSuchKey")
        #expect(try admin.send("POST", "/reset").status == 200)
        #expect(try other.get("a").code != "InvalidAccessKeyId")
    }

    @Test(arguments: WireStrike.possible(.pin))
    func `pins other values than were signed, and says so as S3 does`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 403 && answer.code == "SignatureDoesNotMatch")
        #expect(answer.element("AWSAccessKeyId") == struck.s3.accessKey)
        let canonical = answer.element("CanonicalRequest") ?? ""
        #expect(canonical.hasPrefix("\(strike.isUpload ? "PUT" : "GET")\n/photos/a\n"), "\(canonical)")
        #expect(answer.element("StringToSign")?.hasPrefix("AWS4-HMAC-SHA256\n") == true)
        let provided = try #require(struck.request.target.split(separator: "X-Amz-Signature=").last)
        #expect(answer.element("SignatureProvided") == String(provided))
        let isRefusal = { (event: JSON) in event.ev == "auth" && event["verdict"]?.string == "refused" }
        let refusal = try struck.admin.journal { $0.contains(where: isRefusal) }.first(where: isRefusal)
        #expect(refusal?["diagnosis"]?.string?.contains("for one of Content-Type \"image/png\"") == true)
        try struck.expect(stored: !strike.isUpload)
    }

    @Test(arguments: [
        ("pin(contentType=image/png)", "image/png", "x", true),
        ("pin(contentType=image/png)", "image/jpeg", "x", false),
        ("pin(contentLength=1)", "image/png", "x", true), ("pin(contentLength=1)", "image/png", "xy", false),
        ("pin(image/png,1)", "image/png", "x", true), ("pin(image/png,1)", "image/png", "xy", false),
        ("pin(checksum=AAAAAA==)", "image/png", "x", false), ("pin", "image/png", "x", false),
    ])
    func `lets pass who brings what is pinned`(action: String, type: String, body: String, passes: Bool) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let rule = try admin.arm("PutObject @auth \(action)")
        let call = S3Call("PUT", "photos", "a", headers: [("content-type", type)], body: body)
        for proof in [S3Client.Proof.header, .presigned(seconds: 60)] {
            let answer = try s3.send(call, proof)
            #expect(answer.status == (passes ? 200 : 403))
            if !passes { #expect(answer.element("CanonicalRequest")?.contains("content-type:\(type)\n") == true) }
        }
        let status = try admin.json("GET", "/rules/\(rule)")
        #expect(status["fired"]?.integer == (passes ? 0 : 2) && status["matched"]?.integer == (passes ? 0 : 2))
    }

    @Test func `pins temporary credentials too`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let answer = try AdminClient(server).send("POST", "/credentials", #"{"expiresIn":900}"#)
        let temporary = s3.with(try TemporaryKeys(decoding: answer.body))
        try AdminClient(server).arm("PutObject @auth pin(contentLength=5)")
        for proof in [S3Client.Proof.header, .presigned(seconds: 60)] {
            let call = S3Call("PUT", "photos", "a", body: "x")
            #expect(try temporary.send(call, proof).code == "SignatureDoesNotMatch")
        }
    }

    @Test(arguments: WireStrike.possible(.quota))
    func `answers what is above a quota in S3's form, and the connection goes on`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 403 && answer.code == "AccessDenied")
        #expect(answer["x-shoal-fault"] == "\(struck.rule) at auth")
        let next = try struck.s3.request(S3Call("GET", "films", "b"))
        #expect(try struck.s3.send(next, on: struck.connection).status == 404)
        try struck.admin.json("GET", "/objects")
    }

    @Test func `counts requests in windows of the scope's time`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        // Twelve seconds before midnight.
        let evening = Timestamp(seconds: 1_900_022_388)
        try admin.freeze(at: evening)
        let rule = try admin.arm("read @auth quota(requests=2/day)")
        func status(at time: Timestamp) throws -> Int { try s3.send(S3Call("GET", "photos", "a"), at: time).status }
        #expect(try (0..<4).map { _ in try status(at: evening) } == [404, 404, 503, 503])
        // Other operations do not count.
        #expect(try s3.send(S3Call("PUT", "photos", "b", body: "x"), at: evening).status == 200)
        #expect(try admin.firings(of: rule) == 2)
        try admin.json("PUT", "/clock", #"{"advance":"11s"}"#)
        #expect(try status(at: evening.adding(seconds: 11)) == 503)
        try admin.json("PUT", "/clock", #"{"advance":"1s"}"#)
        #expect(try (0..<3).map { _ in try status(at: evening.adding(seconds: 12)) } == [404, 404, 503])
    }

    @Test func `counts the bytes of what it lets pass, and of nothing else`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject @auth quota(bytes=10/day,then=AccessDenied)")
        let sizes = [6, 5, 4, 1, 0]
        let statuses = try sizes.map { try s3.put("a", String(repeating: "x", count: $0)).status }
        #expect(statuses == [200, 403, 200, 403, 200])
    }

    @Test func `has a quota in each scope`() throws {
        let server = try TestServer()
        let (one, two) = (try TestScope(server), try TestScope(server))
        for scope in [one, two] { try scope.admin.arm("any @auth quota(requests=1/day)") }
        #expect(try one.s3.put("a", "x").status == 200)
        #expect(try two.s3.put("a", "x").status == 200)
        #expect(try one.s3.put("a", "x").code == "SlowDown")
    }

    @Test(arguments: [
        ("any @auth quota", "'quota' needs 'requests' or 'bytes'"),
        ("any @auth quota(5)", "'requests' is so much in a time, such as 5/s"),
        ("any @auth quota(5/fortnight)", "'requests' is so much in a time"),
        ("any @auth quota(5/s,then=SlowDwn)", "no S3 error code is called 'SlowDwn'; the nearest is 'SlowDown'"),
        ("any @auth quota(5/8d)", "a quota is up to"),
        ("any @auth pin(contenttype=a)", "the nearest is 'contentType'"),
        ("PostObject @auth pin(contentType=a)", "a form has its conditions in its policy"),
        ("any @request.head revoke", "'revoke' acts where the sender is judged, which is 'auth', not 'request.head'"),
        ("any @auth quota(5/s)->reset", "nothing can follow 'quota'"),
        ("any @auth pass,pin", "is no step of a sequence"),
    ])
    func `that has no meaning is refused in words`(line: String, detail: String) throws {
        let answer = try AdminClient(try TestServer()).send("POST", "/rules", line)
        #expect(answer.status == 400 && answer.text.contains(detail), "\(answer.text)")
    }
}
