import ShoalServer
import ShoalSigV4
import ShoalWire
import Testing

@Suite struct `A configuration of a bucket` {
    private static let namespace = #" xmlns="http://s3.amazonaws.com/doc/2006-03-01/""#
    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    private func call(_ method: String, _ name: String, _ body: String = "") -> S3Call {
        S3Call(method, "photos", query: [(name, "")], body: body)
    }

    /// Name, what is put, what the PUT answers, and the answer to a GET before and after a DELETE.
    static let configurations: [(name: String, body: String, status: Int, unset: String, dropped: String?)] = [
        (
            "cors",
            "<CORSConfiguration><CORSRule><AllowedMethod>PUT</AllowedMethod><AllowedOrigin>http://a</AllowedOrigin>"
                + "</CORSRule></CORSConfiguration>", 200, "NoSuchCORSConfiguration", "NoSuchCORSConfiguration"
        ),
        (
            "tagging", "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>", 204,
            "NoSuchTagSet", "NoSuchTagSet"
        ),
        (
            "requestPayment",
            "<RequestPaymentConfiguration><Payer>Requester</Payer></RequestPaymentConfiguration>", 200,
            "<Payer>BucketOwner</Payer>", nil
        ),
        (
            "accelerate", "<AccelerateConfiguration><Status>Enabled</Status></AccelerateConfiguration>", 200,
            #"/doc/2006-03-01/"/>"#, nil
        ),
        (
            "ownershipControls",
            "<OwnershipControls><Rule><ObjectOwnership>ObjectWriter</ObjectOwnership></Rule></OwnershipControls>", 200,
            "BucketOwnerEnforced", "OwnershipControlsNotFoundError"
        ),
        (
            "publicAccessBlock",
            "<PublicAccessBlockConfiguration><BlockPublicAcls>false</BlockPublicAcls></PublicAccessBlockConfiguration>",
            200, "<BlockPublicAcls>true</BlockPublicAcls>", "NoSuchPublicAccessBlockConfiguration"
        ),
        (
            "encryption",
            "<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault>"
                + "<SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault>"
                + "<BucketKeyEnabled>true</BucketKeyEnabled></Rule></ServerSideEncryptionConfiguration>", 200,
            "<BucketKeyEnabled>false</BucketKeyEnabled>", "<BucketKeyEnabled>false</BucketKeyEnabled>"
        ),
        (
            "website",
            "<WebsiteConfiguration><IndexDocument><Suffix>index.html</Suffix></IndexDocument>"
                + "<RoutingRules><RoutingRule><Redirect><HostName>a.example</HostName></Redirect></RoutingRule>"
                + "</RoutingRules></WebsiteConfiguration>", 200, "NoSuchWebsiteConfiguration",
            "NoSuchWebsiteConfiguration"
        ),
    ]

