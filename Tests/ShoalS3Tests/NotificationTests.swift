import ShoalJSON
import ShoalS3
import Testing

@Suite struct `A notification configuration` {
    private static let queue = "arn:aws:sqs:us-east-1:111122223333:q"

    private static func body(_ content: String) -> [UInt8] {
        Array("<NotificationConfiguration>\(content)</NotificationConfiguration>".utf8)
    }

    private static func target(
        _ event: String = "s3:ObjectCreated:*", arn: String = queue, filter: String = "", id: String = ""
    ) -> String {
        "<QueueConfiguration>\(id)<Queue>\(arn)</Queue><Event>\(event)</Event>\(filter)</QueueConfiguration>"
    }

    private static func filter(_ rules: [(String, String)]) -> String {
        "<Filter><S3Key>"
            + rules.map { "<FilterRule><Name>\($0.0)</Name><Value>\($0.1)</Value></FilterRule>" }.joined()
            + "</S3Key></Filter>"
    }

    @Test func `is written as S3 writes it and read again`() throws {
        let document = try goldenXML("notification")
        let configuration = try NotificationConfiguration(Array(document.utf8))
        #expect(configuration.targets.count == 3 && configuration.sendsToEventBridge)
        #expect(text(configuration.document) == document)
        #expect(text(NotificationConfiguration().document) == (try goldenXML("notification-none")))
        #expect(try NotificationConfiguration(Self.body("")) == NotificationConfiguration())
    }

    @Test func `gives a target an id that stays and its filter names capitals`() throws {
        let body = Self.body(Self.target(filter: Self.filter([("suffix", ".jpg"), ("PREFIX", "a/")])))
        let configuration = try NotificationConfiguration(body)
        #expect(configuration.targets[0].id.count == 48)
        #expect(configuration.targets[0].prefix == "a/" && configuration.targets[0].suffix == ".jpg")
        #expect(try NotificationConfiguration(body) == configuration)
        #expect(text(configuration.document).contains("<Name>Prefix</Name><Value>a/</Value>"))
    }

    private static let refused: [(String, String)] = [
        (
            target(filter: filter([("name", "x")])),
            "InvalidArgument | filter rule name must be either prefix or suffix | ArgumentName=FilterRule.Name | "
                + "ArgumentValue=name"
        ),
        (
            target(filter: filter([("prefix", "x"), ("Prefix", "y")])),
            "InvalidArgument | Cannot specify more than one prefix rule in a filter. | ArgumentName=FilterRule.Name | "
                + "ArgumentValue=Prefix"
        ),
        (target(arn: "q"), "InvalidArgument | The ARN could not be parsed | ArgumentName=Queue | ArgumentValue=q"),
        (
            target(arn: "arn:aws:sns:us-east-1:111122223333:q"),
            "InvalidArgument | The ARN could not be parsed | ArgumentName=Queue | "
                + "ArgumentValue=arn:aws:sns:us-east-1:111122223333:q"
        ),
        (
            target("s3:ObjectCreated:Fly"),
            "InvalidArgument | The event is not supported for notifications | ArgumentName=Event | "
                + "ArgumentValue=s3:ObjectCreated:Fly"
        ),
        (
            target() + target("s3:ObjectCreated:Put", arn: queue + "2"),
            "InvalidArgument | Configurations overlap. Configurations on the same bucket cannot share a common event type."
        ),
        (
            target(filter: filter([("prefix", "a")])) + target(filter: filter([("prefix", "ab"), ("suffix", "x")])),
            "InvalidArgument | Configurations overlap. Configurations on the same bucket cannot share a common event type."
        ),
        ("<QueueConfiguration><Queue>\(queue)</Queue></QueueConfiguration>", malformedXML),
        ("<QueueConfiguration><Event>s3:ObjectCreated:*</Event></QueueConfiguration>", malformedXML),
        ("<QueueConfiguration><Topic>\(queue)</Topic></QueueConfiguration>", malformedXML), ("<Other/>", malformedXML),
        ("<EventBridgeConfiguration/><EventBridgeConfiguration/>", malformedXML),
    ]

    @Test(arguments: refused)
    func `is refused in S3's words`(content: String, expected: String) {
        #expect(refusal { _ = try NotificationConfiguration(Self.body(content)) } == expected)
    }

    @Test func `has at most 100 targets`() {
        let targets = (0...100).map { Self.target(filter: Self.filter([("prefix", "\($0)/")])) }
        #expect(refusal { _ = try NotificationConfiguration(Self.body(targets[1...].joined())) } == nil)
        #expect(refusal { _ = try NotificationConfiguration(Self.body(targets.joined())) } == malformedXML)
    }

    @Test(arguments: [
        (target() + target("s3:ObjectRemoved:*"), 2),
        (target(filter: filter([("prefix", "a")])) + target(filter: filter([("prefix", "b")])), 2),
        (target(filter: filter([("suffix", "a")])) + target(filter: filter([("suffix", "b")])), 2),
        (target("s3:Replication:*") + target("s3:ReducedRedundancyLostObject"), 2),
    ])
    func `takes targets that share no event`(content: String, count: Int) throws {
        #expect(try NotificationConfiguration(Self.body(content)).targets.count == count)
    }

    @Test(arguments: [
        (NotificationTarget.Service.queue, "arn:aws:sqs:us-east-1:000000000000:thumbs", "thumbs"),
        (.topic, "arn:aws:sns:us-east-1:000000000000:thumbs", "thumbs"),
        (.cloudFunction, "arn:aws:lambda:us-east-1:000000000000:function:thumbs", "thumbs"),
        (.cloudFunction, "arn:aws:lambda:us-east-1:000000000000:function:thumbs:live", "thumbs"),
        (.cloudFunction, "arn:aws:lambda:us-east-1:000000000000:thumbs", ""),
    ])
    func `names a destination by the end of its ARN`(
        service: NotificationTarget.Service, arn: String, name: String
    ) {
        #expect(NotificationTarget(id: "", service: service, arn: arn, events: []).resourceName == name)
    }

