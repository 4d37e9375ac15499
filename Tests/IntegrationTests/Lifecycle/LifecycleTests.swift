import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

/// A server whose clock stands, with the bucket `photos`, and a client that lives in its time.
private struct Days {
    let server: TestServer
    let admin: AdminClient
    let s3: S3Client
    private(set) var now = Timestamp(iso8601: "2026-03-14T15:09:26Z")!

    init() throws {
        server = try TestServer()
        admin = AdminClient(server)
        s3 = S3Client(server)
        try admin.freeze(at: now)
    }

    /// Lets time pass; whatever is due is done when it returns.
    mutating func pass(days: Int64, seconds: Int64 = 0) throws {
        now = now.adding(seconds: days * 86_400 + seconds)
        try admin.freeze(at: now)
    }

    @discardableResult
    func send(
        _ method: String, _ key: String? = nil, _ query: [(String, String)] = [], headers: [WireRequest.Field] = [],
        _ body: String = ""
    ) throws -> WireResponse {
        try s3.send(S3Call(method, "photos", key, query: query, headers: headers, body: body), at: now)
    }

    @discardableResult
    func put(_ key: String, _ body: String = "x", headers: [WireRequest.Field] = []) throws -> WireResponse {
        try send("PUT", key, headers: headers, body)
    }

    func set(_ rules: String, headers: [WireRequest.Field] = []) throws -> WireResponse {
        let body = "<LifecycleConfiguration>\(rules)</LifecycleConfiguration>"
        return try send("PUT", nil, [("lifecycle", "")], headers: headers, body)
    }

    func keepVersions() throws { try s3.keepVersions(at: now) }

    func keys() throws -> [String] { try send("GET", nil, [("list-type", "2")]).text.components("Key") }

    func versions() throws -> [String] { try send("GET", nil, [("versions", "")]).text.components("VersionId") }

    static func rule(_ filter: String, _ action: String, id: String = "r") -> String {
        "<Rule><ID>\(id)</ID>\(filter)<Status>Enabled</Status>\(action)</Rule>"
    }
}

@Suite struct `A lifecycle` {
    @Test func `is put, shown with its smallest size, and dropped`() throws {
        let days = try Days()
        let none = try days.send("GET", nil, [("lifecycle", "")])
        #expect(none.status == 404 && none.code == "NoSuchLifecycleConfiguration")
        let rule = Days.rule("<Filter><Prefix>tmp/</Prefix></Filter>", "<Expiration><Days>1</Days></Expiration>")
        let size = "x-amz-transition-default-minimum-object-size"
        #expect(try days.set(rule)[size] == "all_storage_classes_128K")
        let shown = try days.send("GET", nil, [("lifecycle", "")])
        #expect(shown.status == 200 && shown[size] == "all_storage_classes_128K" && shown.text.contains(rule))
        #expect(try days.set(rule, headers: [(size, "varies_by_storage_class")]).status == 200)
        #expect(try days.send("GET", nil, [("lifecycle", "")])[size] == "varies_by_storage_class")
        #expect(try days.set(rule, headers: [(size, "none")]).status == 400)
        #expect(try days.set("<Rule/>").code == "MalformedXML")
        #expect(try days.send("DELETE", nil, [("lifecycle", "")]).status == 204)
        #expect(try days.send("GET", nil, [("lifecycle", "")]).status == 404)
    }

