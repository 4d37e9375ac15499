import ShoalCrypto
import ShoalS3
import Testing

@Suite struct `Completing an upload` {
    private static let notFound =
        "InvalidPart | One or more of the specified parts could not be found.  The part may not have been uploaded, or "
        + "the specified entity tag may not match the part's entity tag. | UploadId=u | "
    private static let missingFor1 =
        "InvalidRequest | The upload was created using a crc32 checksum. The complete request must include the checksum "
        + "for each part. It was missing for part 1 in the request."

    private static func plan(
        _ body: String, _ stored: [UploadedPart], _ upload: MultipartChecksum? = nil, _ lines: [String] = []
    ) throws -> MultipartAssembly {
        try MultipartAssembly.plan(
            try CompletedMultipartUpload(completionBody(body)), stored: stored, upload: upload,
            fields: try requestFields("POST /bucket/key?uploadId=u", lines), uploadID: "u")
    }

    private static func etag(_ number: Int) -> String { uploadedPart(number).etag.text }

    private static func listed(_ numbers: Int..., more: String = "") -> String {
        numbers.map { partElement("\($0)", etag: etag($0), more) }.joined()
    }

    @Test func `takes the listed parts and drops the others`() throws {
        let stored = [1, 2, 5, 9].map { uploadedPart($0) }
        let assembly = try Self.plan(Self.listed(2, 9), stored)
        #expect(assembly.parts.map(\.number.value) == [2, 9])
        #expect(assembly.size == 2 * 5_242_880)
        #expect(assembly.etag.text.hasSuffix("-2"))
        #expect(assembly.checksum.kind == .fullObject && assembly.checksum.algorithm == .crc64nvme)
    }

