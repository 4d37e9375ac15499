import ShoalWire
import Testing

@Suite struct `A bucket with object lock` {
    static let configuration =
        "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>"
        + "<Mode>GOVERNANCE</Mode><Days>2</Days></DefaultRetention></Rule></ObjectLockConfiguration>"

    private func put(_ query: String, _ body: String, on bucket: String, _ s3: S3Client) throws -> WireResponse {
        try s3.send(S3Call("PUT", bucket, query: [(query, "")], body: body))
    }

    @Test func `is made so, keeps versions, and can never stop to`() throws {
        let s3 = S3Client(try TestServer())
        let lock = ("x-amz-bucket-object-lock-enabled", "True")
        #expect(try s3.send(S3Call("PUT", "vault", headers: [lock])).status == 200)
        #expect(try s3.send(S3Call("GET", "vault", query: [("versioning", "")])).element("Status") == "Enabled")
        let bare = try s3.send(S3Call("GET", "vault", query: [("object-lock", "")]))
        #expect(bare.status == 200 && bare.element("ObjectLockEnabled") == "Enabled" && !bare.text.contains("Rule"))
        let suspension = "<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>"
        let refused = try put("versioning", suspension, on: "vault", s3)
        #expect(refused.status == 409 && refused.code == "InvalidBucketState")
        #expect(try put("object-lock", Self.configuration, on: "vault", s3).status == 200)
        #expect(try s3.send(S3Call("GET", "vault", query: [("object-lock", "")])).element("Days") == "2")
    }

    @Test func `can be made of one that keeps versions only`() throws {
        let s3 = S3Client(try TestServer())
        let absent = try s3.send(S3Call("GET", "photos", query: [("object-lock", "")]))
        #expect(absent.status == 404 && absent.code == "ObjectLockConfigurationNotFoundError")
        let early = try put("object-lock", Self.configuration, on: "photos", s3)
        #expect(early.status == 409 && early.code == "InvalidBucketState")
        try s3.keepVersions()
        #expect(try put("object-lock", Self.configuration, on: "photos", s3).status == 200)
        #expect(try put("object-lock", "<ObjectLockConfiguration/>", on: "photos", s3).code == "MalformedXML")
        #expect(try s3.send(S3Call("GET", "photos", query: [("object-lock", "")])).element("Days") == "2")
    }
}
