import ShoalCrypto
import ShoalHTTP

/// What a body must hash to, and which checksum is computed for the object it becomes.
///
/// Only header lines count: a checksum in the query of a presigned URL is signed and not compared.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
package struct ChecksumExpectation: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        /// The client sent none; the server computes CRC64NVME.
        case none
        /// The digest that an `x-amz-checksum-…` header promised.
        case header([UInt8])
        /// A trailer named in `x-amz-trailer` brings the digest.
        case trailer
    }

    /// How `ExpectedDigest` spells the client's MD5 in a `BadDigest`.
    package enum DigestSpelling: Sendable {
        /// Lower-case hexadecimal: PutObject.
        case hexadecimal
        /// As sent: UploadPart and DeleteObjects.
        case asSent
    }

    /// The algorithm to compute while the body arrives.
    package let algorithm: ChecksumAlgorithm
    package let source: Source
    /// The 16 bytes of `Content-MD5`; nil if it was not sent.
    package let contentMD5: [UInt8]?

    /// Throws 400 in S3's order: `InvalidDigest` for a malformed `Content-MD5`, then `InvalidRequest` for an unknown
    /// algorithm, two checksums, a malformed value, and `x-amz-sdk-checksum-algorithm`.
    package init(_ head: RequestHead) throws(S3Error) {
        contentMD5 = try Self.contentMD5(head)
        let checksums = try Self.checksumFields(head)
        let trailer = try Self.trailer(head)
        guard checksums.count + (trailer == nil ? 0 : 1) <= 1 else { throw .multipleChecksums }
        if let (algorithm, value) = checksums.first {
            guard let digest = Base64.decode(value), digest.count == algorithm.byteCount else {
                throw S3Error(.invalidRequest, "Value for \(algorithm.headerName) header is invalid.")
            }
            (self.algorithm, source) = (algorithm, .header(digest))
        } else if let trailer {
            (algorithm, source) = (trailer, .trailer)
        } else {
            (algorithm, source) = (.crc64nvme, .none)
        }
        try checkAlgorithmOfSDK(head)
    }

    /// The `x-amz-checksum-…` lines that hold values. Throws 400 `InvalidRequest` for an unknown algorithm.
    static func checksumFields(
        _ head: RequestHead
    ) throws(S3Error) -> [(algorithm: ChecksumAlgorithm, value: ArraySlice<UInt8>)] {
        var checksums: [(algorithm: ChecksumAlgorithm, value: ArraySlice<UInt8>)] = []
        for line in head.fieldLines where line.name.count > Self.prefixCount {
            let name = head.name(of: line)
            guard name.hasPrefixIgnoringCase("x-amz-checksum-"), !Self.isSetting(name) else { continue }
            guard let algorithm = ChecksumAlgorithm(headerName: name) else {
                throw S3Error(
                    .invalidRequest, "The algorithm type you specified in x-amz-checksum- header is invalid.")
            }
            checksums.append((algorithm, head.value(of: line)))
        }
        return checksums
    }

    /// What `Content-MD5` alone promises. Throws 400 `InvalidDigest`.
    package init(contentMD5Of head: RequestHead) throws(S3Error) {
        contentMD5 = try Self.contentMD5(head)
        (algorithm, source) = (.crc64nvme, .none)
    }

    private static let prefixCount = 15

    /// `x-amz-checksum-mode` and its like say how, not what.
    private static func isSetting(_ name: ArraySlice<UInt8>) -> Bool {
        name.equalsIgnoringCase("x-amz-checksum-mode") || name.equalsIgnoringCase("x-amz-checksum-algorithm")
            || name.equalsIgnoringCase("x-amz-checksum-type")
    }

    private static func contentMD5(_ head: RequestHead) throws(S3Error) -> [UInt8]? {
        guard let value = head.first("content-md5") else { return nil }
        guard let digest = Base64.decode(value), digest.count == DigestAlgorithm.md5.byteCount else {
            throw S3Error(.invalidDigest, elements: [.init("Content-MD5", value.text)])
        }
        return digest
    }

    /// The algorithm of the one trailer that S3 takes.
    private static func trailer(_ head: RequestHead) throws(S3Error) -> ChecksumAlgorithm? {
        guard let value = head.first("x-amz-trailer") else { return nil }
        guard let algorithm = ChecksumAlgorithm(headerName: value) else {
            throw S3Error(.invalidRequest, "The value specified in the x-amz-trailer header is not supported")
        }
        return algorithm
    }

    private func checkAlgorithmOfSDK(_ head: RequestHead) throws(S3Error) {
        guard let named = head.first("x-amz-sdk-checksum-algorithm") else { return }
        guard source != .none else {
            throw S3Error(
                .invalidRequest,
                "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers "
                    + "were found.")
        }
        guard named.count == algorithm.rawValue.utf8.count,
            zip(named, algorithm.rawValue.utf8).allSatisfy({ $0.lowercasedASCII == $1.lowercasedASCII })
        else { throw S3Error(.invalidRequest, "Value for x-amz-sdk-checksum-algorithm header is invalid.") }
    }
}

