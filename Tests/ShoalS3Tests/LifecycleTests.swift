import ShoalS3
import Testing

@Suite struct `A lifecycle configuration` {
    private static func body(_ rules: String) -> [UInt8] {
        Array("<LifecycleConfiguration>\(rules)</LifecycleConfiguration>".utf8)
    }

    private static func rule(
        _ action: String = "<Expiration><Days>1</Days></Expiration>", id: String = "r", _ filter: String = "<Filter/>"
    )
        -> String
    {
        "<Rule><ID>\(id)</ID>\(filter)<Status>Enabled</Status>\(action)</Rule>"
    }

    @Test(arguments: ["lifecycle", "lifecycle-v1"])
    func `is written as it was read`(golden: String) throws {
        let document = try goldenXML(golden)
        let configuration = try LifecycleConfiguration(Array(document.utf8))
        #expect(text(configuration.document) == document)
    }

    @Test func `gives a rule an id that stays`() throws {
        let body = Self.body(Self.rule(id: "") + Self.rule(id: "").replacing("<ID></ID>", with: ""))
        let rules = try LifecycleConfiguration(body).rules
        #expect(rules.map(\.id.count) == [48, 48] && rules[0].id != rules[1].id)
        #expect(try LifecycleConfiguration(body).rules == rules)
    }

    private static let malformed: [String] = [
        "", "<Rule/>", rule("<Expiration/>"),
        rule("<Expiration><Days>1</Days><Date>2030-01-01</Date></Expiration>"),
        rule("<Expiration><Days>1</Days><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>"),
        rule("<Expiration><Date>soon</Date></Expiration>"), rule("<Expiration><Days>1.5</Days></Expiration>"),
        rule("<Expiration><Days>2147483648</Days></Expiration>"),
        "<Rule><Status>Enabled</Status><Expiration><Days>1</Days></Expiration></Rule>",
        "<Rule><Filter/><Prefix/><Status>Enabled</Status><Expiration><Days>1</Days></Expiration></Rule>",
        "<Rule><Filter/><Status>enabled</Status><Expiration><Days>1</Days></Expiration></Rule>",
        "<Rule><Filter/><Expiration><Days>1</Days></Expiration></Rule>",
        "<Rule><Filter><Prefix/><ObjectSizeLessThan>9</ObjectSizeLessThan></Filter><Status>Enabled</Status>"
            + "<Expiration><Days>1</Days></Expiration></Rule>",
        "<Rule><Filter><Tag><Key>a</Key></Tag></Filter><Status>Enabled</Status>"
            + "<Expiration><Days>1</Days></Expiration></Rule>",
        rule("<Transition><Days>1</Days><StorageClass>STANDARD</StorageClass></Transition>"),
        rule("<Transition><StorageClass>GLACIER</StorageClass></Transition>"),
        rule("<Transition><Days>1</Days></Transition>"), rule("<NoncurrentVersionExpiration/>"),
        rule("<AbortIncompleteMultipartUpload/>"),
    ]

    @Test(arguments: malformed)
    func `is malformed if a rule lacks or contradicts something`(rules: String) {
        #expect(refusal { _ = try LifecycleConfiguration(Self.body(rules)) } == malformedXML)
    }

    private static let tag = "<Tag><Key>a</Key><Value>b</Value></Tag>"

