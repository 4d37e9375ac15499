import ShoalS3
import Testing

@Suite struct `An object lock configuration` {
    private static func body(_ content: String) -> [UInt8] {
        Array("<ObjectLockConfiguration>\(content)</ObjectLockConfiguration>".utf8)
    }

    private static func body(retention: String) -> [UInt8] {
        body(
            "<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>\(retention)</DefaultRetention></Rule>"
        )
    }

    @Test(arguments: [
        ("object-lock", ObjectLockConfiguration()),
        (
            "object-lock-default",
            ObjectLockConfiguration(defaultRetention: .init(mode: .compliance, period: .years(2)))
        ),
    ])
    func `is written as S3 writes it and read again`(golden: String, configuration: ObjectLockConfiguration) throws {
        #expect(text(configuration.document) == (try goldenXML(golden)))
        #expect(try ObjectLockConfiguration(configuration.document) == configuration)
    }

    @Test(arguments: [
        body(""), body("<ObjectLockEnabled>enabled</ObjectLockEnabled>"), body("<Rule/>"),
        body("<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule/>"), body(retention: ""),
        body(retention: "<Mode>GOVERNANCE</Mode>"), body(retention: "<Days>1</Days>"),
        body(retention: "<Mode>GOVERNANCE</Mode><Days>1</Days><Years>1</Years>"),
        body(retention: "<Mode>governance</Mode><Days>1</Days>"),
        body(retention: "<Mode>GOVERNANCE</Mode><Days>x</Days>"),
    ])
    func `is malformed without one mode and one period`(body: [UInt8]) {
        #expect(refusal { _ = try ObjectLockConfiguration(body) } == malformedXML)
    }

    @Test(arguments: [
        ("Days", 0, "Default retention period must be a positive integer value."),
        ("Years", -1, "Default retention period must be a positive integer value."),
        ("Days", 36_501, "Default retention period too large."), ("Years", 101, "Default retention period too large."),
    ])
    func `is refused for a period out of range`(unit: String, count: Int, message: String) {
        let body = Self.body(retention: "<Mode>GOVERNANCE</Mode><\(unit)>\(count)</\(unit)>")
        #expect(
            refusal { _ = try ObjectLockConfiguration(body) }
                == "InvalidArgument | \(message) | ArgumentName=\(unit) | ArgumentValue=\(count)")
    }

    @Test(arguments: [VersioningConfiguration.Status.enabled, .suspended, nil])
    func `goes with versioning only`(status: VersioningConfiguration.Status?) {
        let isEnabled = status == .enabled
        #expect(
            refusal { try ObjectLockConfiguration().check(versioning: status) }
                == (isEnabled
                    ? nil
                    : "InvalidBucketState | Versioning must be 'Enabled' on the bucket to apply a Object Lock "
                        + "configuration"))
        #expect(refusal { try VersioningConfiguration(status: status).check(bucketHasLock: false) } == nil)
        #expect(
            refusal { try VersioningConfiguration(status: status).check(bucketHasLock: true) }
                == (isEnabled
                    ? nil
                    : "InvalidBucketState | An Object Lock configuration is present on this bucket, so the versioning "
                        + "state cannot be changed."))
    }

    @Test(arguments: [
        ("2026-03-14T15:09:26Z", ObjectLockConfiguration.Period.days(1), "2026-03-15T15:09:26Z"),
        ("2026-03-14T15:09:26Z", .years(2), "2028-03-14T15:09:26Z"),
        ("2024-02-29T00:00:00Z", .years(1), "2025-03-01T00:00:00Z"),
        ("9999-01-01T00:00:00Z", .years(1), "9999-01-01T00:00:00Z"),
    ])
    func `gives new versions a date`(now: String, period: ObjectLockConfiguration.Period, until: String) {
        let configuration = ObjectLockConfiguration(defaultRetention: .init(mode: .governance, period: period))
        let retention = configuration.retention(at: Timestamp(iso8601: now)!)
        #expect(retention?.until.iso8601Seconds == until && retention?.mode == .governance)
        #expect(ObjectLockConfiguration().retention(at: Timestamp(seconds: 0)) == nil)
    }
}

@Suite struct `A retention or a legal hold` {
    private static let now = Timestamp(iso8601: "2026-03-14T15:09:26Z")!