    @Test(arguments: ["<TagSet/>", ""])
    func `of no tags is none`(set: String) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let tags = "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>"
        #expect(try s3.send(call("PUT", "tagging", tags)).status == 204)
        #expect(try s3.send(call("PUT", "tagging", "<Tagging>\(set)</Tagging>")).status == 204)
        #expect(try s3.send(call("GET", "tagging")).code == "NoSuchTagSet")
    }

    @Test(arguments: configurations)
    func `is put, told, kept across a restart, and dropped`(
        name: String, body: String, status: Int, unset: String, dropped: String?
    ) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.send(call("GET", name)).text.contains(unset))
        #expect(try s3.send(call("PUT", name, body)).status == status)
        let told = try s3.send(call("GET", name)).text
        let inner = body.drop { $0 != ">" }.dropFirst()
        #expect(told.hasPrefix(Self.declaration) && told.contains(Self.namespace))
        for text in inner.split(separator: "<").filter({ !$0.hasPrefix("/") }) { #expect(told.contains("<\(text)")) }
        #expect(try s3.send(call("PUT", name, "<Nonsense/>")).code == "MalformedXML")
        #expect(try s3.send(call("GET", name)).text == told)
        server.stop()
        let again = try TestServer { $0.storage = .directory(server.data) }
        #expect(try S3Client(again).send(call("GET", name)).text == told)
        guard let dropped else { return }
        #expect(try S3Client(again).send(call("DELETE", name)).status == 204)
        #expect(try S3Client(again).send(call("GET", name)).text.contains(dropped))
        #expect(try S3Client(again).send(S3Call("HEAD", "photos")).status == 200)
    }

    @Test(arguments: [
        ("versioning", 200, "VersioningConfiguration"), ("notification", 200, "NotificationConfiguration"),
        ("policy", 404, "NoSuchBucketPolicy"), ("policyStatus", 404, "NoSuchBucketPolicy"),
        ("lifecycle", 404, "NoSuchLifecycleConfiguration"), ("website", 404, "NoSuchWebsiteConfiguration"),
        ("object-lock", 404, "ObjectLockConfigurationNotFoundError"), ("logging", 200, "BucketLoggingStatus"),
        ("acl", 200, "FULL_CONTROL"),
    ])
    func `of a new bucket is what S3 says it is`(name: String, status: Int, text: String) throws {
        let server = try TestServer()
        let answer = try S3Client(server).send(call("GET", name))
        #expect(answer.status == status && answer.text.contains(text))
    }

    @Test func `of other origins decides what a page may do`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let rules =
            "<CORSConfiguration><CORSRule><AllowedOrigin>http://*.example.com</AllowedOrigin>"
            + "<AllowedMethod>PUT</AllowedMethod><AllowedHeader>x-amz-*</AllowedHeader>"
            + "<ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>"
        #expect(try s3.send(call("PUT", "cors", rules)).status == 200)
        func preflight(_ origin: String, _ method: String, _ headers: String) throws -> WireResponse {
            try s3.send(
                S3Call(
                    "OPTIONS", "photos", "a",
                    headers: [
                        ("Origin", origin), ("Access-Control-Request-Method", method),
                        ("Access-Control-Request-Headers", headers),
                    ]), .none)
        }
        let allowed = try preflight("http://a.example.com", "PUT", "x-amz-meta-a")
        #expect(allowed.status == 200 && allowed["Access-Control-Allow-Origin"] == "http://a.example.com")
        #expect(try preflight("http://a.example.com", "PUT", "x-other").status == 403)
        #expect(try preflight("http://a.example.com", "GET", "x-amz-meta-a").status == 403)
        #expect(try preflight("http://example.org", "PUT", "x-amz-meta-a").status == 403)
        let put = try s3.put("a", "x", headers: [("Origin", "http://a.example.com")])
        #expect(put["Access-Control-Allow-Origin"] == "http://a.example.com")
        #expect(put["Access-Control-Expose-Headers"] == "ETag")
        let stranger = try s3.put("a", "x", headers: [("Origin", "http://example.org")])
        #expect(stranger.status == 200 && stranger["Access-Control-Allow-Origin"] == nil)
        #expect(try s3.send(call("DELETE", "cors")).status == 204)
        #expect(try preflight("http://example.org", "PUT", "x-other").status == 200)
    }

    @Test func `changed by many at once loses none of them`() async throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        await withTaskGroup(of: Void.self) { group in
            for configuration in Self.configurations {
                group.addTask { _ = try? s3.send(call("PUT", configuration.name, configuration.body)) }
            }
        }
        for configuration in Self.configurations {
            #expect(
                try !s3.send(call("GET", configuration.name)).text.contains(configuration.unset),
                "\(configuration.name)")
        }
    }
}

@Suite struct `The configurations of a bucket` {
    @Test func `are refused where they are together too large to be kept`() throws {
        let server = try TestServer { $0.webhooks = [Webhook(name: "w", url: "http://127.0.0.1:1/")!] }
        let s3 = S3Client(server)
        // Under 2 MiB on its way, and four times as long when it is written back.
        let text = String(repeating: ">", count: 1_900_000)
        let website =
            "<WebsiteConfiguration><IndexDocument><Suffix>\(text)</Suffix></IndexDocument></WebsiteConfiguration>"
        let notification =
            "<NotificationConfiguration><QueueConfiguration><Queue>arn:aws:sqs:us-east-1:000000000000:w</Queue>"
            + "<Event>s3:ObjectCreated:*</Event><Filter><S3Key><FilterRule><Name>prefix</Name><Value>\(text)</Value>"
            + "</FilterRule></S3Key></Filter></QueueConfiguration></NotificationConfiguration>"
        let configurations = [("website", website), ("notification", notification)]
        let answers = try configurations.map { name, body in
            try s3.send(S3Call("PUT", "photos", query: [(name, "")], body: body))
        }
        #expect(answers.contains { $0.status == 400 && $0.code == "InvalidRequest" || $0.code == "InvalidArgument" })
        #expect(try s3.put("a", "x").status == 200)
    }
}

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
        let enabled = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
        try s3.send(S3Call("PUT", "photos", query: [("versioning", "")], body: enabled))
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

