import ShoalS3
import ShoalWire
import Testing

/// Faults of the store beyond one PUT and one GET: parts, copies, versions, forms of the parameters, and other scopes.
@Suite struct `A fault of the store` {
    let server: TestServer
    let s3: S3Client
    let admin: AdminClient

    init() throws {
        server = try TestServer()
        s3 = S3Client(server)
        admin = AdminClient(server)
    }

    @Test func `loses a part, so that the list of parts lacks it and its completion is refused`() throws {
        try admin.arm("UploadPart @commit.before 1*loseWrite")
        let upload = try s3.begin("a")
        let tag = try s3.part(1, pattern(1_000), of: upload, "a")
        #expect(try s3.complete(upload, "a", [(1, tag)]).code == "InvalidPart")
    }

    @Test func `loses a completion, which leaves the upload open`() throws {
        try admin.arm("CompleteMultipartUpload @auth 1*loseWrite")
        let upload = try s3.begin("a")
        let tag = try s3.part(1, pattern(1_000), of: upload, "a")
        #expect(try s3.complete(upload, "a", [(1, tag)]).status == 200)
        #expect(try s3.get("a").code == "NoSuchKey")
        #expect(try s3.complete(upload, "a", [(1, tag)]).status == 200)
        #expect(try s3.get("a").body == pattern(1_000))
    }

    @Test func `loses a deletion`() throws {
        try s3.put("a", "x")
        try admin.arm("DeleteObject a @commit.before 1*loseWrite")
        #expect(try s3.send(S3Call("DELETE", "photos", "a")).status == 204)
        #expect(try s3.get("a").text == "x")
    }

    @Test func `tears and corrupts a copy, and leaves its source whole`() throws {
        try s3.put("a", "0123456789")
        try admin.arm("CopyObject b @auth tornWrite(4)")
        try admin.arm("CopyObject b @auth corruptStored(1,xor=8,count=2)")
        let copy = S3Call("PUT", "photos", "b", headers: [("x-amz-copy-source", "photos/a")])
        #expect(try s3.send(copy).status == 200)
        #expect(try s3.get("b").text == "0\u{39}\u{3A}3")
        #expect(try s3.get("a").text == "0123456789")
    }

    @Test func `loses a conditional write only if it would have been made`() throws {
        try s3.put("a", "x")
        try admin.arm("PutObject a @commit.before loseWrite")
        #expect(try s3.put("a", "y", headers: [("If-None-Match", "*")]).status == 412)
        #expect(try s3.put("a", "y").status == 200)
        #expect(try s3.get("a").text == "x")
    }

    @Test func `makes up a version that is none, where versions have names`() throws {
        try s3.keepVersions()
        try admin.arm("PutObject a @auth 1*loseWrite")
        let version = try #require(try s3.put("a", "x")["x-amz-version-id"])
        let get = S3Call("GET", "photos", "a", query: [("versionId", version)])
        #expect(try s3.send(get).code == "NoSuchVersion")
    }

    @Test func `makes as many versions as it applies a write`() throws {
        try s3.keepVersions()
        try admin.arm("PutObject a @commit.before duplicate(3)")
        try s3.put("a", "x")
        let versions = try s3.send(S3Call("GET", "photos", query: [("versions", "")]))
        #expect(versions.text.components("VersionId").count == 3)
    }

    @Test func `applies a write again behind its answer, over what came between`() throws {
        try admin.arm("PutObject a @commit.before 1*duplicate(2,50ms) per=rule")
        try s3.put("a", "old")
        try s3.put("a", "new")
        _ = try admin.journal { $0.count { $0.ev == "store" } == 3 }
        #expect(try s3.get("a").text == "old")
    }

    // MARK: What reads find

    @Test func `hides an overwriting from so many reads, which find the old object`() throws {
        try s3.put("a", "old")
        try admin.arm("PutObject a @commit.before 1*visibility(reads=2) per=rule")
        try s3.put("a", "newer")
        #expect(try s3.get("a").text == "old")
        let list = try s3.send(S3Call("GET", "photos", query: [("list-type", "2")]))
        #expect(list.element("Size") == "3")
        #expect(list.element("ETag") == "&quot;\(etag(of: "old").dropFirst().dropLast())&quot;")
        #expect(try s3.get("a").text == "newer")
    }

    @Test func `hides from one kind of reading alone`() throws {
        try admin.arm("PutObject a @commit.before visibility(1h,of=list)")
        try s3.put("a", "x")
        #expect(try s3.get("a").text == "x")
        #expect(try !s3.send(S3Call("GET", "photos")).text.contains("<Key>a</Key>"))
        // A rule that is gone hides nothing.
        #expect(try admin.send("DELETE", "/rules").status == 204)
        #expect(try s3.send(S3Call("GET", "photos")).text.contains("<Key>a</Key>"))
    }

    @Test func `hides nothing that was refused`() throws {
        try s3.put("a", "x")
        try admin.arm("PutObject a @auth visibility(1h)")
        #expect(try s3.put("a", "y", headers: [("If-None-Match", "*")]).status == 412)
        #expect(try s3.get("a").text == "x")
    }

