import ShoalServer
import ShoalSigV4
import ShoalWire
import Testing

@Suite struct `An access control list` {
    private func put(_ key: String?, _ headers: [WireRequest.Field], _ body: String = "") -> S3Call {
        S3Call("PUT", "photos", key, query: [("acl", "")], headers: headers, body: body)
    }

    @Test func `says that everything is the owner's`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        for key in [nil, "a"] {
            let answer = try s3.send(S3Call("GET", "photos", key, query: [("acl", "")]))
            #expect(answer.status == 200 && answer.text.components("Permission") == ["FULL_CONTROL"])
            #expect(try s3.send(put(key, [("x-amz-acl", "bucket-owner-full-control")])).status == 200)
        }
        let none = try s3.send(S3Call("GET", "photos", "none", query: [("acl", "")]))
        #expect(none.status == 404 && none.code == "NoSuchKey")
    }

    @Test func `is refused where the bucket leaves no room for it`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        for key in [nil, "a"] {
            let answer = try s3.send(put(key, [("x-amz-acl", "private")]))
            #expect(answer.status == 400 && answer.code == "AccessControlListNotSupported")
        }
        let publicRead: [WireRequest.Field] = [("x-amz-acl", "public-read")]
        let calls = [
            put("a", publicRead), put(nil, publicRead), S3Call("PUT", "photos", "b", headers: publicRead, body: "x"),
        ]
        for call in calls {
            let answer = try s3.send(call)
            #expect(answer.status == 400 && answer.code == "AccessControlListNotSupported")
        }
        let created = try s3.send(S3Call("PUT", "new-bucket", headers: publicRead))
        #expect(created.status == 400 && created.code == "InvalidBucketAclWithObjectOwnership")
        try allowLists(s3)
        for call in calls { #expect(try s3.send(call).status == 403) }
        #expect(try !s3.has("b"))
        #expect(try s3.send(put("a", [])).code == "MissingSecurityHeader")
    }

    @Test func `that grants something to others has to go before lists stop to count`() throws {
        let server = try TestServer { $0.newBuckets = .open }
        let s3 = S3Client(server)
        let body =
            "<OwnershipControls><Rule><ObjectOwnership>BucketOwnerEnforced</ObjectOwnership></Rule></OwnershipControls>"
        let enforced = S3Call("PUT", "photos", query: [("ownershipControls", "")], body: body)
        #expect(try s3.send(put(nil, [("x-amz-acl", "public-read")])).status == 200)
        let refused = try s3.send(enforced)
        #expect(refused.status == 400 && refused.code == "InvalidBucketAclWithObjectOwnership")
        #expect(try s3.send(put(nil, [("x-amz-acl", "private")])).status == 200)
        #expect(try s3.send(enforced).status == 200)
    }

    /// versity/versitygw#1869: rclone says `private` of every bucket it makes and of every object it puts there.
    @Test func `that is private makes a bucket in which lists count`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let isPrivate: [WireRequest.Field] = [("x-amz-acl", "private")]
        #expect(try s3.send(S3Call("PUT", "rclones", headers: isPrivate)).status == 200)
        let controls = try s3.send(S3Call("GET", "rclones", query: [("ownershipControls", "")]))
        #expect(controls.element("ObjectOwnership") == "BucketOwnerPreferred")
        #expect(try s3.send(S3Call("PUT", "rclones", "a", headers: isPrivate, body: "x")).status == 200)
        let refused = try s3.send(S3Call("PUT", "photos", "a", headers: isPrivate, body: "x"))
        #expect(refused.status == 400 && refused.code == "AccessControlListNotSupported")
    }

    @Test func `is the named version's own, not the current one's`() throws {
        let server = try TestServer { $0.newBuckets = .open }
        let s3 = S3Client(server)
        try s3.keepVersions()
        let closed = try #require(try s3.put("a", "closed")["x-amz-version-id"])
        let open = try #require(try s3.put("a", "open", headers: [("x-amz-acl", "public-read")])["x-amz-version-id"])
        func status(_ version: String) throws -> Int {
            try s3.send(S3Call("GET", "photos", "a", query: [("versionId", version)]), .none).status
        }
        #expect(try s3.send(S3Call("GET", "photos", "a"), .none).text == "open")
        #expect(try status(closed) == 403 && status(open) == 200)
        try s3.put("a", "closed again")
        #expect(try s3.send(S3Call("GET", "photos", "a"), .none).status == 403)
        #expect(try status(closed) == 403 && status(open) == 200)
    }

    @Test func `names the first account if it was given a name`() throws {
        let id = String(repeating: "1", count: 64)
        let main = Account(
            accessKey: ServeOptions.usualAccessKey, secretKey: Secret(ServeOptions.usualSecretKey), ownerID: id,
            displayName: "Main")
        let server = try TestServer { $0.accounts = [main] }
        let s3 = S3Client(server)
        try s3.put("a", "x")
        for query in [[("acl", "")], []] as [[(String, String)]] {
            let answer = try s3.send(S3Call("GET", "photos", query: query))
            #expect(answer.element("ID") == id && answer.element("DisplayName") == "Main")
        }
        let acl = try s3.send(S3Call("GET", "photos", "a", query: [("acl", "")]))
        #expect(acl.text.components("DisplayName") == ["Main", "Main"])
        let other = Account(
            accessKey: ServeOptions.usualAccessKey, secretKey: Secret("other"), ownerID: id, displayName: "Main")
        #expect(throws: StartFailure.self) { try TestServer { $0.accounts = [other] } }
    }

    /// What test suites expect that were written before April 2023.
    @Test func `counts from the start where new buckets are open`() throws {
        let server = try TestServer { $0.newBuckets = .open }
        let s3 = S3Client(server)
        let publicRead: [WireRequest.Field] = [("x-amz-acl", "public-read")]
        #expect(try s3.send(S3Call("PUT", "new-bucket", headers: publicRead)).status == 200)
        for bucket in ["new-bucket", "photos"] {
            #expect(try s3.send(S3Call("PUT", bucket, "a", headers: publicRead, body: "x")).status == 200)
            #expect(try s3.send(S3Call("GET", bucket, "a"), .none).text == "x")
        }
        #expect(try s3.send(S3Call("GET", "new-bucket"), .none).status == 200)
        #expect(try s3.send(S3Call("GET", "photos"), .none).status == 403)
    }

    private func allowLists(_ s3: S3Client, block: Bool = true) throws {
        let controls =
            "<OwnershipControls><Rule><ObjectOwnership>ObjectWriter</ObjectOwnership></Rule></OwnershipControls>"
        try s3.send(S3Call("PUT", "photos", query: [("ownershipControls", "")], body: controls))
        if !block { try s3.send(S3Call("DELETE", "photos", query: [("publicAccessBlock", "")])) }
    }

    @Test func `lets in whom it names, to the object or to the bucket`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try allowLists(s3, block: false)
        let publicRead: [WireRequest.Field] = [("x-amz-acl", "public-read")]
        try s3.put("open", "x", headers: publicRead)
        try s3.put("closed", "x")
        func anonymous(_ call: S3Call) throws -> Int { try s3.send(call, .none).status }
        #expect(try anonymous(S3Call("GET", "photos", "open")) == 200)
        #expect(try anonymous(S3Call("GET", "photos", "closed")) == 403)
        #expect(try anonymous(S3Call("GET", "photos", "none")) == 403)
        #expect(try anonymous(S3Call("PUT", "photos", "open", body: "y")) == 403)
        #expect(try anonymous(S3Call("GET", "photos")) == 403)
        #expect(try s3.send(put("closed", publicRead)).status == 200)
        #expect(try anonymous(S3Call("GET", "photos", "closed")) == 200)
        #expect(try s3.send(put("closed", [("x-amz-acl", "private")])).status == 200)
        #expect(try anonymous(S3Call("GET", "photos", "closed")) == 403)
        #expect(try s3.send(put(nil, publicRead)).status == 200)
        #expect(try anonymous(S3Call("GET", "photos")) == 200)
        #expect(try anonymous(S3Call("GET", "photos", "none")) == 404)
        let told = try s3.send(S3Call("GET", "photos", "open", query: [("acl", "")]))
        #expect(told.text.components("Permission") == ["FULL_CONTROL", "READ"])
    }
}
