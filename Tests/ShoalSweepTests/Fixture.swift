import Glibc
import ShoalFaults
import ShoalS3
import Testing

@testable import ShoalSweep

/// Whether `text` is that of `fixtures/sweep/NAME`; with `SHOAL_WRITE_DOCS` set the file is written first.
func isGolden(_ text: String, _ name: String) throws -> Bool {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(root)/fixtures/sweep/\(name)"
    if getenv("SHOAL_WRITE_DOCS") != nil {
        let stream = try #require(fopen(path, "w"), "cannot write \(path)")
        fputs(text, stream)
        fclose(stream)
    }
    let stream = try #require(fopen(path, "r"), "cannot open \(path)")
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self) == text
}

/// What runs of made-up commands left.
enum Story {
    static let photo = SweepEvidence.StoredObject(bucket: "sweep", key: "photo.jpg", size: 19_908, sha256: "aa11")

    static func put(
        _ object: SweepEvidence.StoredObject = photo, struckAt: FaultPoint? = nil, isCommitted: Bool = true,
        etag: String = "e1", outcome: Attempt.Outcome? = .ok
    ) -> SweepEvidence.Request {
        .init(
            .putObject, target: object.name, struckAt: struckAt, isCommitted: isCommitted, etag: etag, outcome: outcome)
    }

    /// One photo, put once.
    static let plain = SweepEvidence(ending: .exit(0), firings: 0, objects: [photo], requests: [put()])

    static let expectation = SweepExpectation(plain, plain)

    static func cell(_ line: String = "PutObject @commit.after 1*reset connection=fresh", number: Int = 3) throws
        -> SweepCell
    {
        SweepCell(number: number, rule: try FaultRule(line: line))
    }

    static func verdict(
        _ evidence: SweepEvidence, _ line: String = "PutObject @commit.after 1*reset connection=fresh"
    ) throws -> SweepVerdict {
        SweepVerdict(on: evidence, of: try cell(line), expecting: expectation)
    }
}
