import ShoalCrypto
import ShoalS3
import Testing

@Suite struct `The checksums of a write` {
    private static func expectation(_ lines: [String], query: String = "") throws -> ChecksumExpectation {
        try ChecksumExpectation(try requestHead("PUT /bucket/key" + query, lines))
    }

    private static let digits = Array("123456789".utf8)
    private static let md5 = Digest.of(digits, .md5)

    @Test(arguments: [
        ([], ChecksumAlgorithm.crc64nvme, ChecksumExpectation.Source.none),
        (["x-amz-checksum-mode: ENABLED", "x-amz-checksum-algorithm: junk"], .crc64nvme, .none),
        (["X-Amz-Checksum-CRC32: y/Q5Jg=="], .crc32, .header([0xCB, 0xF4, 0x39, 0x26])),
        (
            ["x-amz-checksum-crc32c: 4waSgw==", "x-amz-sdk-checksum-algorithm: crc32c"], .crc32c,
            .header([0xE3, 0x06, 0x92, 0x83])
        ),
        (["x-amz-trailer: x-amz-checksum-sha256"], .sha256, .trailer),
        (["x-amz-trailer: x-amz-checksum-CRC32", "x-amz-sdk-checksum-algorithm: CRC32"], .crc32, .trailer),
    ])
    func `say what to compute and what to expect`(
        lines: [String], algorithm: ChecksumAlgorithm, source: ChecksumExpectation.Source
    ) throws {
        let expectation = try Self.expectation(lines)
        #expect(expectation.algorithm == algorithm)
        #expect(expectation.source == source)
        #expect(expectation.contentMD5 == nil)
    }

    @Test func `do not count in the query of a presigned URL`() throws {
        let query = "?x-amz-checksum-sha256=junk&x-amz-sdk-checksum-algorithm=SHA256"
        #expect(try Self.expectation([], query: query).source == .none)
    }

    @Test(arguments: [
        (["Content-MD5: x"], "InvalidDigest | The Content-MD5 you specified was invalid. | Content-MD5=x"),
        (["Content-MD5:"], "InvalidDigest | The Content-MD5 you specified was invalid. | Content-MD5="),
        (
            ["Content-MD5: AAAA", "x-amz-checksum-md5: x"],
            "InvalidDigest | The Content-MD5 you specified was invalid. | Content-MD5=AAAA"
        ),
        (
            ["x-amz-checksum-crc32: x", "x-amz-checksum-nope: x"],
            "InvalidRequest | The algorithm type you specified in x-amz-checksum- header is invalid."
        ),
        (
            ["x-amz-checksum-crc32: x", "x-amz-checksum-sha1: x"],
            "InvalidRequest | Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed."
        ),
        (
            ["x-amz-checksum-crc32: y/Q5Jg==", "x-amz-trailer: x-amz-checksum-crc32"],
            "InvalidRequest | Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed."
        ),
        (
            ["x-amz-checksum-sha256: y/Q5Jg==", "x-amz-sdk-checksum-algorithm: CRC32"],
            "InvalidRequest | Value for x-amz-checksum-sha256 header is invalid."
        ),
        (["x-amz-checksum-crc32:"], "InvalidRequest | Value for x-amz-checksum-crc32 header is invalid."),
        (
            ["x-amz-checksum-crc32: y/Q5Jg==", "x-amz-sdk-checksum-algorithm: SHA1"],
            "InvalidRequest | Value for x-amz-sdk-checksum-algorithm header is invalid."
        ),
        (
            ["x-amz-sdk-checksum-algorithm: CRC32"],
            "InvalidRequest | x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or "
                + "x-amz-trailer headers were found."
        ),
        (
            ["x-amz-trailer: x-amz-meta-a"],
            "InvalidRequest | The value specified in the x-amz-trailer header is not supported"
        ),
    ])
    func `are refused in S3's order and words`(lines: [String], expected: String) {
        #expect(refusal { _ = try Self.expectation(lines) } == expected)
    }

    @Test func `compare Content-MD5 and spell the expected one as the operation does`() throws {
        let right = try Self.expectation(["Content-MD5: JfnnlDI7RTiF9RgfG2JNCw=="])
        #expect(throws: Never.self) { try right.check(md5: Self.md5, expectedDigest: .hexadecimal) }
        let wrong = try Self.expectation(["Content-MD5: AAAAAAAAAAAAAAAAAAAAAA=="])
        let message =
            "BadDigest | The Content-MD5 you specified did not match what we received. | "
            + "CalculatedDigest=JfnnlDI7RTiF9RgfG2JNCw== | ExpectedDigest="
        #expect(
            refusal { try wrong.check(md5: Self.md5, expectedDigest: .hexadecimal) }
                == message + String(repeating: "0", count: 32))
        #expect(
            refusal { try wrong.check(md5: Self.md5, expectedDigest: .asSent) } == message + "AAAAAAAAAAAAAAAAAAAAAA==")
    }

    @Test func `compare a header with the body and name the algorithm in capitals`() throws {
        let sha256 = Digest.of(Self.digits, .sha256)
        let header = "x-amz-checksum-sha256: " + Base64.string(sha256)
        #expect(try Self.expectation([header]).checked(digest: sha256).text == Base64.string(sha256))
        #expect(
            refusal { _ = try Self.expectation([header]).checked(digest: Self.md5 + Self.md5) }
                == "BadDigest | The SHA256 you specified did not match the calculated checksum.")
    }

    @Test func `compare a trailer with the body`() throws {
        let expectation = try Self.expectation(["x-amz-trailer: x-amz-checksum-crc64nvme"])
        var check = CyclicRedundancyCheck(.crc64nvme)
        check.update(Self.digits)
        let digest = check.bigEndianBytes
        let trailer = { (text: String) in Array(text.utf8)[...] }
        let checksum = try expectation.checked(digest: digest, trailer: trailer("rosUhgp5mIg="))
        var lines: [UInt8] = []
        checksum.appendFieldLines(to: &lines)
        #expect(text(lines) == "x-amz-checksum-crc64nvme: rosUhgp5mIg=\r\nx-amz-checksum-type: FULL_OBJECT\r\n")
        #expect(
            refusal { _ = try expectation.checked(digest: digest, trailer: trailer("AAAAAAAAAAA=")) }
                == "BadDigest | The CRC64NVME you specified did not match the calculated checksum.")
        #expect(
            refusal { _ = try expectation.checked(digest: digest, trailer: trailer("AAAA")) }
                == "InvalidRequest | Value for x-amz-checksum-crc64nvme trailing header is invalid.")
        #expect(
            refusal { _ = try expectation.checked(digest: digest) }?.hasPrefix("MalformedTrailerError") == true)
    }

    @Test(arguments: [("ENABLED", true), ("enabled", true), (nil, false)] as [(String?, Bool)])
    func `are returned if a read asks for them`(mode: String?, expected: Bool) throws {
        let lines = mode.map { ["x-amz-checksum-mode: " + $0] } ?? []
        #expect(try Checksum.isRequested(by: try requestFields("GET /bucket/key", lines)) == expected)
        let wrong = try requestFields("GET /bucket/key", ["x-amz-checksum-mode: yes"])
        #expect(
            refusal { _ = try Checksum.isRequested(by: wrong) }
                == "InvalidRequest | Value for x-amz-checksum-mode header is invalid.")
    }
}
