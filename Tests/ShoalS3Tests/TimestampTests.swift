import ShoalS3
import Testing

@Suite struct `A timestamp` {
    private static let instants: [(milliseconds: Int64, iso: String, http: String, amz: String)] = [
        (1_700_049_760_000, "2023-11-15T12:02:40.000Z", "Wed, 15 Nov 2023 12:02:40 GMT", "20231115T120240Z"),
        (0, "1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 GMT", "19700101T000000Z"),
        (-1, "1969-12-31T23:59:59.999Z", "Wed, 31 Dec 1969 23:59:59 GMT", "19691231T235959Z"),
        (784_111_777_123, "1994-11-06T08:49:37.123Z", "Sun, 06 Nov 1994 08:49:37 GMT", "19941106T084937Z"),
        (951_782_399_000, "2000-02-28T23:59:59.000Z", "Mon, 28 Feb 2000 23:59:59 GMT", "20000228T235959Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z", "Tue, 29 Feb 2000 00:00:00 GMT", "20000229T000000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z", "Mon, 01 Mar 2100 00:00:00 GMT", "21000301T000000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z", "Fri, 31 Dec 9999 23:59:59 GMT", "99991231T235959Z"),
    ]

    @Test(arguments: instants)
    func `is written in each of S3's formats`(milliseconds: Int64, iso: String, http: String, amz: String) {
        let timestamp = Timestamp(milliseconds: milliseconds)
        #expect(timestamp.iso8601 == iso)
        #expect(timestamp.iso8601Seconds == String(iso.dropLast(5)) + "Z")
        #expect(timestamp.httpDate == http)
        #expect(timestamp.amzDate == amz)
        #expect(timestamp.day == String(amz.prefix(8)))
    }

    @Test(arguments: instants)
    func `is read back from what it writes`(milliseconds: Int64, iso: String, http: String, amz: String) {
        let timestamp = Timestamp(milliseconds: milliseconds)
        #expect(Timestamp(iso8601: iso) == timestamp)
        #expect(Timestamp(httpDate: http) == Timestamp(seconds: timestamp.seconds))
        #expect(Timestamp(amzDate: amz) == Timestamp(seconds: timestamp.seconds))
        #expect(Timestamp(day: String(amz.prefix(8)))?.day == timestamp.day)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun, 6 Nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 -0000",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 09:49:37 +0100", "Sun, 06 Nov 1994 07:19:37 -0130",
        "Tue, 06 Nov 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 GMT",
    ])
    func `is read from every form an HTTP date may have`(text: String) {
        #expect(Timestamp(httpDate: text) == Timestamp(seconds: 784_111_777))
    }

    @Test(arguments: [
        "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT", "784111777", "Sun,06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 +2400", "Sun, 00 Nov 1994 08:49:37 GMT",
    ])
    func `is nil for what is no HTTP date`(text: String) {
        #expect(Timestamp(httpDate: text) == nil)
    }

    @Test(
        arguments: [
            ("2023-11-15T12:02:40Z", 1_700_049_760_000), ("2023-11-15T12:02:40.5Z", 1_700_049_760_500),
            ("2023-11-15T12:02:40.123456Z", 1_700_049_760_123), ("2023-11-15T14:02:40+02:00", 1_700_049_760_000),
            ("2023-11-15T10:32:40-0130", 1_700_049_760_000), ("2023-11-15T12:02:40", 1_700_049_760_000),
            ("2023-11-15", 1_700_006_400_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
        ] as [(String, Int64)])
    func `is read from ISO 8601`(text: String, milliseconds: Int64) {
        #expect(Timestamp(iso8601: text) == Timestamp(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "", "2023", "2023-13-01", "2023-02-29", "2023-11-15T", "2023-11-15T12:02", "2023-11-15 12:02:40Z",
        "2023-11-15T12:02:40.Z", "2023-11-15T12:02:40ZZ", "2023-11-15T12:60:40Z", "20231115T120240Z",
        "9999-12-31T23:00:00-01:00", "0000-01-01T00:00:00+00:01",
    ])
    func `is nil for what is no ISO 8601`(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test(arguments: [
        "", "20231115T120240", "20231115T120240z", "20231115t120240Z", "20231315T120240Z", "2023-11-15T12:02:40Z",
        "20231115T250240Z", "20231115T120240Z ", "2023111５T120240Z",
    ])
    func `is nil for what X-Amz-Date must not be`(text: String) {
        #expect(Timestamp(amzDate: text) == nil)
    }

    @Test func `keeps every day from 1896 to 2104 through its calendar`() {
        var written: [UInt8] = []
        for day in Int64(-27_028)..<49_308 {
            let timestamp = Timestamp(seconds: day * 86_400)
            written.removeAll(keepingCapacity: true)
            timestamp.appendDay(to: &written)
            guard Timestamp(day: written[...]) == timestamp else {
                Issue.record("day \(day) came back as \(timestamp.day)")
                return
            }
        }
    }

    @Test func `beyond the years that four digits can hold is written as the nearest`() {
        #expect(Timestamp(milliseconds: .max).iso8601 == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).iso8601 == "0000-01-01T00:00:00.000Z")
    }
}
