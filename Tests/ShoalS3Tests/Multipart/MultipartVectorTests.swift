import FoundationEssentials
import ShoalCrypto
import ShoalS3
import Testing

/// One entry of `fixtures/multipart/multipart.json`.
private struct Vector: Decodable {
    struct Part: Decodable {
        let length: Int
        let pattern: String
        let md5: String
        let crc32, crc32c, crc64nvme, sha1, sha256: String

        /// What the pattern stands for.
        var bytes: [UInt8] {
            pattern == "byte 0x61 repeated" ? [UInt8](repeating: 0x61, count: length) : Array(pattern.utf8)
        }

        func text(_ algorithm: ChecksumAlgorithm) -> String {
            switch algorithm {
            case .crc32: crc32
            case .crc32c: crc32c
            case .crc64nvme: crc64nvme
            case .sha1: sha1
            case .sha256: sha256
            }
        }
    }

    let name: String
    let parts: [Part]
    let etag: String
    let crc32_composite, crc32c_composite, sha1_composite, sha256_composite: String
    let crc32_full, crc32c_full, crc64nvme_full: String

    var checksums: [(upload: MultipartChecksum, text: String)] {
        [
            (.init(stored: .crc32, .composite), crc32_composite),
            (.init(stored: .crc32c, .composite), crc32c_composite),
            (.init(stored: .sha1, .composite), sha1_composite), (.init(stored: .sha256, .composite), sha256_composite),
            (.init(stored: .crc32, .fullObject), crc32_full), (.init(stored: .crc32c, .fullObject), crc32c_full),
            (.init(stored: .crc64nvme, .fullObject), crc64nvme_full),
        ]
    }

    func stored(_ algorithm: ChecksumAlgorithm) throws -> [UploadedPart] {
        try parts.enumerated().map { index, part in
            UploadedPart(
                number: try #require(PartNumber(index + 1)), etag: ETag(unquoted: part.md5),
                size: UInt64(part.length), lastModified: Timestamp(seconds: 1_700_049_760),
                checksum: Checksum(algorithm, kind: .fullObject, text: part.text(algorithm)))
        }
    }

    static func all() throws -> [Vector] {
        struct File: Decodable { let vectors: [Vector] }
        return try JSONDecoder().decode(File.self, from: Data(try fixture("multipart/multipart.json"))).vectors
    }
}

@Suite struct `The published multipart vectors` {
    @Test func `have parts whose digests are ours`() throws {
        for part in try Vector.all().flatMap(\.parts) {
            let bytes = part.bytes
            #expect(bytes.count == part.length)
            #expect(Hexadecimal.string(Digest.of(bytes, .md5)) == part.md5)
            for algorithm in ChecksumAlgorithm.allCases {
                #expect(Base64.string(algorithm.value(of: bytes)) == part.text(algorithm))
            }
        }
    }

    @Test func `give the tag and every checksum of the object`() throws {
        for vector in try Vector.all() {
            for (upload, text) in vector.checksums {
                let stored = try vector.stored(upload.algorithm)
                let fields = try requestFields(
                    "POST /bucket/key?uploadId=u",
                    [
                        "x-amz-checksum-\(upload.algorithm.rawValue): \(text)",
                        "x-amz-checksum-type: \(upload.kind.rawValue)",
                    ])
                let assembly = try MultipartAssembly.plan(
                    try completion(of: stored), stored: stored, upload: upload, fields: fields, uploadID: "u")
                #expect(assembly.etag.quoted == vector.etag)
                #expect(assembly.checksum == Checksum(upload.algorithm, kind: upload.kind, text: text))
                #expect(assembly.size == vector.parts.reduce(0) { $0 + UInt64($1.length) })
            }
        }
    }

    @Test func `give CRC64NVME over all bytes to an upload without an algorithm`() throws {
        for vector in try Vector.all() {
            let stored = try vector.stored(.crc64nvme)
            let assembly = try MultipartAssembly.plan(
                try completion(of: stored, withChecksums: false), stored: stored, upload: nil,
                fields: try requestFields("POST /bucket/key?uploadId=u"), uploadID: "u")
            #expect(assembly.checksum == Checksum(.crc64nvme, kind: .fullObject, text: vector.crc64nvme_full))
        }
    }
}