    @Test func `deletes what its filter passes at the midnight behind its days, and says so before`() throws {
        var days = try Days()
        let rule = Days.rule("<Filter><Prefix>tmp/</Prefix></Filter>", "<Expiration><Days>2</Days></Expiration>")
        #expect(try days.set(rule).status == 200)
        let expiry = #"expiry-date="Tue, 17 Mar 2026 00:00:00 GMT", rule-id="r""#
        #expect(try days.put("tmp/a")["x-amz-expiration"] == expiry)
        #expect(try days.put("kept")["x-amz-expiration"] == nil)
        for method in ["GET", "HEAD"] { #expect(try days.send(method, "tmp/a")["x-amz-expiration"] == expiry) }
        try days.pass(days: 2)
        #expect(try days.keys() == ["kept", "tmp/a"])
        try days.pass(days: 0, seconds: 9 * 3_600)
        #expect(try days.keys() == ["kept"])
    }

    @Test func `looks at tags and sizes`() throws {
        var days = try Days()
        let rules =
            Days.rule(
                "<Filter><Tag><Key>kind</Key><Value>draft</Value></Tag></Filter>",
                "<Expiration><Days>1</Days></Expiration>", id: "tags")
            + Days.rule(
                "<Filter><ObjectSizeGreaterThan>3</ObjectSizeGreaterThan></Filter>",
                "<Expiration><Days>1</Days></Expiration>", id: "sizes")
        #expect(try days.set(rules).status == 200)
        try days.put("draft", headers: [("x-amz-tagging", "kind=draft")])
        try days.put("final", headers: [("x-amz-tagging", "kind=final")])
        try days.put("large", "1234")
        try days.put("small", "123")
        try days.pass(days: 2)
        #expect(try days.keys() == ["final", "small"])
    }

    @Test func `does as much as there is, page after page`() throws {
        var days = try Days()
        let rule = Days.rule("<Filter/>", "<Expiration><Days>1</Days></Expiration>")
        #expect(try days.set(rule).status == 200)
        let connection = days.server.connection
        for number in 0..<1_203 {
            let call = S3Call("PUT", "photos", "k\(number)", body: "x")
            #expect(try days.s3.send(days.s3.request(call, at: days.now), on: connection).status == 200)
        }
        try days.pass(days: 2)
        #expect(try days.keys() == [])
    }

    @Test func `covers current versions and removes old ones, but the newest as asked`() throws {
        var days = try Days()
        try days.keepVersions()
        let rules =
            Days.rule("<Filter/>", "<Expiration><Days>1</Days></Expiration>", id: "current")
            + Days.rule(
                "<Filter/>",
                "<NoncurrentVersionExpiration><NoncurrentDays>3</NoncurrentDays>"
                    + "<NewerNoncurrentVersions>1</NewerNoncurrentVersions></NoncurrentVersionExpiration>", id: "old")
        #expect(try days.set(rules).status == 200)
        let ids = try (0..<3).map { _ in try #require(try days.put("a")["x-amz-version-id"]) }
        try days.pass(days: 2)
        #expect(try days.send("GET", "a").status == 404)
        let marker = try #require(try days.send("GET", "a")["x-amz-version-id"])
        #expect(try days.versions() == [marker, ids[2], ids[1], ids[0]])
        try days.pass(days: 4)
        #expect(try days.versions() == [marker, ids[2]])
        #expect(try days.send("GET", "a", [("versionId", ids[2])]).text == "x")
        #expect(try days.send("GET", "a", [("versionId", ids[2])])["x-amz-expiration"] == nil)
    }

    @Test func `removes markers that cover nothing`() throws {
        var days = try Days()
        try days.keepVersions()
        let rule = Days.rule(
            "<Filter/>", "<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>")
        let old = try #require(try days.put("covered")["x-amz-version-id"])
        for key in ["covered", "alone", "last"] { try days.send("DELETE", key) }
        #expect(try days.set(rule).status == 200)
        try days.pass(days: 1)
        let left = try days.send("GET", nil, [("versions", "")]).text
        #expect(left.components("Key") == ["covered", "covered"] && left.components("VersionId").last == old)
    }

    @Test func `leaves locked versions alone, and says how many`() throws {
        var days = try Days()
        let lock = ("x-amz-bucket-object-lock-enabled", "true")
        #expect(try days.s3.send(S3Call("PUT", "vault", headers: [lock]), at: days.now).status == 200)
        let rule = Days.rule(
            "<Filter/>",
            "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration>")
        let body = "<LifecycleConfiguration>\(rule)</LifecycleConfiguration>"
        let call = S3Call("PUT", "vault", query: [("lifecycle", "")], body: body)
        #expect(try days.s3.send(call, at: days.now).status == 200)
        let hold: [WireRequest.Field] = [
            ("x-amz-object-lock-legal-hold", "ON"), ("Content-MD5", "ndTkYSaMgDT1yFZOFVxnpg=="),
        ]
        let held = try days.s3.send(S3Call("PUT", "vault", "a", headers: hold, body: "x"), at: days.now)
        let version = try #require(held["x-amz-version-id"])
        for _ in 0..<2 { try days.s3.send(S3Call("PUT", "vault", "a", body: "y"), at: days.now) }
        try days.pass(days: 3)
        let again = try days.admin.json("POST", "/lifecycle")
        #expect(again["versionsLocked"]?.integer == 1 && again["versionsDeleted"]?.integer == 0)
        let read = S3Call("GET", "vault", "a", query: [("versionId", version)])
        #expect(try days.s3.send(read, at: days.now).text == "x")
    }

    @Test func `throws unfinished uploads away, and tells when`() throws {
        var days = try Days()
        let rule = Days.rule(
            "<Filter><Prefix>up/</Prefix></Filter>",
            "<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation>"
                + "</AbortIncompleteMultipartUpload>")
        #expect(try days.set(rule).status == 200)
        let begun = try days.send("POST", "up/a", [("uploads", "")])
        #expect(begun["x-amz-abort-date"] == "Mon, 16 Mar 2026 00:00:00 GMT" && begun["x-amz-abort-rule-id"] == "r")
        let upload = try #require(begun.element("UploadId"))
        try days.send("POST", "other", [("uploads", "")])
        #expect(try days.send("GET", "up/a", [("uploadId", upload)])["x-amz-abort-rule-id"] == "r")
        try days.pass(days: 2)
        #expect(try days.send("GET", nil, [("uploads", "")]).text.components("Key") == ["other"])
        #expect(try days.send("GET", "up/a", [("uploadId", upload)]).code == "NoSuchUpload")
    }

    /// An object that came in parts has the date at which its upload began, which may be long ago.
    @Test func `counts an object in parts from when it was there`() throws {
        var days = try Days()
        try days.keepVersions()
        let rule = Days.rule(
            "<Filter/>",
            "<Expiration><Days>5</Days></Expiration>"
                + "<NoncurrentVersionExpiration><NoncurrentDays>2</NoncurrentDays></NoncurrentVersionExpiration>")
        #expect(try days.set(rule).status == 200)
        let upload = try #require(try days.send("POST", "a", [("uploads", "")]).element("UploadId"))
        try days.pass(days: 40)
        let part = try days.send("PUT", "a", [("partNumber", "1"), ("uploadId", upload)], "new")
        let old = try #require(try days.put("a", "old")["x-amz-version-id"])
        let list =
            "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(part["ETag"] ?? "")</ETag></Part>"
            + "</CompleteMultipartUpload>"
        let completed = try days.send("POST", "a", [("uploadId", upload)], list)
        #expect(completed["x-amz-expiration"]?.contains("Wed, 29 Apr 2026") == true)
        try days.pass(days: 1)
        #expect(try days.send("GET", "a").text == "new")
        #expect(try days.send("GET", "a", [("versionId", old)]).text == "old")
        try days.pass(days: 2)
        #expect(try days.send("GET", "a").text == "new")
        #expect(try days.send("GET", "a", [("versionId", old)]).status == 404)
    }

    @Test func `tells of a rule by an id that a header can hold`() throws {
        let days = try Days()
        let action =
            "<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation>"
            + "</AbortIncompleteMultipartUpload>"
        #expect(try days.set(Days.rule("<Filter/>", action, id: "r&#13;&#10;X-Forged: yes")).status == 200)
        let begun = try days.send("POST", "a", [("uploads", "")])
        #expect(begun.status == 200 && begun["X-Forged"] == nil)
        #expect(begun["x-amz-abort-rule-id"] == "r%0D%0AX-Forged%3A+yes")
    }

    @Test func `moves large objects to another class, downwards only`() throws {
        var days = try Days()
        let rule = Days.rule(
            "<Filter/>",
            "<Transition><Days>1</Days><StorageClass>STANDARD_IA</StorageClass></Transition>")
        #expect(try days.set(rule).status == 200)
        let large = String(repeating: "x", count: 128 * 1_024)
        try days.put("large", large)
        try days.put("small")
        try days.put("lower", large, headers: [("x-amz-storage-class", "GLACIER_IR")])
        try days.pass(days: 2)
        #expect(try days.send("HEAD", "large")["x-amz-storage-class"] == "STANDARD_IA")
        #expect(try days.send("HEAD", "small")["x-amz-storage-class"] == nil)
        #expect(try days.send("HEAD", "lower")["x-amz-storage-class"] == "GLACIER_IR")
        #expect(try days.send("GET", "large").text == large)
    }

    @Test func `acts on what it finds when it is put and asked, dates in the past included`() throws {
        let days = try Days()
        try days.put("a")
        let date = "<Expiration><Date>2026-01-01T00:00:00Z</Date></Expiration>"
        #expect(try days.set(Days.rule("<Filter/>", date)).status == 200)
        try days.admin.json("POST", "/lifecycle")
        #expect(try days.keys() == [])
        let again = try days.admin.json("POST", "/lifecycle")
        #expect(again["objectsDeleted"]?.integer == 0)
    }
}
