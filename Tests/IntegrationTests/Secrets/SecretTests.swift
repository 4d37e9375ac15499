import ShoalAdminAPI
import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalServer
import ShoalWire
import Testing

@Suite struct `No secret, signature, token or signed URL` {
    /// A server with its secrets, all requests of one run, and what was said about them.
    final class Run {
        let server: TestServer
        let secrets = Confidences()
        var errorBodies: [String] = []
        var adminAnswers: [String] = []

        static let secretKey = "do-not-say-this-secret-key"
        static let guestSecret = "nor-this-guest-secret-key"
        static let token = "and-not-the-admin-token"
        static let sessionToken = "session/token+of==somebody"

        init(_ format: ServeOptions.LogFormat, _ profile: ServeOptions.Profile) throws {
            server = try TestServer { options in
                options.logFormat = format
                options.profile = profile
                options.secretKey = Secret(Self.secretKey)
                options.adminToken = Secret(Self.token)
                options.accounts = [
                    Account(
                        accessKey: "guest", secretKey: Secret(Self.guestSecret),
                        ownerID: String(repeating: "ab", count: 32), displayName: "Guest")
                ]
            }
            for text in [Self.secretKey, Self.guestSecret, Self.token, Self.sessionToken] { secrets.add(text) }
        }

        var s3: S3Client {
            var client = S3Client(server)
            client.secret = Self.secretKey
            return client
        }

        /// A form, which carries in its body what others carry in their heads.
        func sendForm(_ request: WireRequest) {
            let body = String(decoding: request.body, as: UTF8.self)
            for name in ["signature", "x-amz-signature"] {
                let mark = "name=\"\(name)\"\r\n\r\n"
                secrets.add(body.split(separator: mark).dropFirst().first.map { String($0.prefix { $0 != "\r\n" }) })
            }
            send(request)
        }

        func send(_ request: WireRequest) {
            secrets.add(request)
            let connection = server.connection
            connection.send(request.bytes)
            guard let answer = connection.receiveResponse(toHead: request.method == "HEAD"), answer.status >= 400 else {
                return
            }
            errorBodies.append(Self.withoutOwnWords(answer))
        }

        /// S3 itself repeats what was provided in these elements, to whoever provided it.
        private static func withoutOwnWords(_ answer: WireResponse) -> String {
            var text = answer.text
            for name in ["SignatureProvided", "ArgumentValue", "StringToSign", "CanonicalRequest", "Token-0"] {
                if let content = answer.element(name) { text = text.replacing(content, with: "") }
            }
            return text
        }

        @discardableResult
        func admin(_ method: String, _ path: String, _ body: String = "", isMint: Bool = false) throws -> WireResponse {
            let target = path.hasPrefix("/_shoal") ? path : "/_shoal/v1/scopes/default" + path
            var request = WireRequest(
                method: method, target: target, host: "127.0.0.1:\(server.adminPort)",
                headers: [("Authorization", "Bearer " + Self.token)], body: Array(body.utf8))
            if !body.isEmpty { request["Content-Length"] = String(request.body.count) }
            let connection = server.adminConnection
            connection.send(request.bytes)
            let answer = try #require(connection.receiveResponse())
            if !isMint { adminAnswers.append(answer.text) }
            return answer
        }
    }

