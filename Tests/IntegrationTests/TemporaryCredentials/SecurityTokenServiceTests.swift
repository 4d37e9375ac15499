import ShoalAdminAPI
import ShoalS3
import ShoalServer
import ShoalWire
import Testing

@Suite struct `The Security Token Service` {
    private static let role = "&RoleArn=arn:aws:iam::000000000000:role/team/uploader&RoleSessionName=phone"

    @Test(arguments: ["GetSessionToken", "AssumeRole"])
    func `hands out credentials that S3 takes until they expire`(action: String) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let instant = Timestamp(seconds: 1_750_000_000)
        try admin.freeze(at: instant)
        let parameters = (action == "AssumeRole" ? Self.role : "") + "&DurationSeconds=900"
        let answer = try s3.securityToken(action: action, parameters, at: instant)
        #expect(answer.status == 200 && answer["Content-Type"] == "text/xml")
        #expect(answer["Cache-Control"] == "no-store")
        let keys = try answer.credentials()
        #expect(keys.accessKeyId.hasPrefix("ASIA"))
        #expect(keys.expiration == instant.adding(seconds: 900).iso8601Seconds)
        let own = s3.with(keys)
        #expect(try own.send(S3Call("PUT", "photos", "a", body: "x"), at: instant).status == 200)
        try admin.freeze(at: instant.adding(seconds: 900))
        #expect(try own.send(S3Call("GET", "photos", "a"), at: instant).code == "ExpiredToken")
        #expect(
            try own.securityToken(action: "GetCallerIdentity", at: instant).element("Code") == "ExpiredToken")
    }

    @Test func `knows who asks`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let own = try s3.securityToken(action: "GetCallerIdentity")
        #expect(own.element("Arn") == "arn:aws:iam::000000000000:root")
        #expect(own.element("Account") == "000000000000" && own.element("UserId") == "shoal")
        let session = s3.with(try s3.securityToken(action: "GetSessionToken").credentials())
        #expect(try session.securityToken(action: "GetCallerIdentity").element("UserId") == "shoal")
        let answer = try s3.securityToken(action: "AssumeRole", Self.role)
        let arn = "arn:aws:sts::000000000000:assumed-role/uploader/phone"
        #expect(answer.element("Arn") == arn)
        let identity = try s3.with(try answer.credentials()).securityToken(action: "GetCallerIdentity")
        #expect(identity.element("Arn") == arn)
        #expect(identity.element("UserId") == answer.element("AssumedRoleId"))
    }

    @Test func `is told from ListBuckets by action and version`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let anonymous = WireRequest(
            method: "GET", target: "/?Action=GetCallerIdentity&Version=2011-06-15", host: s3.host, headers: [], body: []
        )
        let refused = try s3.send(anonymous)
        #expect(refused.status == 403 && refused.element("Code") == "MissingAuthenticationToken")
        // S3 knows no such parameter, and ignores it.
        let list = try s3.send(S3Call("GET", query: [("Action", "GetCallerIdentity")]))
        #expect(list.text.contains("<ListAllMyBucketsResult"))
    }

    @Test func `refuses what is signed for S3, by a stranger, wrongly, or with a body that was changed`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = "Action=GetSessionToken&Version=2011-06-15"
        func answer(_ client: S3Client, _ service: String = "sts", at now: Timestamp = S3Client.now) throws -> String {
            let answer = try client.send(try client.securityToken(body, service: service, at: now))
            #expect(answer.status == 403 && answer.element("Type") == "Sender")
            return answer.element("Code") ?? ""
        }
        #expect(try answer(s3, "s3") == "SignatureDoesNotMatch")
        #expect(try answer(s3, at: S3Client.now.adding(seconds: -1_000)) == "SignatureDoesNotMatch")
        var other = s3
        other.secret = "guess"
        #expect(try answer(other) == "SignatureDoesNotMatch")
        other.accessKey = "nobody"
        #expect(try answer(other) == "InvalidClientTokenId")
        #expect(try answer(s3.with(token: "garbage")) == "InvalidClientTokenId")
        #expect(try answer(try s3.temporary(expiresIn: 60).with(token: nil)) == "InvalidClientTokenId")
        var changed = try s3.securityToken(body)
        changed.body[0] ^= 1
        #expect(try s3.send(changed).element("Code") == "SignatureDoesNotMatch")
    }

    @Test(arguments: [
        ("GetSessionToken", "&DurationSeconds=899", 400, "ValidationError"),
        ("GetSessionToken", "&DurationSeconds=129601", 400, "ValidationError"),
        ("GetSessionToken", "&SerialNumber=a&TokenCode=123456", 501, "NotImplemented"),
        ("AssumeRole", role + "&DurationSeconds=43201", 400, "ValidationError"),
        ("AssumeRole", role + "&Policy=%7B%22Version%22%3A%222012-10-17%22%7D", 501, "NotImplemented"),
        ("AssumeRole", role + "&Tags.member.1.Key=a&Tags.member.1.Value=b", 501, "NotImplemented"),
        ("AssumeRole", "&RoleArn=arn:aws:iam::123456789012:role/a&RoleSessionName=ab", 403, "AccessDenied"),
        ("AssumeRole", "&RoleSessionName=ab", 400, "ValidationError"),
        ("GetFederationToken", "&Name=ab", 501, "NotImplemented"), ("Dance", "", 400, "InvalidAction"),
        ("GetSessionToken", "&a=%zz", 400, "MalformedQueryString"),
    ])
    func `says what is wrong with a request that is signed`(
        action: String, parameters: String, status: Int, code: String
    ) throws {
        let server = try TestServer()
        let answer = try S3Client(server).securityToken(action: action, parameters)
        #expect(answer.status == status && answer.element("Code") == code, "\(answer.text)")
        #expect(answer.element("AccessKeyId") == nil)
    }

    @Test func `gives a session no other session without a role, and a role's session an hour at most`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let session = s3.with(try s3.securityToken(action: "GetSessionToken").credentials())
        let refused = try session.securityToken(action: "GetSessionToken")
        #expect(refused.status == 403)
        #expect(refused.element("Message") == "Cannot call GetSessionToken with session credentials")
        let role = s3.with(
            try session.securityToken(action: "AssumeRole", Self.role + "&DurationSeconds=43200").credentials())
        #expect(try role.securityToken(action: "AssumeRole", Self.role + "&DurationSeconds=3601").status == 400)
        let chained = s3.with(try role.securityToken(action: "AssumeRole", Self.role).credentials())
        #expect(try chained.send(S3Call("GET", "photos")).status == 200)
    }

    @Test func `does not take a body of any length`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let body = "Action=GetSessionToken&Version=2011-06-15&a=" + String(repeating: "b", count: 200_000)
        let answer = try s3.send(try s3.securityToken(body))
        #expect(answer.status == 400 && answer.element("Code") == "MalformedQueryString")
    }

    @Test func `is no part of a bucket's host, where a form is posted`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        var request = try s3.securityToken("Action=GetSessionToken&Version=2011-06-15")
        request.host = "photos.s3.localhost:\(server.port)"
        #expect(try s3.send(request).status == 412)
    }

    @Test func `lets a refusal pass in the lenient profile, for the first account`() throws {
        let server = try TestServer { $0.profile = .lenient }
        let s3 = S3Client(server)
        var other = s3
        other.secret = "guess"
        let keys = try other.securityToken(action: "GetSessionToken").credentials()
        #expect(try s3.with(keys).send(S3Call("GET", "photos")).status == 200)
        server.stop()
        #expect(server.log.contains("AWS would have said: 403 SignatureDoesNotMatch"))
    }

    @Test func `is in the journal, without a secret`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let keys = try s3.securityToken(action: "GetSessionToken").credentials()
        let events = try AdminClient(server).journal { events in events.contains { $0.ev == "response.end" } }
        #expect(events.map(\.ev) == ["request.head", "auth", "note", "response.head", "response.end"])
        server.stop()
        for text in [server.journalFile, server.log] {
            #expect(!text.contains(keys.secretAccessKey) && !text.contains(keys.sessionToken))
        }
    }
}
