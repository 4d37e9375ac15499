import ShoalWire
import Testing

@Suite struct `Versions of an object` {
    private func set(_ status: String, _ s3: S3Client) throws {
        let body = "<VersioningConfiguration><Status>\(status)</Status></VersioningConfiguration>"
        #expect(try s3.send(S3Call("PUT", "photos", query: [("versioning", "")], body: body)).status == 200)
    }

    /// Deletes many and gives the answer's document.
    private func delete(_ versions: [(key: String, id: String?)], _ s3: S3Client) throws -> String {
        let items = versions.map { version in
            "<Object><Key>\(version.key)</Key>\(version.id.map { "<VersionId>\($0)</VersionId>" } ?? "")</Object>"
        }
        let body = "<Delete>\(items.joined())</Delete>"
        let digest = [("x-amz-checksum-sha256", sha256Base64(body))]
        return try s3.send(S3Call("POST", "photos", query: [("delete", "")], headers: digest, body: body)).text
    }

    private func call(_ method: String, _ key: String, _ version: String?) -> S3Call {
        S3Call(method, "photos", key, query: version.map { [("versionId", $0)] } ?? [])
    }

    private func list(_ s3: S3Client, _ query: [(String, String)] = []) throws -> String {
        try s3.send(S3Call("GET", "photos", query: [("versions", "")] + query)).text
    }

