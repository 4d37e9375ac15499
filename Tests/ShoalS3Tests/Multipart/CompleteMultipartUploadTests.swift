import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `A list of parts` {
    private static let malformed =
        "MalformedXML | The XML you provided was not well-formed or did not validate against our published schema"

    private static let noParts = "InvalidRequest | You must specify at least one part"

    @Test func `is read with quotes or without, with checksums and gaps`() throws {
        let body = """
            <?xml version="1.0" encoding="UTF-8"?>
            <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Part><ETag>&quot;a1&quot;</ETag><PartNumber>1</PartNumber></Part>
              <Part><PartNumber> 0007 </PartNumber><ETag>b2</ETag><ChecksumSHA1>x</ChecksumSHA1><ChecksumCRC32/></Part>
              <Part><PartNumber>10000</PartNumber><ETag>"c3"</ETag><ChecksumCRC64NVME>y</ChecksumCRC64NVME></Part>
            </CompleteMultipartUpload>
            """
        let request = try CompletedMultipartUpload(Array(body.utf8))
        #expect(
            request.parts == [
                .init(number: PartNumber(1)!, etag: ETag(unquoted: "a1")),
                .init(number: PartNumber(7)!, etag: ETag(unquoted: "b2"), checksums: [.sha1: "x"]),
                .init(number: PartNumber(10_000)!, etag: ETag(unquoted: "c3"), checksums: [.crc64nvme: "y"]),
            ])
        #expect(refusal { try request.checkOrder(uploadID: "u") } == nil)
    }

    @Test(
        arguments: [
            ([], noParts), (completionBody(""), noParts),
            (Array("<CompleteMultipartUpload".utf8), malformed), (Array("<Other/>".utf8), malformed),
            (completionBody("<Piece/>"), malformed), (completionBody("text"), malformed),
            (completionBody("<Part><PartNumber>1</PartNumber></Part>"), malformed),
            (completionBody("<Part><ETag>a</ETag></Part>"), malformed),
            (completionBody(partElement("1", etag: "a", "<ETag>b</ETag>")), malformed),
            (completionBody(partElement("1", etag: "a", "<Size>1</Size>")), malformed),
            (completionBody(partElement("1", etag: "<b/>")), malformed),
            (completionBody(partElement("one", etag: "a")), malformed),
            (completionBody(partElement("", etag: "a")), malformed),
            (completionBody(partElement("99999999999999999999", etag: "a")), malformed),
            (
                completionBody(partElement("0", etag: "a")),
                "InvalidArgument | PartNumber must be >= 1 | ArgumentName=PartNumber | ArgumentValue=0"
            ),
            (
                completionBody(partElement("-5", etag: "a")),
                "InvalidArgument | PartNumber must be >= 1 | ArgumentName=PartNumber | ArgumentValue=-5"
            ),
            (
                completionBody(partElement("10001", etag: "a")),
                "InvalidArgument | Part number must be an integer between 1 and 10000, inclusive | ArgumentName=partNumber | "
                    + "ArgumentValue=10001"
            ),
        ] as [([UInt8], String)])
    func `is refused in S3's words`(body: [UInt8], expected: String) {
        #expect(refusal { _ = try CompletedMultipartUpload(body) } == expected)
    }

    @Test(arguments: [["2", "1"], ["1", "1"], ["1", "3", "2"]])
    func `must ascend`(numbers: [String]) throws {
        let body = completionBody(numbers.map { partElement($0, etag: "a") }.joined())
        let request = try CompletedMultipartUpload(body)
        #expect(
            refusal { try request.checkOrder(uploadID: "u-1") }
                == "InvalidPartOrder | The list of parts was not in ascending order. Parts must be ordered by part number. "
                + "| UploadId=u-1")
    }

    @Test func `may have 10,000 parts with checksums`() throws {
        let parts = (1...10_000).map {
            partElement(
                "\($0)", etag: "&quot;d41d8cd98f00b204e9800998ecf8427e&quot;",
                "<ChecksumSHA256>47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=</ChecksumSHA256>")
        }
        #expect(try CompletedMultipartUpload(completionBody(parts.joined())).parts.count == 10_000)
    }

    @Test(arguments: UInt64(1)...2)
    func `ends in a value or an S3Error for random pieces`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "<Part>", "</Part>", "<PartNumber>", "</PartNumber>", "<ETag>", "</ETag>", "1", "2", "-", "10000", "&quot;",
            "a",
            "<ChecksumCRC32>", "</ChecksumCRC32>", "<ChecksumSHA1>x</ChecksumSHA1>", " ", partElement("1", etag: "a"),
            partElement("2", etag: "b"), "\0", "é", "&",
        ]
        for _ in 0..<3_000 {
            let content = (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            guard let request = try? CompletedMultipartUpload(completionBody(content.joined())) else { continue }
            let outcome = refusal {
                _ = try MultipartAssembly.plan(
                    request, stored: [uploadedPart(1)], upload: nil, fields: try requestFields(), uploadID: "u")
            }
            #expect(outcome?.hasPrefix("InvalidPart") == true)
        }
    }
}
