import ShoalCrypto
import ShoalHTTP
import ShoalS3

/// The lines behind the last chunk, gathered one by one.
///
/// Lines may end with LF or CRLF, and an older client sends an empty line between the checksum and its signature.
struct TrailerSection {
    /// Bytes all lines may have together.
    static let byteCountMax = 8 * 1024

    private let declared: ChecksumAlgorithm?
    private let isSigned: Bool
    private var line: [UInt8] = []
    private var byteCount = 0
    private var fields: [(name: [UInt8], value: ArraySlice<UInt8>)] = []
    /// Read wherever it stands, so that a body whose signatures are passed over is decoded; verified only if chunks are.
    private(set) var signature: ArraySlice<UInt8>?
    private var hasSkippedEmptyLine = false

    init(declared: ChecksumAlgorithm?, isSigned: Bool) {
        self.declared = declared
        self.isSigned = isSigned
    }

    /// Takes the next byte; true when the section has ended.
    mutating func take(_ byte: UInt8) throws(S3Error) -> Bool {
        byteCount += 1
        guard byteCount <= Self.byteCountMax else { throw S3Error(.malformedTrailer) }
        guard byte == UInt8(ascii: "\n") else {
            line.append(byte)
            return false
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        defer { line = [] }
        guard line.isEmpty else {
            try addField()
            return false
        }
        if isSigned && signature == nil && !fields.isEmpty && !hasSkippedEmptyLine {
            hasSkippedEmptyLine = true
            return false
        }
        return true
    }

    private mutating func addField() throws(S3Error) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { throw S3Error(.malformedTrailer) }
        let name = line[..<colon].map(\.lowercasedASCII)
        let value = line[(colon + 1)...].trimmed
        if name[...].equals("x-amz-trailer-signature") {
            guard signature == nil else { throw S3Error(.malformedTrailer) }
            signature = value
        } else {
            fields.append((name, value))
        }
    }

    /// The text that the trailer's signature covers.
    var canonical: [UInt8] {
        fields.flatMap { $0.name + [UInt8(ascii: ":")] + $0.value + [UInt8(ascii: "\n")] }
    }

    /// Throws `MalformedTrailerError` unless the lines are exactly those announced.
    func checkNames() throws(S3Error) {
        let expected = declared.map { [Array($0.headerName.utf8)] } ?? []
        guard fields.map(\.name) == expected, !isSigned || signature != nil else { throw S3Error(.malformedTrailer) }
    }

    /// The checksum the client computed, nil if none was announced. Throws `InvalidRequest` unless it is base 64 of the
    /// algorithm's length.
    func checksum() throws(S3Error) -> Checksum? {
        guard let declared, let value = fields.first?.value else { return nil }
        guard let digest = Base64.decode(value), digest.count == declared.byteCount else {
            throw S3Error(.invalidRequest, "Value for \(declared.headerName) trailing header is invalid.")
        }
        return Checksum(declared, digest: digest)
    }
}