    private static func retention(_ content: String) throws -> ObjectRetention? {
        try ObjectRetention.requested(Array("<Retention>\(content)</Retention>".utf8), now: now)
    }

    private static let date = "<RetainUntilDate>2026-03-14T15:09:27Z</RetainUntilDate>"

    @Test func `is read and written`() throws {
        let retention = try #require(try Self.retention("<Mode>GOVERNANCE</Mode>" + Self.date))
        #expect(retention == ObjectRetention(mode: .governance, until: Self.now.adding(seconds: 1)))
        #expect(text(retention.document) == (try goldenXML("retention")))
        #expect(try Self.retention("") == nil)
        #expect(try LegalHold(Array("<LegalHold><Status>ON</Status></LegalHold>".utf8)) == .on)
        #expect(text(LegalHold.off.document) == (try goldenXML("legal-hold")))
        #expect(try LegalHold(LegalHold.off.document) == .off)
    }

    @Test(arguments: [
        ("<Mode>GOVERNANCE</Mode>", malformedXML), (date, malformedXML), ("<Mode>X</Mode>" + date, malformedXML),
        ("<Mode>GOVERNANCE</Mode><RetainUntilDate>soon</RetainUntilDate>", malformedXML),
        (
            "<Mode>COMPLIANCE</Mode><RetainUntilDate>2026-03-14T15:09:26Z</RetainUntilDate>",
            "InvalidArgument | The retain until date must be in the future! | ArgumentName=RetainUntilDate | "
                + "ArgumentValue=2026-03-14T15:09:26Z"
        ),
    ])
    func `is refused in S3's words`(content: String, expected: String) {
        #expect(refusal { _ = try Self.retention(content) } == expected)
    }

    @Test(arguments: ["", "<Status>on</Status>", "<Status/>", "<State>ON</State>"])
    func `is malformed without a status`(content: String) {
        #expect(refusal { _ = try LegalHold(Array("<LegalHold>\(content)</LegalHold>".utf8)) } == malformedXML)
        #expect(refusal { _ = try LegalHold([]) } == malformedXML)
    }

    private static let until = "x-amz-object-lock-retain-until-date: "

    @Test(
        arguments: [
            ([], ObjectLock.none),
            (["x-amz-object-lock-legal-hold: ON"], ObjectLock(legalHold: .on)),
            (
                ["x-amz-object-lock-mode: COMPLIANCE", until + "2026-03-14T15:09:27Z"],
                ObjectLock(retention: ObjectRetention(mode: .compliance, until: now.adding(seconds: 1)))
            ),
        ] as [([String], ObjectLock)])
    func `is read from headers`(lines: [String], expected: ObjectLock) throws {
        let lock = try ObjectLock.named(in: try requestFields("PUT /bucket/key", lines), now: Self.now)
        #expect(lock == expected)
        #expect(refusal { try lock.check(bucketHasLock: true) } == nil)
        #expect(
            refusal { try lock.check(bucketHasLock: false) }
                == (lines.isEmpty ? nil : "InvalidRequest | Bucket is missing Object Lock Configuration"))
    }

    private static let both =
        "InvalidArgument | x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied | "
        + "ArgumentName=x-amz-object-lock-"

    @Test(
        arguments: [
            (["x-amz-object-lock-mode: governance"], both + "retain-until-date"),
            (
                ["x-amz-object-lock-mode: governance", until + "2030-01-01"],
                "InvalidArgument | Unknown wormMode directive. | ArgumentName=x-amz-object-lock-mode | "
                    + "ArgumentValue=governance"
            ),
            (["x-amz-object-lock-mode: GOVERNANCE"], both + "retain-until-date"),
            ([until + "2030-01-01"], both + "mode"),
            (
                ["x-amz-object-lock-mode: GOVERNANCE", until + "tomorrow"],
                "InvalidArgument | The retain until date must be provided in ISO 8601 format | "
                    + "ArgumentName=x-amz-object-lock-retain-until-date | ArgumentValue=tomorrow"
            ),
            (
                ["x-amz-object-lock-mode: GOVERNANCE", until + "2020-01-01"],
                "InvalidArgument | The retain until date must be in the future! | "
                    + "ArgumentName=x-amz-object-lock-retain-until-date | ArgumentValue=2020-01-01"
            ),
            (
                ["x-amz-object-lock-legal-hold: yes"],
                "InvalidArgument | Legal Hold must be either of 'ON' or 'OFF' | "
                    + "ArgumentName=x-amz-object-lock-legal-hold | ArgumentValue=yes"
            ),
        ] as [([String], String)])
    func `is refused in headers in S3's words`(lines: [String], expected: String) throws {
        let fields = try requestFields("PUT /bucket/key", lines)
        #expect(refusal { _ = try ObjectLock.named(in: fields, now: Self.now) } == expected)
    }

    @Test func `is told in headers`() {
        var bytes: [UInt8] = []
        ObjectLock(retention: ObjectRetention(mode: .governance, until: Self.now), legalHold: .off)
            .appendFieldLines(to: &bytes)
        #expect(
            text(bytes)
                == "x-amz-object-lock-mode: GOVERNANCE\r\n"
                + "x-amz-object-lock-retain-until-date: 2026-03-14T15:09:26.000Z\r\n"
                + "x-amz-object-lock-legal-hold: OFF\r\n")
        bytes = []
        ObjectLock.none.appendFieldLines(to: &bytes)
        #expect(bytes.isEmpty)
    }

    @Test func `is bypassed by a header`() throws {
        func bypasses(_ lines: [String]) throws -> Bool {
            ObjectLock.bypassesGovernance(try requestFields("DELETE /bucket/key", lines))
        }
        #expect(try bypasses(["x-amz-bypass-governance-retention: True"]))
        #expect(try !bypasses(["x-amz-bypass-governance-retention: 1"]) && !bypasses([]))
    }
}

