import ShoalCrypto
import ShoalS3
import ShoalWire
import Testing

@Suite struct `A locked version` {
    /// A client of a server with a bucket `vault` whose versions can be locked.
    private func vault() throws -> S3Client {
        let s3 = S3Client(try TestServer())
        let lock = ("x-amz-bucket-object-lock-enabled", "true")
        #expect(try s3.send(S3Call("PUT", "vault", headers: [lock])).status == 200)
        return s3
    }

    private func call(
        _ method: String, _ query: [(String, String)] = [], headers: [WireRequest.Field] = [], _ body: String = ""
    ) -> S3Call { S3Call(method, "vault", "a", query: query, headers: headers, body: body) }

    private func call(_ method: String, _ body: String) -> S3Call { call(method, [], body) }

    private func call(_ method: String, headers: [WireRequest.Field], _ body: String) -> S3Call {
        call(method, [], headers: headers, body)
    }

    private static let md5OfX = ("Content-MD5", "ndTkYSaMgDT1yFZOFVxnpg==")
    private static let bypass = ("x-amz-bypass-governance-retention", "true")

    private func lock(_ mode: String, days: Int64) -> [WireRequest.Field] { lock(mode, until: date(days)) }

    private func lock(_ mode: String, until date: String) -> [WireRequest.Field] {
        [("x-amz-object-lock-mode", mode), ("x-amz-object-lock-retain-until-date", date), Self.md5OfX]
    }

    private func date(_ days: Int64) -> String { S3Client.now.adding(seconds: days * 86_400).iso8601Seconds }

    private func retention(_ mode: String, days: Int64) -> String { retention(mode, until: date(days)) }

    private func retention(_ mode: String, until date: String) -> String {
        "<Retention><Mode>\(mode)</Mode><RetainUntilDate>\(date)</RetainUntilDate></Retention>"
    }

    @Test func `says so to its readers and is not deleted`() throws {
        let s3 = try vault()
        let end = date(1)
        let written = try s3.send(call("PUT", headers: lock("COMPLIANCE", until: end), "x"))
        let version = try #require(written["x-amz-version-id"])
        for method in ["GET", "HEAD"] {
            let read = try s3.send(call(method))
            #expect(read["x-amz-object-lock-mode"] == "COMPLIANCE" && read["x-amz-object-lock-legal-hold"] == nil)
            #expect(read["x-amz-object-lock-retain-until-date"]?.prefix(19) == end.prefix(19))
        }
        for headers in [[], [Self.bypass]] {
            let refused = try s3.send(call("DELETE", [("versionId", version)], headers: headers))
            #expect(refused.status == 403 && refused.code == "AccessDenied")
            #expect(refused.element("Message") == "Access Denied because object protected by object lock.")
        }
        let marker = try s3.send(call("DELETE"))
        #expect(marker.status == 204 && marker["x-amz-delete-marker"] == "true")
        #expect(try s3.send(call("PUT", "y")).status == 200)
        #expect(try s3.send(call("GET", [("versionId", version)])).text == "x")
    }

    @Test func `of governance goes with a bypass, also among others`() throws {
        let s3 = try vault()
        let versions = try (0..<2).map { _ in
            try #require(try s3.send(call("PUT", headers: lock("GOVERNANCE", days: 1), "x"))["x-amz-version-id"])
        }
        func delete(_ headers: [WireRequest.Field]) throws -> WireResponse {
            let items = versions.map { "<Object><Key>a</Key><VersionId>\($0)</VersionId></Object>" }.joined()
            let body = "<Delete>\(items)</Delete>"
            let digest = ("Content-MD5", Base64.string(Digest.of(Array(body.utf8), .md5)))
            return try s3.send(
                S3Call("POST", "vault", query: [("delete", "")], headers: headers + [digest], body: body))
        }
        let refused = try delete([])
        #expect(refused.text.components("Code") == ["AccessDenied", "AccessDenied"])
        #expect(try s3.send(call("DELETE", [("versionId", versions[0])], headers: [Self.bypass])).status == 204)
        #expect(try delete([Self.bypass]).text.components("VersionId") == versions)
        #expect(try s3.send(call("GET")).status == 404)
    }

    @Test func `is kept longer by anybody, and shorter with a bypass only`() throws {
        let s3 = try vault()
        try s3.send(call("PUT", headers: lock("GOVERNANCE", days: 5), "x"))
        let query = [("retention", "")]
        #expect(try s3.send(call("PUT", query, retention("GOVERNANCE", days: 9))).status == 200)
        for body in [retention("GOVERNANCE", days: 2), retention("COMPLIANCE", days: 9), "<Retention/>"] {
            let refused = try s3.send(call("PUT", query, body))
            #expect(refused.status == 403 && refused.code == "AccessDenied")
        }
        #expect(try s3.send(call("GET", query)).element("Mode") == "GOVERNANCE")
        let stricter = try s3.send(call("PUT", query, headers: [Self.bypass], retention("COMPLIANCE", days: 2)))
        #expect(stricter.status == 200)
        for body in [retention("GOVERNANCE", days: 9), retention("COMPLIANCE", days: 1), "<Retention/>"] {
            #expect(try s3.send(call("PUT", query, headers: [Self.bypass], body)).status == 403)
        }
        let end = date(3)
        #expect(try s3.send(call("PUT", query, retention("COMPLIANCE", until: end))).status == 200)
        #expect(try s3.send(call("GET", query)).element("RetainUntilDate")?.prefix(19) == end.prefix(19))
    }

