import ShoalS3
import ShoalWire
import Testing

@Suite struct `An archived object` {
    private static let call = S3Call("POST", "photos", "a", query: [("restore", "")], body: days(2))

    private static func days(_ count: Int) -> String {
        "<RestoreRequest><Days>\(count)</Days><GlacierJobParameters><Tier>Bulk</Tier></GlacierJobParameters>"
            + "</RestoreRequest>"
    }

    @Test(arguments: ["GLACIER", "DEEP_ARCHIVE"])
    func `can be read once it is restored, until the scope's clock says it is over`(storageClass: String) throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        var now = Timestamp(iso8601: "2026-03-14T15:09:26Z")!
        try admin.freeze(at: now)
        let put = S3Call("PUT", "photos", "a", headers: [("x-amz-storage-class", storageClass)], body: "bytes")
        #expect(try s3.send(put, at: now).status == 200)
        let get = S3Call("GET", "photos", "a")
        let copy = S3Call("PUT", "photos", "b", headers: [("x-amz-copy-source", "/photos/a")])
        for call in [get, copy] {
            let refused = try s3.send(call, at: now)
            #expect(refused.status == 403 && refused.code == "InvalidObjectState")
            #expect(refused.element("StorageClass") == storageClass)
        }
        let bare = try s3.send(S3Call("HEAD", "photos", "a"), at: now)
        #expect(bare.status == 200 && bare["x-amz-restore"] == nil && bare["x-amz-storage-class"] == storageClass)
        #expect(try s3.send(Self.call, at: now).status == 202)
        #expect(try s3.send(Self.call, at: now).status == 200)
        let restored = try s3.send(get, at: now)
        #expect(restored.text == "bytes")
        let line = "ongoing-request=\"false\", expiry-date=\"Tue, 17 Mar 2026 00:00:00 GMT\""
        #expect(restored["x-amz-restore"] == line && restored["x-amz-storage-class"] == storageClass)
        #expect(try s3.send(copy, at: now).status == 200)
        now = Timestamp(iso8601: "2026-03-17T00:00:00Z")!
        try admin.freeze(at: now)
        #expect(try s3.send(get, at: now).code == "InvalidObjectState")
        #expect(try s3.send(S3Call("HEAD", "photos", "a"), at: now)["x-amz-restore"] == nil)
        #expect(try s3.send(Self.call, at: now).status == 202)
    }

    @Test func `is the only kind that can be restored`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.send(Self.call).code == "NoSuchKey")
        try s3.put("a", "x", headers: [("x-amz-storage-class", "GLACIER_IR")])
        #expect(try s3.get("a").text == "x")
        let refused = try s3.send(Self.call)
        #expect(refused.status == 403 && refused.code == "InvalidObjectState")
        try s3.put("a", "x", headers: [("x-amz-storage-class", "GLACIER")])
        let none = S3Call("POST", "photos", "a", query: [("restore", "")], body: Self.days(0))
        #expect(try s3.send(none).code == "MalformedXML")
        #expect(try s3.get("a").code == "InvalidObjectState")
    }
}