@Suite struct `A locked version` {
    private static let now = Timestamp(iso8601: "2026-03-14T15:09:26Z")!
    private static let denied = "AccessDenied | Access Denied because object protected by object lock."

    private static func retention(_ mode: ObjectRetention.Mode, _ seconds: Int64) -> ObjectRetention {
        ObjectRetention(mode: mode, until: now.adding(seconds: seconds))
    }

    @Test(arguments: [
        (ObjectLock.none, true, true), (ObjectLock(legalHold: .on), false, false),
        (ObjectLock(legalHold: .off), true, true), (ObjectLock(retention: retention(.governance, 1)), false, true),
        (ObjectLock(retention: retention(.compliance, 1)), false, false),
        (ObjectLock(retention: retention(.compliance, 0)), true, true),
        (ObjectLock(retention: retention(.governance, 1), legalHold: .on), false, false),
    ])
    func `is deleted only if nothing holds it`(lock: ObjectLock, plainly: Bool, bypassing: Bool) {
        for (bypasses, isAllowed) in [(false, plainly), (true, bypassing)] {
            let outcome = refusal { try lock.checkDeletion(now: Self.now, bypassesGovernance: bypasses) }
            #expect(outcome == (isAllowed ? nil : Self.denied))
        }
    }

    @Test(
        arguments: [
            (nil, retention(.compliance, 9), true, true),
            (retention(.governance, 5), retention(.governance, 5), true, true),
            (retention(.governance, 5), retention(.governance, 9), true, true),
            (retention(.governance, 5), retention(.governance, 4), false, true),
            (retention(.governance, 5), retention(.compliance, 9), false, true),
            (retention(.governance, 5), nil, false, true),
            (retention(.compliance, 5), retention(.compliance, 9), true, true),
            (retention(.compliance, 5), retention(.compliance, 4), false, false),
            (retention(.compliance, 5), retention(.governance, 9), false, false),
            (retention(.compliance, 5), nil, false, false), (retention(.compliance, -5), nil, true, true),
        ] as [(ObjectRetention?, ObjectRetention?, Bool, Bool)])
    func `is kept no shorter than its mode allows`(
        old: ObjectRetention?, new: ObjectRetention?, plainly: Bool, bypassing: Bool
    ) {
        for (bypasses, isAllowed) in [(false, plainly), (true, bypassing)] {
            let outcome = refusal {
                try ObjectLock(retention: old).checkRetention(new, now: Self.now, bypassesGovernance: bypasses)
            }
            #expect(outcome == (isAllowed ? nil : Self.denied))
        }
    }
}