@Suite struct `A policy of a bucket` {
    private func put(_ policy: String) -> S3Call {
        S3Call("PUT", "photos", query: [("policy", "")], body: policy)
    }

    private func statement(_ effect: String, _ action: String, _ resource: String, _ more: String = "") -> String {
        #"{"Effect":"\#(effect)","Principal":"*","Action":"s3:\#(action)","Resource":"arn:aws:s3:::\#(resource)"\#(more)}"#
    }

    @Test func `lets in and keeps out`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("open/a", "x")
        try s3.put("secret", "x")
        let policy =
            #"{"Version":"2012-10-17","Statement":["#
            + statement("Allow", "GetObject", "photos/open/*") + ","
            + statement("Deny", "DeleteObject", "photos/open/*") + "]}"
        // The block of a new bucket forbids a policy that is public.
        #expect(try s3.send(put(policy)).status == 403)
        #expect(try s3.send(S3Call("DELETE", "photos", query: [("publicAccessBlock", "")])).status == 204)
        #expect(try s3.send(put(policy)).status == 204)
        #expect(try s3.send(S3Call("GET", "photos", query: [("policy", "")])).text == policy)
        #expect(try s3.send(S3Call("GET", "photos", query: [("policyStatus", "")])).element("IsPublic") == "true")
        #expect(try s3.send(S3Call("GET", "photos", "open/a"), .none).status == 200)
        #expect(try s3.send(S3Call("GET", "photos", "open/none"), .none).status == 403)
        #expect(try s3.send(S3Call("GET", "photos", "secret"), .none).status == 403)
        #expect(try s3.send(S3Call("DELETE", "photos", "open/a")).status == 403)
        let body = "<Delete><Object><Key>open/a</Key></Object><Object><Key>secret</Key></Object></Delete>"
        let many = try s3.send(
            S3Call(
                "POST", "photos", query: [("delete", "")], headers: [("x-amz-checksum-sha256", sha256Base64(body))],
                body: body))
        #expect(many.text.components("Code") == ["AccessDenied"])
        #expect(many.text.components("Deleted") == ["<Key>secret</Key>"])
        #expect(try s3.has("open/a"))
        #expect(try s3.send(S3Call("DELETE", "photos", query: [("policy", "")])).status == 204)
        #expect(try s3.send(S3Call("DELETE", "photos", "open/a")).status == 204)
        #expect(try s3.send(put("x")).code == "MalformedPolicy")
    }

    @Test func `that denies the deletion of versions holds for many at once`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        let enabled = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
        try s3.send(S3Call("PUT", "photos", query: [("versioning", "")], body: enabled))
        let version = try #require(try s3.put("a", "x")["x-amz-version-id"])
        let policy = #"{"Statement":["# + statement("Deny", "DeleteObjectVersion", "photos/*") + "]}"
        #expect(try s3.send(put(policy)).status == 204)
        let body =
            "<Delete><Object><Key>a</Key><VersionId>\(version)</VersionId></Object><Object><Key>b</Key></Object></Delete>"
        let many = try s3.send(
            S3Call(
                "POST", "photos", query: [("delete", "")], headers: [("x-amz-checksum-sha256", sha256Base64(body))],
                body: body))
        #expect(many.text.components("Code") == ["AccessDenied"] && many.text.components("Deleted").count == 1)
        #expect(try s3.send(S3Call("GET", "photos", "a", query: [("versionId", version)])).text == "x")
    }

    /// The documented way to shorten the life of presigned URLs.
    @Test func `shortens the life of a presigned URL`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put("a", "x")
        let condition = #","Condition":{"NumericGreaterThan":{"s3:signatureAge":"60000"}}"#
        let policy = #"{"Statement":["# + statement("Deny", "GetObject", "photos/*", condition) + "]}"
        #expect(try s3.send(put(policy)).status == 204)
        let now = S3Client.now
        let call = S3Call("GET", "photos", "a")
        #expect(try s3.send(call, .presigned(seconds: 3_600), at: now).status == 200)
        #expect(try s3.send(call, .presigned(seconds: 3_600), at: now.adding(seconds: -120)).status == 403)
    }
}