    private static let refused: [(String, String)] = [
        (rule(""), "InvalidRequest | At least one action needs to be specified in a rule"),
        (rule("", "<Prefix>a</Prefix>"), "InvalidRequest | At least one action needs to be specified in a rule"),
        (
            rule("<Expiration><Date>2030-01-01T01:00:00Z</Date></Expiration>"),
            "InvalidArgument | 'Date' must be at midnight GMT | ArgumentName=Date | ArgumentValue=2030-01-01T01:00:00Z"
        ),
        (
            rule("<Expiration><Days>0</Days></Expiration>"),
            "InvalidArgument | 'Days' for Expiration action must be a positive integer | ArgumentName=Days | "
                + "ArgumentValue=0"
        ),
        (
            rule("<NoncurrentVersionExpiration><NoncurrentDays>-1</NoncurrentDays></NoncurrentVersionExpiration>"),
            "InvalidArgument | 'NoncurrentDays' for NoncurrentVersionExpiration action must be a positive integer | "
                + "ArgumentName=NoncurrentDays | ArgumentValue=-1"
        ),
        (
            rule(
                "<AbortIncompleteMultipartUpload><DaysAfterInitiation>0</DaysAfterInitiation>"
                    + "</AbortIncompleteMultipartUpload>"),
            "InvalidArgument | 'DaysAfterInitiation' for AbortIncompleteMultipartUpload action must be a positive "
                + "integer | ArgumentName=DaysAfterInitiation | ArgumentValue=0"
        ),
        (
            rule("<Transition><Days>-1</Days><StorageClass>GLACIER</StorageClass></Transition>"),
            "InvalidArgument | 'Days' in Transition action must be nonnegative | ArgumentName=Days | ArgumentValue=-1"
        ),
        (
            rule() + rule(),
            "InvalidArgument | Rule ID must be unique. Found same ID for more than one rule | ArgumentName=ID | "
                + "ArgumentValue=r"
        ),
        (
            rule("<Expiration><Days>1</Days></Expiration>", "<Filter><And>\(tag)\(tag)</And></Filter>"),
            "InvalidRequest | Duplicate Tag Keys are not allowed."
        ),
        (
            rule(
                "<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation>"
                    + "</AbortIncompleteMultipartUpload>", "<Filter>\(tag)</Filter>"),
            "InvalidRequest | AbortIncompleteMultipartUpload cannot be specified with Tags."
        ),
        (
            rule(
                "<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>",
                "<Filter>\(tag)</Filter>"),
            "InvalidRequest | ExpiredObjectDeleteMarker cannot be specified with Tags."
        ),
        (
            rule(
                "<Expiration><Days>1</Days></Expiration>",
                "<Filter><And><ObjectSizeGreaterThan>9</ObjectSizeGreaterThan>"
                    + "<ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter>"),
            "InvalidRequest | 'ObjectSizeLessThan' has to be a value greater than 'ObjectSizeGreaterThan'."
        ),
        (
            rule("<Expiration><Days>1</Days></Expiration>", "<Prefix>\(String(repeating: "x", count: 1_025))</Prefix>"),
            "InvalidRequest | The maximum size of a prefix is 1024."
        ),
    ]

    @Test(arguments: refused)
    func `is refused in S3's words`(rules: String, expected: String) {
        #expect(refusal { _ = try LifecycleConfiguration(Self.body(rules)) } == expected)
    }

    @Test func `has at most 1,000 rules and ids of 255 characters`() {
        let rules = (0...1_000).map { Self.rule(id: "\($0)") }
        #expect(refusal { _ = try LifecycleConfiguration(Self.body(rules[1...].joined())) } == nil)
        #expect(refusal { _ = try LifecycleConfiguration(Self.body(rules.joined())) } == malformedXML)
        let id = String(repeating: "x", count: 256)
        #expect(
            refusal { _ = try LifecycleConfiguration(Self.body(Self.rule(id: id))) }
                == "InvalidArgument | ID length should not exceed allowed limit of 255 | ArgumentName=ID | "
                + "ArgumentValue=\(id)")
    }

    @Test func `names the smallest size that is moved`() throws {
        func size(_ lines: [String]) throws -> TransitionDefaultMinimumObjectSize {
            try TransitionDefaultMinimumObjectSize(try requestFields("PUT /bucket?lifecycle", lines))
        }
        #expect(try size([]) == .allStorageClasses128K)
        let name = "x-amz-transition-default-minimum-object-size: "
        #expect(try size([name + "varies_by_storage_class"]) == .variesByStorageClass)
        #expect(
            refusal { _ = try size([name + "value"]) }
                == "InvalidRequest | Invalid TransitionDefaultMinimumObjectSize found: value")
    }
}

@Suite struct `A lifecycle rule` {
    private static let written = Timestamp(iso8601: "2026-03-14T15:09:26Z")!