    /// The head is taken, and its bucket looked at, before the lock; the list comes after it.
    @Test func `is not deleted by a request that began before it was locked`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.keepVersions()
        let version = try #require(try s3.put("a", "x")["x-amz-version-id"])
        let body = "<Delete><Object><Key>a</Key><VersionId>\(version)</VersionId></Object></Delete>"
        let digest = ("Content-MD5", Base64.string(Digest.of(Array(body.utf8), .md5)))
        let request = try s3.request(
            S3Call(
                "POST", "photos", query: [("delete", "")], headers: [digest], unsigned: [("Expect", "100-continue")],
                body: body))
        let connection = server.connection
        connection.send(request.head)
        #expect(connection.receiveResponse()?.status == 100)
        let configuration =
            "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>"
        #expect(
            try s3.send(S3Call("PUT", "photos", query: [("object-lock", "")], body: configuration)).status == 200)
        let locked = S3Call("PUT", "photos", "a", query: [("retention", "")], body: retention("COMPLIANCE", days: 1))
        #expect(try s3.send(locked).status == 200)
        connection.send(request.body)
        #expect(connection.receiveResponse()?.text.contains("<Code>AccessDenied</Code>") == true)
        #expect(try s3.send(S3Call("GET", "photos", "a", query: [("versionId", version)])).text == "x")
    }

    /// Once the answer to a configuration is there, it counts for whatever ends later.
    @Test func `gets the retention that was put while its bytes came`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.keepVersions()
        let upload = try s3.begin("parts")
        let part = try s3.part(1, Array("x".utf8), of: upload, "parts")
        let request = try s3.request(
            S3Call("PUT", "photos", "a", unsigned: [("Expect", "100-continue")], body: "hello"))
        let connection = server.connection
        connection.send(request.head)
        #expect(connection.receiveResponse()?.status == 100)
        let configuration = S3Call(
            "PUT", "photos", query: [("object-lock", "")], body: `A bucket with object lock`.configuration)
        #expect(try s3.send(configuration).status == 200)
        connection.send(request.body)
        #expect(connection.receiveResponse()?.status == 200)
        #expect(try s3.complete(upload, "parts", [(1, part)]).status == 200)
        for key in ["a", "parts"] {
            #expect(try s3.send(S3Call("HEAD", "photos", key))["x-amz-object-lock-mode"] == "GOVERNANCE", "\(key)")
        }
    }

    /// The user guide's keys: "Setting limits on retention periods".
    @Test func `can be limited by the bucket's policy`() throws {
        let s3 = try vault()
        let policy = """
            {"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:PutObject",\
            "Resource":"arn:aws:s3:::vault/*","Condition":{"NumericGreaterThan":\
            {"s3:object-lock-remaining-retention-days":"10"}}},{"Effect":"Deny","Principal":"*","Action":"s3:PutObject",\
            "Resource":"arn:aws:s3:::vault/*","Condition":{"StringEquals":{"s3:object-lock-mode":"COMPLIANCE"}}}]}
            """
        #expect(try s3.send(S3Call("PUT", "vault", query: [("policy", "")], body: policy)).status == 204)
        #expect(try s3.send(call("PUT", headers: lock("GOVERNANCE", days: 12), "x")).status == 403)
        #expect(try s3.send(call("PUT", headers: lock("COMPLIANCE", days: 1), "x")).status == 403)
        #expect(try s3.send(call("PUT", headers: lock("GOVERNANCE", days: 9), "x")).status == 200)
    }

    @Test func `is held until somebody lets it go`() throws {
        let s3 = try vault()
        let written = try s3.send(call("PUT", "x"))
        let version = try #require(written["x-amz-version-id"])
        let query = [("legal-hold", "")]
        let never = try s3.send(call("GET", query))
        #expect(never.status == 404 && never.code == "NoSuchObjectLockConfiguration")
        #expect(try s3.send(call("PUT", query, "<LegalHold><Status>ON</Status></LegalHold>")).status == 200)
        #expect(try s3.send(call("HEAD"))["x-amz-object-lock-legal-hold"] == "ON")
        #expect(try s3.send(call("DELETE", [("versionId", version)], headers: [Self.bypass])).status == 403)
        #expect(try s3.send(call("PUT", query, "<LegalHold><Status>OFF</Status></LegalHold>")).status == 200)
        #expect(try s3.send(call("GET", query)).element("Status") == "OFF")
        #expect(try s3.send(call("DELETE", [("versionId", version)])).status == 204)
    }

    @Test func `gets the bucket's retention, also as a copy and in parts`() throws {
        let s3 = try vault()
        let now = S3Client.now
        try AdminClient(s3.server).freeze(at: now)
        let configuration = `A bucket with object lock`.configuration
        #expect(
            try s3.send(S3Call("PUT", "vault", query: [("object-lock", "")], body: configuration)).status == 200)
        let bare = try s3.send(call("PUT", "x"))
        #expect(bare.status == 400 && bare.code == "InvalidRequest" && bare.text.contains("Content-MD5 OR"))
        #expect(try s3.send(call("PUT", headers: [Self.md5OfX], "x")).status == 200)
        let copied = try s3.send(
            S3Call("PUT", "vault", "copy", headers: [("x-amz-copy-source", "/vault/a")]))
        #expect(copied.status == 200)
        let begun = try s3.send(S3Call("POST", "vault", "parts", query: [("uploads", "")]))
        let upload = try #require(begun.element("UploadId"))
        let part = try s3.send(
            S3Call("PUT", "vault", "parts", query: [("partNumber", "1"), ("uploadId", upload)], body: "x"))
        let list =
            "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(part["ETag"] ?? "")</ETag></Part>"
            + "</CompleteMultipartUpload>"
        let completed = try s3.send(S3Call("POST", "vault", "parts", query: [("uploadId", upload)], body: list))
        #expect(completed.status == 200)
        let end = now.adding(seconds: 2 * 86_400).iso8601Seconds
        for key in ["a", "copy", "parts"] {
            let read = try s3.send(S3Call("HEAD", "vault", key))
            #expect(read["x-amz-object-lock-mode"] == "GOVERNANCE", "\(key)")
            #expect(read["x-amz-object-lock-retain-until-date"]?.prefix(19) == end.prefix(19), "\(key)")
        }
    }

    @Test func `is free once the clock has passed its date`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let lock = ("x-amz-bucket-object-lock-enabled", "true")
        #expect(try s3.send(S3Call("PUT", "vault", headers: [lock])).status == 200)
        let written = try s3.send(call("PUT", headers: self.lock("COMPLIANCE", days: 3), "x"))
        let version = try #require(written["x-amz-version-id"])
        #expect(try s3.send(call("DELETE", [("versionId", version)])).status == 403)
        try AdminClient(server).json("PUT", "/clock", #"{"advance":"72h"}"#)
        let then = S3Client.now.adding(seconds: 3 * 86_400 + 1)
        #expect(try s3.send(call("DELETE", [("versionId", version)]), at: then).status == 204)
    }

    @Test func `is asked for in words that S3 knows, where there is a lock`() throws {
        let s3 = try vault()
        let day = ("x-amz-object-lock-retain-until-date", date(1))
        let cases: [([WireRequest.Field], String)] = [
            ([("x-amz-object-lock-mode", "NONE"), day], "Unknown wormMode directive."),
            (
                [("x-amz-object-lock-mode", "GOVERNANCE")],
                "x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied"
            ),
            (
                [("x-amz-object-lock-mode", "GOVERNANCE"), (day.0, date(-1))],
                "The retain until date must be in the future!"
            ),
            ([("x-amz-object-lock-legal-hold", "on")], "Legal Hold must be either of 'ON' or 'OFF'"),
        ]
        for (headers, message) in cases {
            let answer = try s3.send(call("PUT", headers: headers + [Self.md5OfX], "x"))
            #expect(answer.status == 400 && answer.code == "InvalidArgument" && answer.element("Message") == message)
        }
        #expect(try s3.send(call("GET")).status == 404)
        let elsewhere = try s3.put("a", "x", headers: lock("GOVERNANCE", days: 1))
        #expect(elsewhere.code == "InvalidRequest")
        #expect(elsewhere.element("Message") == "Bucket is missing Object Lock Configuration")
        try s3.put("a", "x")
        for query in ["retention", "legal-hold"] {
            #expect(try s3.send(S3Call("GET", "photos", "a", query: [(query, "")])).code == "InvalidRequest")
        }
        // The document is read before the bucket is asked.
        let hold = [("legal-hold", "")]
        #expect(try s3.send(S3Call("PUT", "photos", "a", query: hold)).code == "MalformedXML")
        #expect(
            try s3.send(S3Call("PUT", "photos", "a", query: hold, body: "<LegalHold><Status>ON</Status></LegalHold>"))
                .code == "InvalidRequest")
        let list = "<Delete><Object><Key>a</Key></Object></Delete>"
        let digest = ("x-amz-checksum-sha256", sha256Base64(list))
        for call in [
            S3Call("DELETE", "photos", "a", headers: [Self.bypass]),
            S3Call("POST", "photos", query: [("delete", "")], headers: [Self.bypass, digest], body: list),
        ] {
            let bypassed = try s3.send(call)
            #expect(bypassed.status == 400 && bypassed.element("ArgumentName") == Self.bypass.0)
        }
        #expect(try s3.has("a"))
    }
}
