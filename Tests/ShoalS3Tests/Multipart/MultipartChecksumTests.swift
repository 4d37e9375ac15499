import ShoalS3
import Testing

@Suite struct `The checksum of an upload` {
    private static func named(_ lines: [String]) throws -> MultipartChecksum? {
        try MultipartChecksum.named(in: try requestFields("POST /bucket/key?uploads", lines))
    }

    @Test(
        arguments: [
            ("CRC32", nil, ChecksumAlgorithm.crc32, Checksum.Kind.composite), ("crc32c", nil, .crc32c, .composite),
            ("SHA1", nil, .sha1, .composite), ("SHA256", "COMPOSITE", .sha256, .composite),
            ("CRC64NVME", nil, .crc64nvme, .fullObject), ("CRC64NVME", "FULL_OBJECT", .crc64nvme, .fullObject),
            ("CRC32", "FULL_OBJECT", .crc32, .fullObject), ("CRC32C", "full_object", .crc32c, .fullObject),
        ] as [(String, String?, ChecksumAlgorithm, Checksum.Kind)])
    func `has the type that goes with its algorithm`(
        name: String, type: String?, algorithm: ChecksumAlgorithm, kind: Checksum.Kind
    ) throws {
        let lines = ["x-amz-checksum-algorithm: " + name] + (type.map { ["x-amz-checksum-type: " + $0] } ?? [])
        #expect(try Self.named(lines) == MultipartChecksum(stored: algorithm, kind))
    }

    @Test func `is none unless one is named`() throws {
        #expect(try Self.named([]) == nil)
        #expect(MultipartChecksum.partAlgorithm(of: nil) == .crc64nvme)
        #expect(MultipartChecksum.partAlgorithm(of: MultipartChecksum(stored: .sha1, .composite)) == .sha1)
    }

    @Test func `may stand in the query of a presigned URL`() throws {
        let fields = try requestFields("POST /bucket/key?uploads&x-amz-checksum-algorithm=SHA256")
        #expect(try MultipartChecksum.named(in: fields)?.algorithm == .sha256)
    }

    @Test(arguments: [
        (
            ["x-amz-checksum-algorithm: SHA1", "x-amz-checksum-type: FULL_OBJECT"],
            "InvalidRequest | The FULL_OBJECT checksum type cannot be used with the sha1 checksum algorithm."
        ),
        (
            ["x-amz-checksum-algorithm: CRC64NVME", "x-amz-checksum-type: COMPOSITE"],
            "InvalidRequest | The COMPOSITE checksum type cannot be used with the crc64nvme checksum algorithm."
        ),
        (
            ["x-amz-checksum-type: COMPOSITE"],
            "InvalidRequest | The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header."
        ),
        (
            ["x-amz-checksum-algorithm: MD4", "x-amz-checksum-type: x"],
            "InvalidRequest | Checksum algorithm provided is unsupported. Please try again with any of the valid types: "
                + "[CRC32, CRC32C, CRC64NVME, SHA1, SHA256]"
        ),
        (
            ["x-amz-checksum-algorithm: CRC32", "x-amz-checksum-type: x"],
            "InvalidRequest | Value for x-amz-checksum-type header is invalid."
        ),
    ])
    func `is refused in S3's words`(lines: [String], expected: String) {
        #expect(refusal { _ = try Self.named(lines) } == expected)
    }

    @Test(
        arguments: [
            (["x-amz-checksum-crc32c: 4waSgw=="], nil), ([], nil),
            (
                ["x-amz-checksum-crc32: y/Q5Jg=="],
                "InvalidRequest | Checksum Type mismatch occurred, expected checksum Type: crc32c, actual checksum Type: crc32"
            ),
            (
                ["x-amz-trailer: x-amz-checksum-sha1"],
                "InvalidRequest | Checksum Type mismatch occurred, expected checksum Type: crc32c, actual checksum Type: sha1"
            ),
        ] as [([String], String?)])
    func `is that of its parts`(lines: [String], expected: String?) throws {
        let upload = MultipartChecksum(stored: .crc32c, .composite)
        let expectation = try ChecksumExpectation(try requestHead("PUT /bucket/key?partNumber=1&uploadId=u", lines))
        #expect(refusal { try upload.check(part: expectation) } == expected)
    }
}
