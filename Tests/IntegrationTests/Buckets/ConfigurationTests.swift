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
