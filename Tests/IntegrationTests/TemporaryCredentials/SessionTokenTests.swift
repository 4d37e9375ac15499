import ShoalAdminAPI
import ShoalCrypto
import ShoalS3
import ShoalServer
import ShoalSigV4
import ShoalWire
import Testing

/// Every way in which a request can carry a session token.
enum TokenCarrier: CaseIterable {
    case headerV4, queryV4, headerV2, queryV2, formV4, formV2

    /// A request for the object `a`, or a form that puts it.
    func request(_ s3: S3Client, at now: Timestamp = S3Client.now) throws -> WireRequest {
        switch self {
        case .headerV4: return try s3.request(S3Call("GET", "photos", "a"), at: now)
        case .queryV4: return try s3.request(S3Call("GET", "photos", "a"), .presigned(seconds: 86_400), at: now)
        case .headerV2:
            var request = WireRequest(
                method: "GET", target: "/photos/a", host: s3.host, headers: [("Date", now.httpDate)], body: [])
            if let token = s3.sessionToken { request["x-amz-security-token"] = token }
            request["Authorization"] = "AWS \(s3.accessKey):\(signatureV2(s3, date: now.httpDate))"
            return request
        case .queryV2:
            let expires = String(now.seconds + 86_400)
            var query = [
                ("AWSAccessKeyId", s3.accessKey), ("Expires", expires), ("Signature", signatureV2(s3, date: expires)),
            ]
            // As botocore spells it here.
            if let token = s3.sessionToken { query.append(("x-amz-security-token", token)) }
            let text = query.map { "\($0.0)=\(AdminPath.segment($0.1))" }.joined(separator: "&")
            return WireRequest(method: "GET", target: "/photos/a?" + text, host: s3.host, headers: [], body: [])
        case .formV4, .formV2:
            let token = s3.sessionToken.map { [("x-amz-security-token", $0)] } ?? []
            return s3.form([("key", "a")] + token, version: self == .formV4 ? .v4 : .v2, lifetime: 86_400, at: now)
                .request(s3)
        }
    }

    private func signatureV2(_ s3: S3Client, date: String) -> String {
        let token = s3.sessionToken.map { "x-amz-security-token:\($0)\n" } ?? ""
        return Base64.string(HMAC.sha1(key: s3.secret.utf8, Array("GET\n\n\n\(date)\n\(token)/photos/a".utf8)))
    }

    var success: Int { self == .formV4 || self == .formV2 ? 204 : 200 }
}

@Suite struct `A session token` {
    @Test(arguments: TokenCarrier.allCases)
    func `lets its holder in, and nobody else`(carrier: TokenCarrier) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let own = try s3.temporary(expiresIn: 900)
        let others = try s3.temporary(expiresIn: 900)
        func answer(_ client: S3Client) throws -> WireResponse { try client.send(try carrier.request(client)) }
        #expect(try answer(own).status == carrier.success)

        let without = try answer(own.with(token: nil))
        #expect(without.status == 403 && without.code == "InvalidAccessKeyId")
        #expect(without.element("Message") == "The AWS Access Key Id you provided does not exist in our records.")
        #expect(without.element("AWSAccessKeyId") == own.accessKey)