    private static func object(
        _ key: String = "logs/a", size: UInt64 = 10, tags: [String: String] = [:], at time: Timestamp = written
    ) -> LifecycleObject {
        LifecycleObject(
            key: ObjectKey(key.utf8)!, size: size, tags: tags.map { .init(key: $0.key, value: $0.value) },
            lastModified: time)
    }

    private static func expiring(_ days: Int, _ filter: LifecycleFilter = LifecycleFilter(), id: String = "r")
        -> LifecycleRule
    {
        LifecycleRule(id: id, filter: filter, expiration: .at(.days(days)))
    }

    @Test(arguments: [
        ("2026-03-14T15:09:26Z", 1, "2026-03-16T00:00:00Z"), ("2026-03-14T00:00:00Z", 1, "2026-03-15T00:00:00Z"),
        ("2026-03-14T23:59:59.999Z", 3, "2026-03-18T00:00:00Z"), ("2024-02-28T12:00:00Z", 1, "2024-03-01T00:00:00Z"),
        ("1969-12-31T12:00:00Z", 1, "1970-01-02T00:00:00Z"),
    ])
    func `acts at the midnight behind its days`(time: String, days: Int, due: String) {
        let configuration = LifecycleConfiguration(rules: [Self.expiring(days)])
        let object = Self.object(at: Timestamp(iso8601: time)!)
        #expect(configuration.expiration(of: object)?.time.iso8601Seconds == due)
    }

    @Test(arguments: [
        (LifecycleFilter(), true), (LifecycleFilter(prefix: "logs/"), true), (LifecycleFilter(prefix: "Logs/"), false),
        (LifecycleFilter(.ruleLevelPrefix, prefix: ""), true),
        (LifecycleFilter(tags: [.init(key: "a", value: "1")]), true),
        (LifecycleFilter(tags: [.init(key: "a", value: "2")]), false),
        (LifecycleFilter(.conjunction, prefix: "logs/", tags: [.init(key: "b", value: "")]), true),
        (LifecycleFilter(.conjunction, prefix: "x", tags: [.init(key: "b", value: "")]), false),
        (LifecycleFilter(sizeGreaterThan: 10), false), (LifecycleFilter(sizeGreaterThan: 9), true),
        (LifecycleFilter(sizeLessThan: 10), false), (LifecycleFilter(sizeLessThan: 11), true),
    ])
    func `is about the objects its filter passes`(filter: LifecycleFilter, matches: Bool) {
        let configuration = LifecycleConfiguration(rules: [Self.expiring(1, filter)])
        #expect((configuration.expiration(of: Self.object(tags: ["a": "1", "b": ""])) != nil) == matches)
    }

