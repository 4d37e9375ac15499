import ShoalCrypto

/// What CompleteMultipartUpload makes of an upload, once everything the client said about it is found true.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
package struct MultipartAssembly: Sendable {
    /// The parts that become the object, in order.
    package let parts: [UploadedPart]
    /// The MD5 of the parts' MD5s, a hyphen, and their number.
    package let etag: ETag
    /// Bytes of all parts.
    package let size: UInt64
    package let checksum: Checksum

    /// `stored` are the parts of the upload in ascending order; `upload` its checksum, nil if it was begun with none.
    ///
    /// Throws 400 in S3's order: `InvalidPartOrder`; `InvalidPart`; `InvalidRequest` and `BadDigest` for the checksums of
    /// parts and object; `EntityTooSmall`, and `InvalidRequest` for `x-amz-mp-object-size`. 500 `InternalError` means
    /// that a stored part lacks a tag or checksum of its kind.
    package static func plan(
        _ request: CompletedMultipartUpload, stored: [UploadedPart], upload: MultipartChecksum?, fields: RequestFields,
        uploadID: String
    ) throws(S3Error) -> MultipartAssembly {
        try request.checkOrder(uploadID: uploadID)
        let parts = try matching(request.parts, in: stored, uploadID: uploadID)
        try checkKind(fields, upload)
        for (part, sent) in zip(parts, request.parts) {
            try PartClaim(sent, of: upload, uploadID: uploadID).check(against: part)
        }
        let checksum = try checksum(of: parts, upload)
        try check(checksum, against: fields, upload)
        try checkSizes(of: parts)
        let size = parts.reduce(0) { $0 + $1.size }
        try checkObjectSize(fields, size)
        return MultipartAssembly(parts: parts, etag: try etag(of: parts), size: size, checksum: checksum)
    }

    /// Walks both lists, which ascend. A part that was uploaded and is not listed is left out.
    private static func matching(
        _ listed: [CompletedMultipartUpload.Part], in stored: [UploadedPart], uploadID: String
    ) throws(S3Error) -> [UploadedPart] {
        var found: [UploadedPart] = []
        found.reserveCapacity(listed.count)
        var index = stored.startIndex
        for part in listed {
            while index < stored.endIndex, stored[index].number < part.number { index += 1 }
            guard index < stored.endIndex, stored[index].number == part.number, stored[index].etag == part.etag else {
                throw .invalidPart(part.number, part.etag, uploadID: uploadID)
            }
            found.append(stored[index])
        }
        return found
    }

    private static func etag(of parts: [UploadedPart]) throws(S3Error) -> ETag {
        var digests: [UInt8] = []
        digests.reserveCapacity(parts.count * DigestAlgorithm.md5.byteCount)
        for part in parts {
            guard let digest = Hexadecimal.decode(part.etag.text.utf8) else { throw S3Error(.internalError) }
            digests += digest
        }
        return ETag(unquoted: Hexadecimal.string(Digest.of(digests, .md5)) + "-\(parts.count)")
    }
}

// MARK: - Checksum of the object

extension MultipartAssembly {
    private static func checksum(of parts: [UploadedPart], _ upload: MultipartChecksum?) throws(S3Error) -> Checksum {
        let algorithm = MultipartChecksum.partAlgorithm(of: upload)
        guard upload?.kind != .composite else {
            var values: [UInt8] = []
            for part in parts { values += try value(of: part, algorithm) }
            let text = Base64.string(algorithm.value(of: values)) + "-\(parts.count)"
            return Checksum(algorithm, kind: .composite, text: text)
        }
        guard let polynomial = algorithm.polynomial else { throw S3Error(.internalError) }
        var combined: UInt64 = 0
        for part in parts {
            guard let next = polynomial.value(bigEndian: try value(of: part, algorithm)) else {
                throw S3Error(.internalError)
            }
            combined = CyclicRedundancyCheck.combine(polynomial, combined, next, secondByteCount: part.size)
        }
        return Checksum(algorithm, digest: polynomial.bigEndianBytes(of: combined))
    }

    private static func value(of part: UploadedPart, _ algorithm: ChecksumAlgorithm) throws(S3Error) -> [UInt8] {
        guard let checksum = part.checksum, checksum.algorithm == algorithm, let value = checksum.value else {
            throw S3Error(.internalError)
        }
        return value
    }

    /// `x-amz-checksum-type` must say what it said at the beginning; S3 calls the type of an upload without one `null`.
    private static func checkKind(_ fields: RequestFields, _ upload: MultipartChecksum?) throws(S3Error) {
        guard let kind = try Checksum.Kind.named(in: fields), kind != upload?.kind else { return }
        throw S3Error(
            .invalidRequest,
            "The upload was created using the \(upload?.kind.rawValue ?? "null") checksum mode. The complete request "
                + "must use the same checksum mode.")
    }