// MARK: - Comparing with the body

extension ChecksumExpectation {
    /// Throws 400 `BadDigest` if the body's MD5, 16 bytes, is not what `Content-MD5` promised.
    package func check(md5: [UInt8], expectedDigest spelling: DigestSpelling) throws(S3Error) {
        guard let contentMD5, contentMD5 != md5 else { return }
        let expected = spelling == .hexadecimal ? Hexadecimal.string(contentMD5) : Base64.string(contentMD5)
        throw S3Error(
            .badDigest,
            elements: [.init("CalculatedDigest", Base64.string(md5)), .init("ExpectedDigest", expected)])
    }

    /// The body's checksum for the catalogue, once it is what the header or trailer promised.
    ///
    /// `digest` is of `algorithm`; `trailer` the value of the trailer line, nil if none came. Throws 400: `BadDigest`,
    /// `InvalidRequest` for a malformed trailer value, `MalformedTrailerError` for one that is missing.
    package func checked(digest: [UInt8], trailer: ArraySlice<UInt8>? = nil) throws(S3Error) -> Checksum {
        switch source {
        case .none: break
        case .header(let expected): guard expected == digest else { throw badDigest }
        case .trailer:
            guard let trailer else { throw S3Error(.malformedTrailer) }
            guard let expected = Base64.decode(trailer), expected.count == algorithm.byteCount else {
                throw S3Error(.invalidRequest, "Value for \(algorithm.headerName) trailing header is invalid.")
            }
            guard expected == digest else { throw badDigest }
        }
        return Checksum(algorithm, digest: digest)
    }

    private var badDigest: S3Error {
        S3Error(.badDigest, "The \(algorithm.rawValue) you specified did not match the calculated checksum.")
    }
}

extension S3Error {
    static var multipleChecksums: S3Error {
        S3Error(
            .invalidRequest, "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.")
    }
}

extension ChecksumAlgorithm {
    /// The algorithm of `x-amz-checksum-crc32` and so on, in any case.
    package init?(headerName name: ArraySlice<UInt8>) {
        guard name.hasPrefixIgnoringCase("x-amz-checksum-") else { return nil }
        switch name.dropFirst(15) {
        case let suffix where suffix.equalsIgnoringCase("crc32"): self = .crc32
        case let suffix where suffix.equalsIgnoringCase("crc32c"): self = .crc32c
        case let suffix where suffix.equalsIgnoringCase("crc64nvme"): self = .crc64nvme
        case let suffix where suffix.equalsIgnoringCase("sha1"): self = .sha1
        case let suffix where suffix.equalsIgnoringCase("sha256"): self = .sha256
        default: return nil
        }
    }
}

extension Checksum {
    /// Whether a GET or HEAD returns checksums: `x-amz-checksum-mode: ENABLED`, in any case. Throws 400 `InvalidRequest`
    /// for another value.
    package static func isRequested(by fields: RequestFields) throws(S3Error) -> Bool {
        guard let mode = fields.first("x-amz-checksum-mode") else { return false }
        guard mode.equalsIgnoringCase("enabled") else {
            throw S3Error(.invalidRequest, "Value for x-amz-checksum-mode header is invalid.")
        }
        return true
    }

    /// Appends `x-amz-checksum-…` and `x-amz-checksum-type`, each with CRLF.
    package func appendFieldLines(to bytes: inout [UInt8]) {
        bytes.append("x-amz-checksum-")
        bytes += algorithm.rawValue.utf8.lazy.map(\.lowercasedASCII)
        bytes.append(": ")
        bytes += text.utf8
        bytes.append("\r\nx-amz-checksum-type: ")
        bytes += kind.rawValue.utf8
        bytes.append("\r\n")
    }
}