    @Test func `reads earlier versions, and that there was none`() throws {
        try s3.keepVersions()
        for body in ["one", "two", "three"] { try s3.put("a", body) }
        for (back, body) in [(1, "two"), (2, "one")] {
            let rule = try admin.arm("read a @read.open staleRead(\(back))")
            #expect(try s3.get("a").text == body)
            #expect(try s3.send(S3Call("HEAD", "photos", "a"))["Content-Length"] == "\(body.utf8.count)")
            #expect(try admin.send("DELETE", "/rules/\(rule)").status == 204)
        }
        try admin.arm("GetObject a @auth staleRead(3)")
        #expect(try s3.get("a").code == "NoSuchKey")
    }

    // MARK: The disk

    @Test(arguments: [
        ("500", 500, "InternalError"), ("503", 503, "ServiceUnavailable"), ("507", 507, "ServiceUnavailable"),
    ])
    func `says of a full disk what it was told to say`(status: String, code: Int, name: String) throws {
        try admin.arm("PutObject a @auth diskFull(4,status=\(status))")
        #expect(try s3.put("a", "1234").status == 200)
        let answer = try s3.put("a", "12345")
        #expect(answer.status == code)
        #expect(answer.code == name)
        #expect(try s3.get("a").text == "1234")
    }

    @Test(arguments: ["EIO,open", "EACCES,write", "EIO,sync", "EROFS,rename", "EMFILE,open"])
    func `fails each step of a write, and the next one works`(parameters: String) throws {
        try s3.put("a", "old")
        try admin.arm("PutObject a @auth 1*ioError(\(parameters))")
        let isOutOfDescriptors = parameters.hasPrefix("EMFILE")
        #expect(try s3.put("a", "new").status == (isOutOfDescriptors ? 503 : 500))
        #expect(try s3.get("a").text == "old")
        #expect(try s3.put("a", "new").status == 200)
        #expect(try s3.get("a").text == "new")
    }

    @Test func `fails to read behind some bytes`() throws {
        try s3.put("a", "0123456789")
        try admin.arm("GetObject a @auth 1*ioError(after=4)")
        let connection = server.connection
        connection.send(try s3.request(S3Call("GET", "photos", "a")).bytes)
        #expect(String(decoding: connection.receive().bytes, as: UTF8.self).hasSuffix("\r\n\r\n0123"))
        #expect(try s3.get("a").text == "0123456789")
    }

    @Test func `fails a HEAD and a completion as well`() throws {
        let upload = try s3.begin("a")
        let tag = try s3.part(1, pattern(10), of: upload, "a")
        try admin.arm("CompleteMultipartUpload,HeadObject @auth 2*ioError(EIO) per=rule")
        #expect(try s3.complete(upload, "a", [(1, tag)]).status == 500)
        #expect(try s3.send(S3Call("HEAD", "photos", "a")).status == 500)
        #expect(try s3.complete(upload, "a", [(1, tag)]).status == 200)
    }

    /// Of a body with framing around its bytes, whose places nobody knows beforehand.
    @Test func `strikes behind written bytes within aws-chunked framing too`() throws {
        let rule = try admin.arm("PutObject a @store.write(50%) reset per=rule")
        let upload = ChunkedUpload(isSigned: true, chunkSize: 8_192)
        let connection = server.connection
        connection.send(try upload.request(s3, "a", pattern(40_000)).bytes)
        #expect(connection.receive().end == .reset)
        #expect(try admin.firings(of: rule) == 1)
        let fault = try admin.journal { $0.contains { $0.ev == "fault" } }.first { $0.ev == "fault" }
        #expect(fault?["offset"]?.integer == 20_000)
        #expect(try s3.get("a").status == 404)
    }

    // MARK: Late twins

    @Test func `lets the late twin come after a time`() throws {
        try admin.arm("PutObject a @commit.before 1*zombie(50ms) per=rule")
        let connection = server.connection
        connection.send(try s3.request(S3Call("PUT", "photos", "a", body: "late")).bytes)
        #expect(connection.receive().end == .reset)
        _ = try admin.journal { $0.contains { $0.ev == "store" } }
        #expect(try s3.get("a").text == "late")
    }

    @Test func `lets a conditional late twin lose against the newer object`() throws {
        try admin.arm("PutObject a @commit.before 1*zombie per=rule")
        let connection = server.connection
        let put = S3Call("PUT", "photos", "a", headers: [("If-None-Match", "*")], body: "late")
        connection.send(try s3.request(put).bytes)
        #expect(connection.receive().end == .reset)
        try s3.put("a", "newer")
        // Another commit of the key comes behind the refused one.
        try s3.put("a", "newest")
        #expect(try s3.get("a").text == "newest")
    }

