import ShoalHTTP
import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `Decoding headers` {
    private static let names = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "Content-MD5", "Content-Encoding",
        "Content-Type", "x-amz-meta-a", "x-amz-meta-", "x-amz-tagging", "x-amz-acl", "x-amz-storage-class",
        "x-amz-checksum-crc32", "x-amz-checksum-", "x-amz-trailer", "x-amz-sdk-checksum-algorithm", "Origin",
        "Access-Control-Request-Method", "Access-Control-Request-Headers", "x-amz-expected-bucket-owner", "Expires",
        "x-amz-website-redirect-location", "x-amz-checksum-algorithm", "x-amz-checksum-type", "x-amz-copy-source",
        "x-amz-copy-source-range", "x-amz-copy-source-if-match", "x-amz-metadata-directive", "x-amz-mp-object-size",
        "x-amz-object-attributes", "x-amz-max-parts",
        "x-amz-grant-read", "x-amz-grant-full-control", "x-amz-object-lock-mode",
        "x-amz-object-lock-retain-until-date", "x-amz-object-lock-legal-hold", "x-amz-object-ownership",
        "x-amz-transition-default-minimum-object-size",
    ]

    private static let pieces = [
        "bytes=", "0", "-", "9999999999999999999999", ",", " ", "*", "\"", "W/", "abc", "=?UTF-8?Q?", "?=", "=C3", "=?",
        "é", "_", "=", "%", "%41", "&", "aws-chunked", "gzip", "GET", "/", "http://", "Wed, 15 Nov 2023 12:02:40 GMT",
        "2023-11-15T12:02:40Z", "T", ":", "+0100", "CRC32", "x-amz-checksum-crc32", "AAAA", "private", "GLACIER",
        "COMPOSITE", "FULL_OBJECT", "COPY", "photos/", "?versionId=", "ETag", "ObjectParts", "id=", "uri=", "'",
        "GOVERNANCE", "ON",
    ]

    /// Whatever a client sends, the outcome is a value or an S3Error, and what is answered holds no line but ours.
    @Test(arguments: UInt64(1)...4)
    func `ends in a value or an S3Error for random values`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let lines = (0..<3).map { _ in
                let value = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    Self.pieces.randomElement(using: &random)!
                }
                return Self.names.randomElement(using: &random)! + ": " + value.joined()
            }
            let fields = try requestFields("PUT /bucket/key", lines)
            Self.readAll(fields)
            guard let headers = try? ObjectHeaders(fields) else { continue }
            var answer: [UInt8] = []
            headers.metadata.appendFieldLines(to: &answer)
            #expect(ObjectMetadata(decoding: headers.metadata.encode()) == headers.metadata)
            for line in text(answer).split(separator: "\r\n") {
                #expect(line.hasPrefix("x-amz-") || line.hasPrefix("Content-") || line.hasPrefix("Expires: "))
            }
        }
    }

    private static func readAll(_ fields: RequestFields) {
        let etag = ETag(unquoted: "abc")
        let time = Timestamp(seconds: 1_700_049_760)
        _ = ReadConditions(fields).verdict(etag: etag, lastModified: time, now: time)
        _ = refusal { _ = try WriteCondition(fields).check(current: etag, key: ObjectKey("k".utf8)!) }
        _ = refusal { _ = try ChecksumExpectation(fields.head) }
        _ = refusal { try ExpectedBucketOwner.check(fields, owner: "111122223333") }
        _ = refusal {
            _ = try CORSRequest(preflight: fields.head).preflightFields(.configured(.permissive), isObject: true)
        }
        _ = refusal { _ = try MultipartChecksum.named(in: fields) }
        _ = refusal { _ = try CopySource.named(in: fields) }
        _ = refusal { try CopyConditions(fields).check(etag: etag, lastModified: time, now: time) }
        _ = refusal {
            let directive = try CopyDirective.metadata(in: fields)
            try SelfCopyRule.check(fields, isSameObject: true, metadata: directive, stored: .crc32)
        }
        _ = refusal { _ = try ObjectAttributeSelection(fields) }
        _ = refusal {
            let stored = [uploadedPart(1)]
            _ = try MultipartAssembly.plan(
                try completion(of: stored, withChecksums: false), stored: stored, upload: nil, fields: fields,
                uploadID: "u")
        }
        _ = refusal { _ = try RequestedACL(fields, body: []) }
        _ = refusal { _ = try ObjectLock.named(in: fields, now: time) }
        _ = refusal { _ = try ObjectOwnership.named(in: fields) }
        _ = refusal { _ = try TransitionDefaultMinimumObjectSize(fields) }
        _ = PolicyRequest.conditions(fields, sourceIP: "::1", isSecure: true, now: time, signing: nil)
        for size: UInt64 in [0, 10, .max] {
            let selected = try? ByteRange.selection(fields, of: size, etag: etag, lastModified: time)
            if let selected { #expect(!selected.isEmpty && selected.upperBound <= size) }
        }
    }
}