    @Test(arguments: ServeOptions.LogFormat.allCases, ServeOptions.Profile.allCases)
    func `is in the log, the journal, an admin answer or an error`(
        format: ServeOptions.LogFormat, profile: ServeOptions.Profile
    ) throws {
        let run = try Run(format, profile)
        try accepted(run)
        try refused(run)
        try struck(run)
        try administered(run)
        try temporary(run)
        for path in ["/rules", "/objects", "/journal?limit=10000", "/journal?limit=10000&format=ndjson", "/clock"] {
            try run.admin("GET", path)
        }
        run.server.stop()
        #expect(run.secrets.count > 40)
        #expect(run.secrets.found(in: run.server.log).isEmpty)
        let journal = run.server.journalFile
        #expect(journal.utf8.count > 10_000)
        #expect(run.secrets.found(in: journal).isEmpty)
        for answer in run.adminAnswers { #expect(run.secrets.found(in: answer).isEmpty, "\(answer)") }
        #expect(run.errorBodies.count > (profile == .strict ? 20 : 8))
        for body in run.errorBodies { #expect(run.secrets.found(in: body).isEmpty, "\(body)") }
        // The search itself works: what is no secret is found.
        #expect(journal.contains("\"key\":\"a.jpg\"") && run.server.log.contains("fault"))
    }

    private func accepted(_ run: Run) throws {
        let s3 = run.s3
        run.send(try s3.request(S3Call("PUT", "photos", "a.jpg", body: "jpg")))
        run.send(try s3.request(S3Call("PUT", "photos", "a.jpg", body: "jpg"), .presigned(seconds: 60)))
        for method in ["GET", "HEAD", "DELETE"] {
            run.send(try s3.request(S3Call(method, "photos", "a.jpg")))
            run.send(try s3.request(S3Call(method, "photos", "a.jpg"), .presigned(seconds: 60)))
        }
        run.send(try s3.request(S3Call("GET")))
        run.send(try s3.request(S3Call("GET", "photos", query: [("list-type", "2")]), .presigned(seconds: 60)))
        run.send(try s3.request(S3Call("PUT", "trips")))
        run.send(
            try s3.request(
                S3Call("PUT", "photos", "a.jpg", unsigned: [("Cookie", "session=chocolate-chip")], body: "x")))
        run.send(
            try ChunkedUpload(isSigned: true, trailer: (.crc32, `A checksum`.value(.crc32, pattern(20)))).request(
                s3, "a.jpg", pattern(20)))
    }

    private func refused(_ run: Run) throws {
        let s3 = run.s3
        let upload = S3Call("PUT", "photos", "b.jpg", headers: [("Content-Type", "image/jpeg")], body: "jpg")
        let good = try s3.request(upload, .presigned(seconds: 60))
        var changes: [WireRequest] = []
        func vary(_ change: (inout WireRequest) -> Void) {
            var request = good
            change(&request)
            changes.append(request)
        }
        vary { $0["Content-Type"] = "image/png" }
        vary { $0.target += "&x=y" }
        vary { $0.target += "&X-Amz-Security-Token=session/token+of==somebody" }
        vary { $0.headers.append(("Authorization", "Bearer sesame-open-the-door")) }
        vary { $0.headers.append(("x-amz-meta-a", "b")) }
        vary { $0.target = $0.target.replacing("X-Amz-Expires=60", with: "X-Amz-Expires=x") }
        vary { $0.target = $0.target.replacing("us-east-1", with: "") }
        vary { $0.target = $0.target.replacing("X-Amz-Date", with: "X-Amz-Dat") }
        vary { $0.target = $0.target.replacing("/photos/b", with: "/%zz/b") }
        vary { $0.target = $0.target.replacing("/photos/", with: "/PHOTOS/") }
        vary { $0.method = "DELETE" }
        vary { $0.method = "TRACE" }
        vary { $0["Content-Length"] = nil }
        vary { $0.host = "elsewhere.example" }
        vary { $0.target += " nonsense" }
        vary { $0.headers.append(("Transfer-Encoding", "gzip")) }
        changes.append(try s3.request(upload, .presigned(seconds: 60), at: S3Client.now.adding(seconds: -120)))
        changes.append(try s3.request(upload, .presigned(seconds: 60), at: S3Client.now.adding(seconds: 7_200)))
        changes.append(try s3.request(upload, at: S3Client.now.adding(seconds: -3_600)))
        for (accessKey, secret) in [
            ("nobody", "x"), ("shoal", Run.guestSecret), ("guest", Run.secretKey), ("guest", Run.guestSecret),
        ] {
            var forger = s3
            (forger.accessKey, forger.secret) = (accessKey, secret)
            changes.append(try forger.request(upload))
            changes.append(try forger.request(upload, .presigned(seconds: 60)))
        }
        var chunked = ChunkedUpload(isSigned: true)
        chunked.hasBadChunk = true
        changes.append(try chunked.request(s3, "c", pattern(20)))
        var header = try s3.request(upload)
        header["Authorization"] = header["Authorization"]?.replacing("SignedHeaders=", with: "SignedHeaderz=")
        changes.append(header)
        header["Authorization"] = "AWS guest:c2lnbmF0dXJlLW9mLXYy"
        changes.append(header)
        header["Authorization"] = "Basic dXNlcjpwYXNzd29yZA=="
        changes.append(header)
        changes.append(
            WireRequest(
                method: "GET", target: "/photos/a?AWSAccessKeyId=shoal&Expires=1&Signature=c2lnbmF0dXJlLW9mLXYy",
                host: s3.host, headers: [], body: []))
        for request in changes { run.send(request) }
    }

    private func struck(_ run: Run) throws {
        let s3 = run.s3
        for action in ["reset", "close", "expire", "SlowDown", "delay(1ms)"] {
            try run.admin("PUT", "/rules", "any @auth 1*\(action)")
            run.send(try s3.request(S3Call("PUT", "photos", "d", body: "x"), .presigned(seconds: 60)))
            run.send(try s3.request(S3Call("GET", "photos", "d")))
        }
        try run.admin("DELETE", "/rules")
    }

    /// Temporary credentials, good, expired, mixed up and cut, with everything that is made of them.
    private func temporary(_ run: Run) throws {
        let minted = try run.admin("POST", "/credentials", #"{"expiresIn":60}"#, isMint: true)
        let keys = [
            try TemporaryKeys(decoding: minted.body),
            try run.s3.securityToken(action: "GetSessionToken").credentials(),
        ]
        for key in keys {
            for text in [key.secretAccessKey, key.sessionToken, AdminPath.segment(key.sessionToken)] {
                run.secrets.add(text)
            }
        }
        func use(_ client: S3Client) throws {
            for carrier in TokenCarrier.allCases {
                let request = try carrier.request(client)
                // The policy of a form is no secret to whoever sends it, and holds its token.
                if carrier == .formV4 || carrier == .formV2 {
                    run.sendForm(request)
                } else {
                    run.send(request)
                }
            }
            run.send(try client.securityToken("Action=GetCallerIdentity&Version=2011-06-15"))
            let url = try client.request(S3Call("GET", "photos", "a"), .presigned(seconds: 600))
            let explain: JSON = ["method": "GET", "url": .string(run.server.url + url.target), "headers": [:]]
            try run.admin("POST", "/_shoal/v1/explain", explain.text)
        }
        let own = run.s3.with(keys[0])
        for client in [own, own.with(token: keys[1].sessionToken), own.with(token: nil)] { try use(client) }
        var mixed = run.s3
        mixed.sessionToken = keys[0].sessionToken
        try use(mixed)
        try run.admin("PUT", "/clock", #"{"offset":"+10m"}"#)
        try use(own)
        try run.admin("PUT", "/clock", #"{"offset":0}"#)
    }

    private func administered(_ run: Run) throws {
        for defect in ["", "expired", "wrong-secret", "wrong-host", "wrong-method", "not-yet-valid"] {
            let more = defect.isEmpty ? "" : #","defect":"\#(defect)""#
            let minted = try run.admin(
                "POST", "/urls", #"{"method":"PUT","bucket":"photos","key":"e","expires":60\#(more)}"#, isMint: true)
            let url = try #require(try JSONParser.parse(minted.body)["url"]?.string)
            #expect(!url.contains(Run.secretKey))
            run.secrets.add(url)
            let request = WireRequest(
                method: "PUT", target: String(url.dropFirst(run.server.url.count)), host: run.s3.host,
                headers: [("Content-Length", "1")], body: Array("x".utf8))
            run.send(request)
            let explain: JSON = ["method": "PUT", "url": .string(url), "headers": [:]]
            try run.admin("POST", "/_shoal/v1/explain", explain.text)
        }
        let signed = try run.s3.request(S3Call("GET", "photos", "e"))
        let headers = signed.headers.map { JSON.Member($0.name, .string($0.value + "0")) }
        run.secrets.add(signed)
        let explain: JSON = [
            "method": "GET", "url": .string(run.server.url + signed.target), "headers": .object(headers),
        ]
        try run.admin("POST", "/_shoal/v1/explain", explain.text)
        try run.admin(
            "POST", "/_shoal/v1/explain", #"{"method":"GET","url":"http://h/?X-Amz-Signature=0123456789abcdef"}"#)
        try run.admin("POST", "/_shoal/v1/explain", "{}")
    }
}
