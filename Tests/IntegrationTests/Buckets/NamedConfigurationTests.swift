import ShoalWire
import Testing

@Suite struct `Configurations of which a bucket has many` {
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let root: String
        let content: String

        var testDescription: String { name }

        func body(_ id: String, _ more: String = "") -> String { "<\(root)><Id>\(id)</Id>\(content)\(more)</\(root)>" }
    }

    static let kinds = [
        Kind(name: "metrics", root: "MetricsConfiguration", content: "<Filter><Prefix>a&amp;b/</Prefix></Filter>"),
        Kind(
            name: "analytics", root: "AnalyticsConfiguration", content: "<StorageClassAnalysis></StorageClassAnalysis>"),
        Kind(
            name: "inventory", root: "InventoryConfiguration",
            content: "<Destination><S3BucketDestination><Bucket>arn:aws:s3:::films</Bucket><Format>CSV</Format>"
                + "</S3BucketDestination></Destination><IsEnabled>true</IsEnabled>"
                + "<IncludedObjectVersions>All</IncludedObjectVersions><Schedule><Frequency>Daily</Frequency></Schedule>"
        ),
        Kind(
            name: "intelligent-tiering", root: "IntelligentTieringConfiguration",
            content: "<Status>Enabled</Status><Tiering><Days>90</Days><AccessTier>ARCHIVE_ACCESS</AccessTier></Tiering>"
                + "<Tiering><Days>180</Days><AccessTier>DEEP_ARCHIVE_ACCESS</AccessTier></Tiering>"),
    ]

    private func call(_ method: String, _ kind: Kind, _ id: String?, _ body: String = "") -> S3Call {
        S3Call(method, "photos", query: [(kind.name, "")] + (id.map { [("id", $0)] } ?? []), body: body)
    }

    @Test(arguments: kinds)
    func `are put, told as they were, listed and dropped, each by its id`(kind: Kind) throws {
        let s3 = S3Client(try TestServer())
        #expect(try s3.send(call("GET", kind, "one")).code == "NoSuchConfiguration")
        for id in ["two", "one"] { #expect(try s3.send(call("PUT", kind, id, kind.body(id))).status == 204) }
        let told = try s3.send(call("GET", kind, "one"))
        #expect(told.status == 200 && told.text.hasSuffix("<Id>one</Id>\(kind.content)</\(kind.root)>"))
        let list = try s3.send(call("GET", kind, nil))
        #expect(list.element("IsTruncated") == "false")
        #expect(list.text.contains(kind.body("one") + kind.body("two")))
        #expect(try s3.send(call("DELETE", kind, "one")).status == 204)
        let gone = try s3.send(call("DELETE", kind, "one"))
        #expect(gone.status == 404 && gone.code == "NoSuchConfiguration")
        #expect(try !s3.send(call("GET", kind, nil)).text.contains("<Id>one</Id>"))
    }

    @Test(arguments: kinds)
    func `are refused if they are no such thing`(kind: Kind) throws {
        let s3 = S3Client(try TestServer())
        for body in [
            kind.body("one", "<More/>"), "<Other><Id>one</Id></Other>", "<\(kind.root)></\(kind.root)>", "no XML",
        ] {
            #expect(try s3.send(call("PUT", kind, "one", body)).code == "MalformedXML", "\(body)")
        }
        #expect(try s3.send(call("PUT", kind, "other", kind.body("one"))).code == "InvalidArgument")
        let long = String(repeating: "i", count: 65)
        #expect(try s3.send(call("PUT", kind, long, kind.body(long))).code == "InvalidArgument")
        #expect(try s3.send(call("PUT", kind, nil, kind.body("one"))).code == "InvalidArgument")
        #expect(try !s3.send(call("GET", kind, nil)).text.contains("<Id>"))
    }

    @Test func `come in pages of a hundred`() throws {
        let s3 = S3Client(try TestServer())
        let kind = Self.kinds[0]
        let ids = (100..<203).map { "id \($0)" }
        for id in ids { #expect(try s3.send(call("PUT", kind, id, kind.body(id))).status == 204) }
        let first = try s3.send(call("GET", kind, nil))
        #expect(first.element("IsTruncated") == "true")
        let token = try #require(first.element("NextContinuationToken"))
        let second = try s3.send(
            S3Call("GET", "photos", query: [("metrics", ""), ("continuation-token", token)]))
        #expect(second.element("IsTruncated") == "false" && second.element("ContinuationToken") == token)
        #expect([first, second].flatMap { $0.text.components("Id") } == ids)
        let wrong = S3Call("GET", "photos", query: [("metrics", ""), ("continuation-token", "?")])
        #expect(try s3.send(wrong).code == "InvalidArgument")
    }

    @Test func `and the one of replication are kept, but want versions on both sides`() throws {
        let s3 = S3Client(try TestServer())
        let query = [("replication", "")]
        let body =
            "<ReplicationConfiguration><Role>arn:aws:iam::000000000000:role/r</Role><Rule><ID>r</ID><Prefix></Prefix>"
            + "<Status>Enabled</Status><Destination><Bucket>arn:aws:s3:::films</Bucket></Destination></Rule>"
            + "</ReplicationConfiguration>"
        let none = try s3.send(S3Call("GET", "photos", query: query))
        #expect(none.status == 404 && none.code == "ReplicationConfigurationNotFoundError")
        let put = S3Call("PUT", "photos", query: query, body: body)
        for bucket in ["photos", "films"] {
            let refused = try s3.send(put)
            #expect(refused.status == 400 && refused.code == "InvalidRequest")
            try s3.keepVersions(in: bucket)
        }
        #expect(try s3.send(put).status == 200)
        #expect(
            try s3.send(S3Call("GET", "photos", query: query)).text.contains("<Role>arn:aws:iam::000000000000:role/r"))
        #expect(
            try s3.send(S3Call("PUT", "photos", query: query, body: "<ReplicationConfiguration/>")).code
                == "MalformedXML")
        #expect(try s3.send(S3Call("DELETE", "photos", query: query)).status == 204)
        #expect(try s3.send(S3Call("GET", "photos", query: query)).status == 404)
    }
}