    @Test func `are kept, told apart, read, hidden and uncovered`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.put("a", "zero")["x-amz-version-id"] == nil)
        try set("Enabled", s3)
        #expect(try s3.send(S3Call("GET", "photos", query: [("versioning", "")])).element("Status") == "Enabled")
        let first = try #require(try s3.put("a", "one")["x-amz-version-id"])
        let second = try #require(try s3.put("a", "two")["x-amz-version-id"])
        #expect(first.count == 32 && second.count == 32 && first != second)
        #expect(try s3.get("a")["x-amz-version-id"] == second)
        for (version, text) in [(first, "one"), (second, "two"), ("null", "zero")] {
            let got = try s3.send(call("GET", "a", version))
            #expect(got.text == text && got["x-amz-version-id"] == version)
            #expect(try s3.send(call("HEAD", "a", version))["Content-Length"] == "\(text.count)")
        }
        let deleted = try s3.send(call("DELETE", "a", nil))
        let marker = try #require(deleted["x-amz-version-id"])
        #expect(deleted.status == 204 && deleted["x-amz-delete-marker"] == "true")
        let gone = try s3.get("a")
        #expect(gone.status == 404 && gone.code == "NoSuchKey" && gone["x-amz-delete-marker"] == "true")
        #expect(gone["x-amz-version-id"] == marker)
        let named = try s3.send(call("GET", "a", marker))
        #expect(named.status == 405 && named.code == "MethodNotAllowed" && named["Allow"] == "DELETE")
        #expect(try s3.send(call("HEAD", "a", marker)).status == 405)
        #expect(try list(s3).components("VersionId") == [marker, second, first, "null"])
        #expect(try s3.send(S3Call("DELETE", "photos")).code == "BucketNotEmpty")
        let uncovered = try s3.send(call("DELETE", "a", marker))
        #expect(uncovered["x-amz-delete-marker"] == "true" && uncovered["x-amz-version-id"] == marker)
        #expect(try s3.get("a").text == "two")
        #expect(try s3.send(call("DELETE", "a", second))["x-amz-version-id"] == second)
        #expect(try s3.get("a").text == "one")
        #expect(try list(s3).components("IsLatest") == ["true", "false"])
    }

    @Test func `are refused by ids that name none`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let malformed = try s3.send(call("GET", "a", String(repeating: "a", count: 32)))
        #expect(malformed.status == 400 && malformed.code == "InvalidArgument")
        try set("Enabled", s3)
        let version = try #require(try s3.put("b", "x")["x-amz-version-id"])
        for id in [String(repeating: "a", count: 32), version] {
            let answer = try s3.send(call("GET", "a", id))
            #expect(answer.status == 404 && answer.code == "NoSuchVersion" && answer.element("VersionId") == id)
            let deleted = try s3.send(call("DELETE", "a", id))
            #expect(deleted.status == 400 && deleted.element("ArgumentName") == "versionId")
            #expect(try delete([("a", id)], s3).components("Code") == ["NoSuchVersion"])
        }
        #expect(try s3.send(call("GET", "a", "short")).code == "InvalidArgument")
        #expect(try s3.get("a").text == "x" && s3.get("b").text == "x")
        // Once given, an id may be deleted as often as one likes.
        for _ in 0..<2 { #expect(try s3.send(call("DELETE", "b", version)).status == 204) }
        #expect(try delete([("b", version)], s3).components("Deleted").count == 1)
    }

    @Test func `are not added while suspended`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try set("Enabled", s3)
        let first = try #require(try s3.put("a", "one")["x-amz-version-id"])
        try set("Suspended", s3)
        #expect(try s3.put("a", "two")["x-amz-version-id"] == nil)
        #expect(try s3.put("a", "three")["x-amz-version-id"] == nil)
        #expect(try s3.get("a")["x-amz-version-id"] == "null")
        #expect(try list(s3).components("VersionId") == ["null", first])
        #expect(try s3.send(call("DELETE", "a", nil))["x-amz-version-id"] == "null")
        #expect(try s3.send(call("GET", "a", first)).text == "one")
        #expect(try s3.send(S3Call("PUT", "photos", query: [("versioning", "")], body: "<x/>")).code == "MalformedXML")
        let none = "<VersioningConfiguration/>"
        let refused = try s3.send(S3Call("PUT", "photos", query: [("versioning", "")], body: none))
        #expect(refused.code == "IllegalVersioningConfigurationException")
    }

    @Test func `are listed by key and age, page by page, with roll-ups`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try set("Enabled", s3)
        for key in ["a", "b/1", "b/2", "a"] { try s3.put(key, key) }
        let rolled = try list(s3, [("delimiter", "/")])
        #expect(
            rolled.components("Key") == ["a", "a"] && rolled.components("CommonPrefixes") == ["<Prefix>b/</Prefix>"])
        var (seen, marker): ([String], [(String, String)]) = ([], [])
        for _ in 0..<4 {
            let page = try list(s3, [("max-keys", "1")] + marker)
            seen += page.components("Key")
            marker = [
                ("key-marker", page.components("NextKeyMarker").first ?? ""),
                ("version-id-marker", page.components("NextVersionIdMarker").first ?? "null"),
            ]
        }
        #expect(seen == ["a", "a", "b/1", "b/2"])
    }

    @Test func `are copied, tagged and deleted one by one`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try set("Enabled", s3)
        let first = try #require(try s3.put("a", "one")["x-amz-version-id"])
        try s3.put("a", "two")
        let copied = try s3.send(
            S3Call("PUT", "photos", "b", headers: [("x-amz-copy-source", "/photos/a?versionId=\(first)")]))
        #expect(copied["x-amz-copy-source-version-id"] == first && copied["x-amz-version-id"] != nil)
        #expect(try s3.get("b").text == "one")
        let tags = "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>"
        let query = [("tagging", ""), ("versionId", first)]
        #expect(try s3.send(S3Call("PUT", "photos", "a", query: query, body: tags)).status == 200)
        #expect(try s3.send(S3Call("GET", "photos", "a", query: query)).element("Key") == "k")
        #expect(try s3.send(S3Call("GET", "photos", "a", query: [("tagging", "")])).element("Key") == nil)
        let marker = try #require(try s3.send(call("DELETE", "a", nil))["x-amz-version-id"])
        let deleted = try delete([("a", marker), ("a", first), ("b", nil)], s3).components("Deleted")
        #expect(deleted.count == 3)
        #expect(deleted.first?.contains("<DeleteMarkerVersionId>\(marker)</DeleteMarkerVersionId>") == true)
        #expect(deleted.last?.contains("<DeleteMarker>true</DeleteMarker>") == true)
        #expect(try s3.get("a").text == "two")
        #expect(try s3.get("b").status == 404)
    }

    /// What asks for a marker's tags or list is about the marker, and not about what it hides.
    @Test func `hide behind a delete marker that has neither tags nor a list`() throws {
        let server = try TestServer { $0.newBuckets = .open }
        let s3 = S3Client(server)
        try set("Enabled", s3)
        try s3.put("a", "one")
        let marker = try #require(try s3.send(call("DELETE", "a", nil))["x-amz-version-id"])
        let tags = "<Tagging><TagSet/></Tagging>"
        let calls = [
            S3Call("GET", "photos", "a", query: [("tagging", "")]),
            S3Call("PUT", "photos", "a", query: [("tagging", "")], body: tags),
            S3Call("DELETE", "photos", "a", query: [("tagging", "")]),
            S3Call("PUT", "photos", "a", query: [("acl", "")], headers: [("x-amz-acl", "public-read")]),
        ]
        for call in calls {
            let answer = try s3.send(call)
            #expect(answer.status == 405 && answer.element("ResourceType") == "DeleteMarker", "\(call.method)")
            #expect(answer.element("Method") == call.method && answer["x-amz-version-id"] == marker)
        }
        #expect(try s3.send(S3Call("GET", "photos", "a", query: [("acl", "")])).code == "NoSuchKey")
    }

    @Test func `survive a restart and a completion of an upload in parts`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try set("Enabled", s3)
        let first = try #require(try s3.put("a", "one")["x-amz-version-id"])
        let upload = try s3.begin("a")
        let parts = [(number: 1, etag: try s3.part(1, pattern(10), of: upload, "a"))]
        let second = try #require(try s3.complete(upload, "a", parts)["x-amz-version-id"])
        try s3.put("a", "three")
        server.stop()
        let again = try TestServer { $0.storage = .directory(server.data) }
        let client = S3Client(again)
        #expect(try client.send(call("GET", "a", first)).text == "one")
        #expect(try client.send(call("GET", "a", second)).body == pattern(10))
        #expect(try client.get("a").text == "three")
    }
}