    @Test func `forgets late twins with the rules`() throws {
        try admin.arm("PutObject a @commit.before 1*zombie per=rule")
        let connection = server.connection
        connection.send(try s3.request(S3Call("PUT", "photos", "a", body: "late")).bytes)
        #expect(connection.receive().end == .reset)
        #expect(try admin.send("DELETE", "/rules").status == 204)
        try s3.put("a", "newer")
        try s3.put("a", "newest")
        #expect(try s3.get("a").text == "newest")
        #expect(try admin.journal { $0.count { $0.ev == "store" } >= 2 }.count { $0.ev == "store" } == 2)
    }

    /// A disk that is slow to sync has no connection to make wait, and loses no twin.
    @Test func `lets a late twin come through a slow disk too`() throws {
        try admin.arm("PutObject a @auth 1*slowDisk(sync=50ms) per=rule")
        try admin.arm("PutObject a @commit.before 1*zombie(1ms) per=rule")
        let connection = server.connection
        connection.send(try s3.request(S3Call("PUT", "photos", "a", body: "late")).bytes)
        #expect(connection.receive().end == .reset)
        _ = try admin.journal { $0.contains { $0.ev == "store" } }
        #expect(try s3.get("a").text == "late")
    }

    /// Whoever asks right behind the newer write is told of the older one that came over it.
    @Test func `lets a verdict wait for the late twin that is under way`() throws {
        try admin.arm("PutObject a @commit.before 1*zombie(20ms) per=rule")
        let connection = server.connection
        connection.send(try s3.request(S3Call("PUT", "photos", "a", body: "late")).bytes)
        #expect(connection.receive().end == .reset)
        try s3.put("a", "newer")
        let verdict = try admin.json("POST", "/verify", #"{"checks":["one-commit key=a"],"quiesceMs":60000}"#)
        #expect(verdict["outcome"]?.string == "fail", "\(verdict)")
        #expect(try s3.get("a").text == "late")
    }

    @Test func `hides nothing any more once its rule is gone, whatever other rules there are`() throws {
        try s3.put("a", "old")
        let rule = try admin.arm("PutObject a @commit.before visibility(reads=9)")
        try admin.arm("GetObject other @auth SlowDown")
        try s3.put("a", "new")
        #expect(try s3.get("a").text == "old")
        #expect(try admin.send("DELETE", "/rules/\(rule)").status == 204)
        #expect(try s3.get("a").text == "new")
    }

    @Test(arguments: ["PutObject @auth crash", "@accept crash"])
    func `that ends the process is refused where that is another program's`(line: String) throws {
        let answer = try admin.send("POST", "/rules", line)
        #expect(answer.status == 400 && answer.text.contains("shoal serve --supervise"), "\(answer.text)")
        let scene = try admin.send("POST", "/presets/store-restarts", "{}")
        #expect(scene.status == 400 && scene.text.contains("shoal serve --supervise"), "\(scene.text)")
        #expect(try admin.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
    }

    // MARK: Whose it is

    @Test func `touches no other scope`() throws {
        let (one, two) = (try TestScope(server), try TestScope(server))
        for line in ["PutObject @commit.before visibility(1h)", "GetObject @auth corruptRead(0)"] {
            try one.admin.arm(line)
        }
        for scope in [one, two] { try scope.s3.put("a", scope.name) }
        #expect(try one.s3.get("a").code == "NoSuchKey")
        #expect(try two.s3.get("a").text == two.name)
    }

    @Test func `is not spent on requests that it cannot concern`() throws {
        let rule = try admin.arm("write @auth 1*loseWrite per=rule")
        try s3.keepVersions()
        #expect(try admin.firings(of: rule) == 0)
        try s3.put("a", "x")
        #expect(try admin.firings(of: rule) == 1)
        #expect(try s3.get("a").status == 404)
    }

    @Test(arguments: [
        (
            "GetObject @auth loseWrite",
            "needs a request that stores or removes an object or a part, and GetObject does not"
        ),
        ("PutObject @auth corruptRead", "needs a request that reads an object's bytes"),
        (
            "PutObject @commit.after tornWrite",
            "comes too late at 'commit.after'; the last point for it is 'commit.before'"
        ),
        ("PutObject @auth zombie", "takes the place of the commit, which is due at 'commit.before'"),
        ("PutObject @auth visibility", "needs an end"), ("PutObject @auth corruptStored(0,xor=0)", "1 to 255"),
        ("PutObject @auth duplicate(1)", "2 to 100 times"), ("PutObject @auth slowDisk", "how slow"),
        ("GetObject @auth staleRead(9)", "1 to 8 versions back"),
        ("PutObject @auth ioError(EIO,sync,after=5)", "'after' counts bytes"),
        ("PutObject @auth ioError(EWHAT)", "error of 'ioError'"),
        ("PutObject @auth tornWrite(random)", "left to chance"),
    ])
    func `that is impossible is refused in words`(line: String, words: String) throws {
        let answer = try admin.send("POST", "/rules", line)
        #expect(answer.status == 400)
        #expect(answer.text.contains(words), "\(answer.text)")
    }
}