    @Test func `counts if it is enabled and the earliest wins`() {
        let date = Timestamp(iso8601: "2026-03-20")!
        let configuration = LifecycleConfiguration(rules: [
            Self.expiring(30, id: "late"),
            LifecycleRule(id: "by date/é", filter: .init(), expiration: .at(.date(date))),
            LifecycleRule(id: "off", status: .disabled, filter: .init(), expiration: .at(.days(1))),
        ])
        let due = configuration.expiration(of: Self.object())
        #expect(due == LifecycleDue(time: date, ruleID: "by date/é"))
        #expect(
            due?.expirationHeader
                == "expiry-date=\"Fri, 20 Mar 2026 00:00:00 GMT\", rule-id=\"by+date%2F%C3%A9\"")
    }

    @Test(
        arguments: [(0, nil), (1, nil), (2, "2026-03-18T00:00:00Z"), (7, "2026-03-18T00:00:00Z")] as [(Int, String?)])
    func `keeps the newest noncurrent versions`(newer: Int, due: String?) {
        let configuration = LifecycleConfiguration(rules: [
            LifecycleRule(id: "r", filter: .init(), noncurrentExpiration: .init(days: 3, newerVersions: 2))
        ])
        let found = configuration.noncurrentExpiration(
            of: Self.object(), noncurrentSince: Self.written, newerCount: newer)
        #expect(found?.time.iso8601Seconds == due)
        #expect(configuration.expiration(of: Self.object()) == nil)
    }

    @Test(
        arguments: [
            (LifecycleRule.Expiration.expiredObjectDeleteMarker(true), LifecycleFilter(), "2026-03-14T15:09:26Z"),
            (.expiredObjectDeleteMarker(false), LifecycleFilter(), nil),
            (.at(.days(1)), LifecycleFilter(prefix: "logs/"), "2026-03-16T00:00:00Z"),
            (.at(.days(1)), LifecycleFilter(prefix: "x"), nil), (.at(.days(1)), LifecycleFilter(sizeLessThan: 9), nil),
        ] as [(LifecycleRule.Expiration, LifecycleFilter, String?)])
    func `removes a marker that covers nothing`(
        expiration: LifecycleRule.Expiration, filter: LifecycleFilter, due: String?
    ) {
        let configuration = LifecycleConfiguration(rules: [
            LifecycleRule(id: "r", filter: filter, expiration: expiration)
        ])
        let key = ObjectKey("logs/a".utf8)!
        #expect(configuration.markerExpiration(of: key, lastModified: Self.written)?.time.iso8601Seconds == due)
    }

    @Test func `throws away unfinished uploads`() {
        let configuration = LifecycleConfiguration(rules: [
            LifecycleRule(id: "r", filter: .init(prefix: "logs/"), abortIncompleteUploadDays: 7)
        ])
        let due = configuration.abort(ofUploadTo: ObjectKey("logs/a".utf8)!, initiated: Self.written)
        #expect(due?.time.iso8601Seconds == "2026-03-22T00:00:00Z" && due?.ruleID == "r")
        #expect(configuration.abort(ofUploadTo: ObjectKey("a".utf8)!, initiated: Self.written) == nil)
    }

    @Test(
        arguments: [
            ("2026-03-15T00:00:00Z", nil), ("2026-03-16T00:00:00Z", StorageClass.standardIA),
            ("2026-03-18T00:00:00Z", .glacier),
        ] as [(String, StorageClass?)])
    func `moves an object to the class of the last step`(now: String, expected: StorageClass?) {
        let configuration = LifecycleConfiguration(rules: [
            LifecycleRule(
                id: "r", filter: .init(),
                transitions: [.init(.days(3), to: .glacier), .init(.days(1), to: .standardIA)],
                noncurrentTransitions: [.init(days: 1, to: .standardIA), .init(days: 3, to: .glacier)])
        ])
        let now = Timestamp(iso8601: now)!
        let object = Self.object(size: 131_072)
        #expect(configuration.transition(of: object, in: .standard, .allStorageClasses128K, now: now) == expected)
        #expect(
            configuration.noncurrentTransition(
                of: object, in: .standard, .allStorageClasses128K, noncurrentSince: Self.written, newerCount: 0,
                now: now) == expected)
    }

    @Test(
        arguments: [
            (131_071, .standard, .allStorageClasses128K, nil), (131_071, .standard, .variesByStorageClass, .glacier),
            (131_072, .glacier, .allStorageClasses128K, nil), (131_072, .deepArchive, .allStorageClasses128K, nil),
            (131_072, .standardIA, .allStorageClasses128K, .glacier),
        ] as [(UInt64, StorageClass, TransitionDefaultMinimumObjectSize, StorageClass?)])
    func `moves no small object and none upwards`(
        size: UInt64, current: StorageClass, smallest: TransitionDefaultMinimumObjectSize, expected: StorageClass?
    ) {
        let configuration = LifecycleConfiguration(rules: [
            LifecycleRule(id: "r", filter: .init(), transitions: [.init(.days(0), to: .glacier)])
        ])
        let now = Self.written.adding(seconds: 2 * 86_400)
        #expect(configuration.transition(of: Self.object(size: size), in: current, smallest, now: now) == expected)
    }

    @Test func `survives the greatest numbers`() {
        let configuration = LifecycleConfiguration(rules: [Self.expiring(Int(Int32.max))])
        #expect(configuration.expiration(of: Self.object(size: .max)) != nil)
    }
}