    @Test(arguments: [
        (listed(1, 3), "PartNumber=3 | ETag=" + etag(3)), (listed(7), "PartNumber=7 | ETag=" + etag(7)),
        (partElement("2", etag: "\"x\""), "PartNumber=2 | ETag=x"),
        (partElement("2", etag: etag(2).uppercased()), "PartNumber=2 | ETag=" + etag(2).uppercased()),
        (listed(1, more: "<ChecksumCRC64NVME>AAAAAAAAAAA=</ChecksumCRC64NVME>"), "PartNumber=1 | ETag=" + etag(1)),
    ])
    func `needs every part as it was uploaded`(body: String, expected: String) {
        #expect(
            refusal { _ = try Self.plan(body, [uploadedPart(1), uploadedPart(2)]) } == Self.notFound + expected)
        #expect(refusal { _ = try Self.plan(body, []) }?.hasPrefix(Self.notFound) == true)
    }

    private static let crc32 = uploadedPart(1, .crc32).checksum!.text

    @Test(
        arguments: [
            ("", missingFor1), ("<ChecksumCRC32/>", missingFor1),
            ("<ChecksumCRC32>AAAAAA==</ChecksumCRC32>", notFound + "PartNumber=1 | ETag=" + etag(1)),
            ("<ChecksumCRC32>junk</ChecksumCRC32>", notFound + "PartNumber=1 | ETag=" + etag(1)),
            (
                "<ChecksumSHA256>x</ChecksumSHA256>",
                "BadDigest | The sha256 you specified for part 1 did not match what we received."
            ),
            ("<ChecksumCRC32>\(crc32)</ChecksumCRC32>", nil),
            ("<ChecksumCRC32>\(crc32)</ChecksumCRC32><ChecksumSHA1>x</ChecksumSHA1>", nil),
        ] as [(String, String?)])
    func `with a composite checksum needs that of each part`(more: String, expected: String?) {
        let upload = MultipartChecksum(stored: .crc32, .composite)
        let stored = [uploadedPart(1, .crc32)]
        #expect(refusal { _ = try Self.plan(Self.listed(1, more: more), stored, upload) } == expected)
    }

    @Test(
        arguments: [
            ("", nil), ("<ChecksumCRC32>\(crc32)</ChecksumCRC32>", nil),
            ("<ChecksumCRC32>AAAAAA==</ChecksumCRC32>", notFound + "PartNumber=1 | ETag=" + etag(1)),
        ] as [(String, String?)])
    func `with a checksum over all bytes compares those of parts if they are sent`(more: String, expected: String?) {
        let upload = MultipartChecksum(stored: .crc32, .fullObject)
        let stored = [uploadedPart(1, .crc32)]
        #expect(refusal { _ = try Self.plan(Self.listed(1, more: more), stored, upload) } == expected)
    }

    private static let composite = MultipartChecksum(stored: .crc32, .composite)
    private static let fullObject = MultipartChecksum(stored: .crc32, .fullObject)
    private static let fullType = "x-amz-checksum-type: FULL_OBJECT"
    private static let mode = "InvalidRequest | The upload was created using the "
    private static let sameMode = " checksum mode. The complete request must use the same checksum mode."
    private static let mismatch =
        "BadDigest | The crc32 you specified did not match the calculated checksum."
    private static let compositeText = Base64.string(
        ChecksumAlgorithm.crc32.value(of: Base64.decode(crc32.utf8)!))

    @Test(
        arguments: [
            (composite, ["x-amz-checksum-type: COMPOSITE"], nil),
            (fullObject, ["x-amz-checksum-type: full_object"], nil),
            (composite, ["x-amz-checksum-type: FULL_OBJECT"], mode + "COMPOSITE" + sameMode),
            (fullObject, ["x-amz-checksum-type: COMPOSITE"], mode + "FULL_OBJECT" + sameMode),
            (nil, ["x-amz-checksum-type: FULL_OBJECT"], mode + "null" + sameMode),
            (
                composite, ["x-amz-checksum-type: x"],
                "InvalidRequest | Value for x-amz-checksum-type header is invalid."
            ),
            (fullObject, [fullType, "x-amz-checksum-crc32: " + crc32], nil),
            (fullObject, [fullType, "x-amz-checksum-crc32: AAAAAA=="], mismatch),
            (fullObject, [fullType, "x-amz-checksum-sha1: x"], mismatch),
            // Whoever does not say that it is over all bytes is not believed, right or wrong.
            (fullObject, ["x-amz-checksum-crc32: " + crc32], mismatch),
            (fullObject, ["x-amz-checksum-crc32: " + crc32 + "-1"], mismatch),
            (fullObject, ["x-amz-checksum-sha1: x"], mismatch),
            (composite, ["x-amz-checksum-crc32: " + compositeText + "-1"], nil),
            (composite, ["x-amz-checksum-crc32: " + compositeText], nil),
            (composite, ["x-amz-checksum-crc32: " + compositeText + "-2"], mismatch),
            (composite, ["x-amz-checksum-crc32: " + crc32], mismatch),
            (
                fullObject, [fullType, "x-amz-checksum-crc32: " + crc32 + "-1"],
                "InvalidRequest | Value for x-amz-checksum-crc32 header is invalid."
            ),
            (
                composite, ["x-amz-checksum-crc32: -1"],
                "InvalidRequest | Value for x-amz-checksum-crc32 header is invalid."
            ),
            (
                composite, ["x-amz-checksum-sha1: x"],
                "InvalidRequest | Checksum Type mismatch occurred, expected checksum Type: crc32, actual checksum Type: sha1"
            ),
            (nil, ["x-amz-checksum-sha1: x"], nil),
            (
                nil, ["x-amz-checksum-crc64nvme: AAAAAAAAAAA="],
                "BadDigest | The crc64nvme you specified did not match the calculated checksum."
            ),
            (
                fullObject, ["x-amz-checksum-crc32: x", "x-amz-checksum-sha1: x"],
                "InvalidRequest | Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed."
            ),
            (
                fullObject, ["x-amz-checksum-crc16: x"],
                "InvalidRequest | The algorithm type you specified in x-amz-checksum- header is invalid."
            ),
        ] as [(MultipartChecksum?, [String], String?)])
    func `compares type and value of the object's checksum`(
        upload: MultipartChecksum?, lines: [String], expected: String?
    ) {
        let algorithm = MultipartChecksum.partAlgorithm(of: upload)
        let more = upload == nil ? "" : "<ChecksumCRC32>\(Self.crc32)</ChecksumCRC32>"
        #expect(
            refusal { _ = try Self.plan(Self.listed(1, more: more), [uploadedPart(1, algorithm)], upload, lines) }
                == expected)
    }

    @Test func `wants 5 MiB of every part but the last`() throws {
        let stored = [uploadedPart(1), uploadedPart(2, size: 5_242_879), uploadedPart(3, size: 1)]
        #expect(
            refusal { _ = try Self.plan(Self.listed(1, 2, 3), stored) }
                == "EntityTooSmall | Your proposed upload is smaller than the minimum allowed size | ProposedSize=5242879 | "
                + "MinSizeAllowed=5242880 | PartNumber=2 | ETag=" + Self.etag(2))
        #expect(try Self.plan(Self.listed(1, 3), stored).size == 5_242_881)
        #expect(try Self.plan(Self.listed(2), stored).size == 5_242_879)
        #expect(try Self.plan(Self.listed(1), [uploadedPart(1, size: 0)]).size == 0)
    }

    @Test(
        arguments: [
            ("4", nil), ("004", nil),
            (
                "5",
                "InvalidRequest | The provided 'x-amz-mp-object-size' header value 5 does not match what was computed: 4"
            ),
            ("-1", "InvalidRequest | Value for x-amz-mp-object-size header is less than zero: '-1'"),
            ("x", "InvalidRequest | Value for x-amz-mp-object-size header is invalid: 'x'"),
            ("", "InvalidRequest | Value for x-amz-mp-object-size header is invalid: ''"),
            (
                "99999999999999999999",
                "InvalidRequest | Value for x-amz-mp-object-size header is invalid: '99999999999999999999'"
            ),
        ] as [(String, String?)])
    func `compares the size the client expects`(header: String, expected: String?) {
        let lines = ["x-amz-mp-object-size: " + header]
        #expect(refusal { _ = try Self.plan(Self.listed(1), [uploadedPart(1, size: 4)], nil, lines) } == expected)
    }

    @Test func `finds mistakes in S3's order`() {
        var stored = [uploadedPart(1, size: 1, .crc32), uploadedPart(2, .crc32)]
        let wrong = ["x-amz-checksum-type: FULL_OBJECT", "x-amz-checksum-crc32: AAAAAA==", "x-amz-mp-object-size: 1"]
        let outcome = { (body: String, lines: [String]) in
            refusal { _ = try Self.plan(body, stored, Self.composite, lines) }?.prefix { $0 != " " }
        }
        #expect(outcome(Self.listed(2, 1), wrong) == "InvalidPartOrder")
        #expect(outcome(Self.listed(1, 3), wrong) == "InvalidPart")
        #expect(
            refusal { _ = try Self.plan(Self.listed(1, 2), stored, Self.composite, wrong) }?.contains("mode") == true)
        #expect(
            refusal { _ = try Self.plan(Self.listed(1, 2), stored, Self.composite, Array(wrong[1...])) }
                == Self.missingFor1)
        #expect(
            refusal { _ = try Self.plan(Self.listed(1, 2), stored, Self.fullObject, Array(wrong[1...])) }
                == Self.mismatch)
        #expect(
            refusal { _ = try Self.plan(Self.listed(1, 2), stored, Self.fullObject, Array(wrong[2...])) }?
                .hasPrefix("EntityTooSmall") == true)
        stored[0] = uploadedPart(1, .crc32)
        #expect(
            refusal { _ = try Self.plan(Self.listed(1, 2), stored, Self.fullObject, Array(wrong[2...])) }?
                .hasPrefix("InvalidRequest | The provided 'x-amz-mp-object-size'") == true)
    }

    @Test func `is an internal error if a stored part lacks its checksum or tag`() {
        let bare = UploadedPart(
            number: PartNumber(1)!, etag: uploadedPart(1).etag, size: 1, lastModified: Timestamp(seconds: 0),
            checksum: nil)
        #expect(refusal { _ = try Self.plan(Self.listed(1), [bare]) }?.hasPrefix("InternalError") == true)
        let noDigest = UploadedPart(
            number: PartNumber(1)!, etag: ETag(unquoted: "x"), size: 1, lastModified: Timestamp(seconds: 0),
            checksum: uploadedPart(1).checksum)
        #expect(
            refusal { _ = try Self.plan(partElement("1", etag: "x"), [noDigest]) }?.hasPrefix("InternalError") == true)
    }

    @Test func `of 10,000 parts adds up`() throws {
        let stored = (1...10_000).map { uploadedPart($0, size: UploadedPart.byteCountMax) }
        let assembly = try MultipartAssembly.plan(
            try completion(of: stored, withChecksums: false), stored: stored, upload: nil,
            fields: try requestFields("POST /bucket/key?uploadId=u"), uploadID: "u")
        #expect(assembly.size == 53_687_091_200_000)
        #expect(assembly.etag.text.hasSuffix("-10000"))
    }
}