    /// Compares `x-amz-checksum-…`, which is about the object here and not about the body; a composite one may come
    /// without its count of parts. Which combinations are taken was recorded on AWS.
    private static func check(
        _ checksum: Checksum, against fields: RequestFields, _ upload: MultipartChecksum?
    ) throws(S3Error) {
        let sent = try ChecksumExpectation.checksumFields(fields.head)
        guard sent.count <= 1 else { throw .multipleChecksums }
        guard let (algorithm, value) = sent.first else { return }
        let mismatch = S3Error(
            .badDigest, "The \(checksum.algorithm.lowercaseName) you specified did not match the calculated checksum.")
        switch upload?.kind {
        // One that the upload was not begun with is passed over.
        case nil where algorithm != checksum.algorithm: return
        // One over all bytes is only taken from whoever says that it is one.
        case .fullObject where algorithm != checksum.algorithm || fields.first("x-amz-checksum-type") == nil:
            throw mismatch
        default: break
        }
        guard algorithm == checksum.algorithm else {
            throw .checksumTypeMismatch(expected: upload?.algorithm, actual: algorithm)
        }
        let hyphen = checksum.kind == .composite ? value.firstIndex(of: UInt8(ascii: "-")) : nil
        guard Base64.decode(value[..<(hyphen ?? value.endIndex)])?.count == algorithm.byteCount else {
            throw S3Error(.invalidRequest, "Value for \(algorithm.headerName) header is invalid.")
        }
        let expected = hyphen == nil ? checksum.textWithoutPartCount : checksum.text
        guard value.elementsEqual(expected.utf8) else { throw mismatch }
    }
}

// MARK: - Sizes

extension MultipartAssembly {
    private static func checkSizes(of parts: [UploadedPart]) throws(S3Error) {
        guard let small = parts.dropLast().first(where: { $0.size < UploadedPart.byteCountMin }) else { return }
        throw S3Error(
            .entityTooSmall,
            elements: [
                .init("ProposedSize", "\(small.size)"), .init("MinSizeAllowed", "\(UploadedPart.byteCountMin)"),
                .init("PartNumber", "\(small.number.value)"), .init("ETag", small.etag.text),
            ])
    }

    private static func checkObjectSize(_ fields: RequestFields, _ size: UInt64) throws(S3Error) {
        guard let value = fields.first("x-amz-mp-object-size") else { return }
        guard let expected = Int(digits: value) else {
            throw S3Error(
                .invalidRequest, "Value for x-amz-mp-object-size header is invalid: '\(value.text)'")
        }
        guard expected >= 0 else {
            throw S3Error(
                .invalidRequest, "Value for x-amz-mp-object-size header is less than zero: '\(value.text)'")
        }
        guard UInt64(expected) == size else {
            throw S3Error(
                .invalidRequest,
                "The provided 'x-amz-mp-object-size' header value \(expected) does not match what was computed: "
                    + "\(size)")
        }
    }
}

/// What a client says about the checksum of one part.
private struct PartClaim {
    private let part: CompletedMultipartUpload.Part
    private let upload: MultipartChecksum?
    private let uploadID: String

    init(_ part: CompletedMultipartUpload.Part, of upload: MultipartChecksum?, uploadID: String) {
        self.part = part
        self.upload = upload
        self.uploadID = uploadID
    }

    /// Throws 400: `InvalidPart` for a wrong value and for any value where the upload has no algorithm; for a composite
    /// checksum `BadDigest` if only another algorithm's value is there and `InvalidRequest` if none is.
    func check(against stored: UploadedPart) throws(S3Error) {
        guard let upload else {
            guard part.checksums.isEmpty else { throw .invalidPart(part.number, part.etag, uploadID: uploadID) }
            return
        }
        if let value = part.checksums[upload.algorithm] {
            guard value == stored.checksum?.text else {
                throw .invalidPart(part.number, part.etag, uploadID: uploadID)
            }
            return
        }
        guard upload.kind == .composite else { return }
        if let other = ChecksumAlgorithm.allCases.first(where: { part.checksums[$0] != nil }) {
            throw S3Error(
                .badDigest,
                "The \(other.lowercaseName) you specified for part \(part.number.value) did not match what we received."
            )
        }
        throw S3Error(
            .invalidRequest,
            "The upload was created using a \(upload.algorithm.lowercaseName) checksum. The complete request must "
                + "include the checksum for each part. It was missing for part \(part.number.value) in the request.")
    }
}