    @Test func `tells the events of a deletion apart once it is known what it left`() {
        #expect(ObjectEvent.named(.objectCreatedPut).names == [.objectCreatedPut])
        #expect(ObjectEvent.deletion.name(leavingMarker: false) == .objectRemovedDelete)
        #expect(ObjectEvent.deletion.name(leavingMarker: true) == .objectRemovedDeleteMarkerCreated)
        #expect(
            ObjectEvent.expiration.names == [.lifecycleExpirationDelete, .lifecycleExpirationDeleteMarkerCreated])
    }

    @Test(arguments: [
        ("s3:ObjectCreated:*", EventName.objectCreatedCopy, "a/b.jpg", true),
        ("s3:ObjectCreated:Put", .objectCreatedPut, "a/b.jpg", true),
        ("s3:ObjectCreated:Put", .objectCreatedPost, "a/b.jpg", false),
        ("s3:ObjectRemoved:*", .objectRemovedDeleteMarkerCreated, "a/.jpg", true),
        ("s3:ObjectCreated:*", .objectCreatedPut, "a/b.JPG", false),
        ("s3:ObjectCreated:*", .objectCreatedPut, "b/b.jpg", false),
        ("s3:ObjectAcl:Put", .objectAclPut, "a/.jpg", true),
        ("s3:LifecycleTransition", .lifecycleTransition, "a/.jpg", true),
        ("s3:LifecycleExpiration:*", .lifecycleTransition, "a/.jpg", false),
    ])
    func `tells targets whose events and filters match`(pattern: String, event: EventName, key: String, isTold: Bool)
        throws
    {
        let configuration = NotificationConfiguration(targets: [
            NotificationTarget(
                id: "i", service: .queue, arn: Self.queue, events: [try #require(EventPattern(pattern))], prefix: "a/",
                suffix: ".jpg")
        ])
        #expect(configuration.targets(of: event, key: ObjectKey(key.utf8)!).isEmpty != isTold)
    }
}

@Suite struct `An event record` {
    private static func record(_ name: EventName, key: String = "a/b c@é.txt") -> EventRecord {
        EventRecord(
            name, at: Timestamp(milliseconds: 1_700_049_760_123), region: .usEast1, principalID: "AWS:A",
            sourceIP: "127.0.0.1", identifiers: RequestIdentifiers(requestID: "R", hostID: "H"),
            path: ObjectPath(bucket: BucketName("photos")!, key: ObjectKey(key.utf8)!), bucketOwnerID: "O", size: 9,
            etag: ETag(unquoted: "abc"), versionID: "v1", sequencer: 0xAB)
    }

    @Test func `is written as S3 writes it`() {
        #expect(
            text(Self.record(.objectCreatedPut).message(configurationID: "c"))
                == #"{"Records":[{"eventVersion":"2.1","eventSource":"aws:s3","awsRegion":"us-east-1","#
                + #""eventTime":"2023-11-15T12:02:40.123Z","eventName":"ObjectCreated:Put","#
                + #""userIdentity":{"principalId":"AWS:A"},"requestParameters":{"sourceIPAddress":"127.0.0.1"},"#
                + #""responseElements":{"x-amz-request-id":"R","x-amz-id-2":"H"},"s3":{"s3SchemaVersion":"1.0","#
                + #""configurationId":"c","bucket":{"name":"photos","ownerIdentity":{"principalId":"O"},"#
                + #""arn":"arn:aws:s3:::photos"},"object":{"key":"a/b+c%40%C3%A9.txt","size":9,"eTag":"abc","#
                + #""versionId":"v1","sequencer":"00000000000000AB"}}}]}"#)
    }

    @Test(arguments: [
        (EventName.objectRemovedDelete, "2.1", #"{"key":"k","versionId":"v1","sequencer":"00000000000000AB"}"#),
        (
            .objectRemovedDeleteMarkerCreated, "2.1",
            #"{"key":"k","eTag":"d41d8cd98f00b204e9800998ecf8427e","versionId":"v1","sequencer":"00000000000000AB"}"#
        ),
        (.objectTaggingPut, "2.3", #"{"key":"k","eTag":"abc","versionId":"v1"}"#),
        (.objectAclPut, "2.3", #"{"key":"k","eTag":"abc","versionId":"v1"}"#),
        (.lifecycleExpirationDelete, "2.3", #"{"key":"k","versionId":"v1","sequencer":"00000000000000AB"}"#),
        (
            .lifecycleExpirationDeleteMarkerCreated, "2.3",
            #"{"key":"k","eTag":"d41d8cd98f00b204e9800998ecf8427e","versionId":"v1","sequencer":"00000000000000AB"}"#
        ),
    ])
    func `says what its event knows`(name: EventName, version: String, object: String) {
        let json = Self.record(name, key: "k").json(configurationID: "c")
        #expect(json["eventVersion"] == .string(version))
        #expect(json["s3"]?["object"]?.text == object)
    }

    @Test func `is announced by a test`() {
        let message = NotificationConfiguration.testMessage(
            bucket: BucketName("photos")!, at: Timestamp(milliseconds: 1_700_049_760_123),
            identifiers: RequestIdentifiers(requestID: "R", hostID: "H"))
        #expect(
            text(message)
                == #"{"Service":"Amazon S3","Event":"s3:TestEvent","Time":"2023-11-15T12:02:40.123Z","#
                + #""Bucket":"photos","RequestId":"R","HostId":"H"}"#)
    }
}