        // Garbage, another's token, and a permanent key with one.
        for client in [own.with(token: "garbage/+="), own.with(token: others.sessionToken), s3.with(token: "garbage")] {
            let refused = try answer(client)
            #expect(refused.status == 400 && refused.code == "InvalidToken", "\(refused.text)")
            #expect(refused.element("Message") == "The provided token is malformed or otherwise invalid.")
            #expect(refused.element("Token-0") == client.sessionToken)
        }
        var stranger = own
        stranger.secret = others.secret
        let forged = try answer(stranger)
        #expect(forged.status == 403 && forged.code == "SignatureDoesNotMatch")
    }

    /// amplify-swift#1259, amplify-android#2651: not the answer of a URL that has expired.
    @Test(arguments: TokenCarrier.allCases)
    func `expires by the scope's clock, whatever the life of a URL`(carrier: TokenCarrier) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try s3.put("a", "x")
        let instant = Timestamp(seconds: 1_750_000_000)
        try admin.freeze(at: instant)
        let own = try s3.temporary(expiresIn: 60)
        let request = try carrier.request(own, at: instant)
        try admin.freeze(at: instant.adding(milliseconds: 59_999))
        #expect(try own.send(request).status == carrier.success)
        try admin.freeze(at: instant.adding(seconds: 60))
        let expired = try own.send(request)
        #expect(expired.status == 400 && expired.code == "ExpiredToken")
        #expect(expired.element("Message") == "The provided token has expired.")
        #expect(expired.element("Token-0") == own.sessionToken)
        // The clock put back, nothing has happened.
        try admin.freeze(at: instant)
        #expect(try own.send(request).status == carrier.success)
    }

    @Test func `expires on the machine's own time as well`() throws {
        let server = try TestServer()
        let own = try S3Client(server).temporary(expiresIn: 3_600)
        let request = try own.request(S3Call("HEAD", "photos"), .presigned(seconds: 86_400))
        #expect(try own.send(request).status == 200)
        try AdminClient(server).json("PUT", "/clock", #"{"offset":"+61m"}"#)
        #expect(try own.send(request).status == 400)
        let get = try own.request(S3Call("GET", "photos"), .presigned(seconds: 86_400))
        #expect(try own.send(get).code == "ExpiredToken")
    }

    @Test func `is refused as a header or a parameter that the signature does not cover`() throws {
        let server = try TestServer()
        let own = try S3Client(server).temporary(expiresIn: 60)
        var request = try own.with(token: nil).request(S3Call("GET", "photos"), .presigned(seconds: 60))
        request["x-amz-security-token"] = own.sessionToken
        #expect(try own.send(request).element("HeadersNotSigned") == "x-amz-security-token")
        var query = try own.with(token: nil).request(S3Call("GET", "photos"), .presigned(seconds: 60))
        query.target += "&X-Amz-Security-Token=" + AdminPath.segment(try #require(own.sessionToken))
        #expect(try own.send(query).code == "SignatureDoesNotMatch")
    }

    /// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
    @Test func `in a form needs a condition of its policy`() throws {
        let server = try TestServer()
        let own = try S3Client(server).temporary(expiresIn: 60)
        var form = own.form([("key", "a")])
        form["x-amz-security-token"] = own.sessionToken
        let refused = try own.send(form.request(own))
        #expect(refused.status == 403)
        #expect(refused.element("Message")?.hasSuffix("Extra input fields: x-amz-security-token") == true)
        #expect(try !S3Client(server).has("a"))
    }

    @Test func `acts for the account that it was made for`() throws {
        let server = try TestServer { options in
            options.accounts = [
                Account(
                    accessKey: "guest", secretKey: Secret("guest-secret"), ownerID: String(repeating: "ab", count: 32),
                    displayName: "Guest")
            ]
        }
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let (own, guest) = (try s3.temporary(expiresIn: 60), try s3.temporary(expiresIn: 60, of: "guest"))
        #expect(try own.send(S3Call("GET", "photos", "a")).text == "x")
        #expect(try guest.send(S3Call("GET", "photos", "a")).code == "AccessDenied")
        let list = try guest.send(S3Call("GET"))
        #expect(list.element("ID") == String(repeating: "ab", count: 32))
        // Uploads with signed chunks are chained to the temporary secret.
        let upload = try ChunkedUpload(isSigned: true).request(own, "chunked", pattern(20))
        #expect(try own.send(upload).status == 200)
    }

    @Test func `is kept nowhere: another server with the same secret takes it, one with a new secret does not`() throws
    {
        let (first, restarted) = (try TestServer(), try TestServer())
        let own = try S3Client(first).temporary(expiresIn: 60)
        var client = S3Client(restarted)
        (client.accessKey, client.secret, client.sessionToken) = (own.accessKey, own.secret, own.sessionToken)
        #expect(try client.send(S3Call("GET", "photos")).status == 200)
        let rotated = try TestServer { $0.secretKey = Secret("a new secret of the same key") }
        var late = S3Client(rotated)
        (late.accessKey, late.secret, late.sessionToken) = (own.accessKey, own.secret, own.sessionToken)
        #expect(try late.send(S3Call("GET", "photos")).code == "InvalidToken")
    }

    @Test func `is explained in words`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let own = try s3.temporary(expiresIn: 60)
        func summary(_ client: S3Client) throws -> String {
            let request = try client.request(S3Call("GET", "photos", "a"), .presigned(seconds: 3_600))
            let body = ExplainRequest(method: "GET", url: server.url + request.target, headers: []).bytes
            let text = String(decoding: body, as: UTF8.self)
            return try admin.json("POST", "/_shoal/v1/explain", text)["summary"]?.string ?? ""
        }
        #expect(try summary(own).contains("good"))
        #expect(try summary(own.with(token: nil)).contains("carries no session token"))
        #expect(try summary(s3.with(token: own.sessionToken)).contains("is permanent"))
        let other = try s3.temporary(expiresIn: 60)
        #expect(try summary(own.with(token: other.sessionToken)).contains("it belongs to \(other.accessKey)"))
        let url = try own.request(S3Call("GET", "photos", "a"), .presigned(seconds: 3_600))
        try admin.json("PUT", "/clock", #"{"offset":"+2m"}"#)
        #expect(try own.send(url).code == "ExpiredToken")
        let events = try admin.journal { events in
            events.contains { $0.ev == "auth" && $0["diagnosis"]?.string?.contains("has expired") == true }
        }
        #expect(!events.isEmpty)
    }
}

@Suite struct `A wish for temporary credentials` {
    @Test(arguments: [
        ("{}", "the member 'expiresIn' is missing"), (#"{"expiresIn":0}"#, "1 to 129600 seconds"),
        (#"{"expiresIn":129601}"#, "1 to 129600 seconds"), (#"{"expiresIn":"15m"}"#, "a whole number is due"),
        (#"{"expiresIn":60,"accessKey":"nobody"}"#, "'nobody' is no access key of this scope"),
        (#"{"expiresIn":60,"key":"shoal"}"#, "there is no member 'key'"), ("", ""),
    ])
    func `is refused in words`(body: String, words: String) throws {
        let server = try TestServer()
        let answer = try AdminClient(server).send("POST", "/credentials", body)
        #expect(answer.status == 400)
        #expect(answer.text.contains(words), "\(answer.text)")
    }
}
