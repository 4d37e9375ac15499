import ShoalS3
import Testing

@Suite struct `A restore` {
    private static func body(_ content: String) -> [UInt8] {
        Array("<RestoreRequest xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>\(content)</RestoreRequest>".utf8)
    }

    private static let malformed =
        "MalformedXML | The XML you provided was not well-formed or did not validate against our published schema"

    @Test(
        arguments: [
            (body("<Days>2</Days><GlacierJobParameters><Tier>Bulk</Tier></GlacierJobParameters>"), nil),
            (body("<Days>1</Days><Description>a</Description><Tier>Standard</Tier>"), nil),
            ([], "MissingRequestBodyError | Request Body is empty"), (body(""), malformed),
            (body("<Days>0</Days>"), malformed), (body("<Days>x</Days>"), malformed),
            (body("<Days>1</Days><GlacierJobParameters/>"), malformed),
            (body("<Days>1</Days><GlacierJobParameters><Tier>Fast</Tier></GlacierJobParameters>"), malformed),
            (body("<Days>1</Days><Other/>"), malformed), (Array("<Days>1</Days>".utf8), malformed),
            (
                body("<Type>SELECT</Type>"),
                "NotImplemented | A restore that selects records is not implemented by Shoal."
            ),
        ] as [([UInt8], String?)])
    func `asks for days`(body: [UInt8], expected: String?) {
        #expect(refusal { _ = try RestoreRequest(body) } == expected)
    }

    @Test(arguments: [
        ("2026-03-14T15:09:26Z", "2026-03-16T00:00:00.000Z"), ("2026-03-14T00:00:00Z", "2026-03-15T00:00:00.000Z"),
    ])
    func `ends at a midnight`(now: String, end: String) throws {
        let request = try RestoreRequest(Self.body("<Days>1</Days>"))
        #expect(request.expiry(from: Timestamp(iso8601: now)!).iso8601 == end)
    }

    @Test(arguments: StorageClass.allCases)
    func `lets an archived object be read until it ends`(storageClass: StorageClass) {
        let end = Timestamp(seconds: 1_000)
        let (before, bare) = (end.adding(milliseconds: -1), ArchiveStatus(storageClass, restoredUntil: nil))
        let restored = ArchiveStatus(storageClass, restoredUntil: end)
        let isArchived = storageClass == .glacier || storageClass == .deepArchive
        let refused =
            "InvalidObjectState | The operation is not valid for the object's storage class | StorageClass="
            + storageClass.rawValue
        #expect(refusal { try bare.checkReading(at: before) } == (isArchived ? refused : nil))
        #expect(refusal { try restored.checkReading(at: before) } == nil)
        #expect(refusal { try restored.checkReading(at: end) } == (isArchived ? refused : nil))
        #expect(restored.isRestored(at: before) == isArchived && !restored.isRestored(at: end))
        #expect((refusal { try bare.checkRestoring() } == nil) == isArchived)
        var line: [UInt8] = []
        restored.appendFieldLine(to: &line, at: before)
        let expected =
            "x-amz-restore: ongoing-request=\"false\", expiry-date=\"Thu, 01 Jan 1970 00:16:40 GMT\"\r\n"
        #expect(text(line) == (isArchived ? expected : ""))
        restored.appendFieldLine(to: &line, at: end)
        #expect(text(line) == (isArchived ? expected : ""))
    }
}
