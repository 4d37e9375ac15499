import ShoalHTTP
import ShoalS3

/// What the head of PutObject or UploadPart says about the length of the body.
package enum UploadLength {
    /// The largest object of one request and the largest part: 5 GiB.
    package static let byteCountMax: UInt64 = 5 << 30

    /// Before authentication. Throws 411 `MissingContentLength` without any length, 501 `NotImplemented` for the chunked
    /// transfer coding unless an `aws-chunked` body says how long it is, 400 `EntityTooLarge` above 5 GiB.
    package static func check(_ head: RequestHead) throws(S3Error) {
        let isDecodedLengthGiven = head.first("x-amz-decoded-content-length") != nil
        switch head.framing {
        case .none: throw S3Error(.missingContentLength)
        case .chunked where !isDecodedLengthGiven: throw transferEncoding
        case .length(let byteCount) where byteCount > byteCountMax && !isDecodedLengthGiven: throw tooLarge(byteCount)
        case .chunked, .length: return
        }
    }

    /// After authentication: the number of payload bytes, without the framing of `aws-chunked`. Throws 411
    /// `MissingContentLength` for such a body without a readable `x-amz-decoded-content-length`, and as above.
    package static func payloadByteCount(
        of head: RequestHead, _ payload: PayloadExpectation
    ) throws(S3Error) -> UInt64 {
        let byteCount: UInt64
        switch (payload, head.framing) {
        case (.chunked, _):
            guard let text = head.first("x-amz-decoded-content-length"), let decoded = Decimal.integer(text) else {
                throw S3Error(.missingContentLength)
            }
            byteCount = UInt64(decoded)
        case (_, .length(let sent)): byteCount = sent
        case (_, .chunked): throw transferEncoding
        case (_, .none): throw S3Error(.missingContentLength)
        }
        try check(byteCount: byteCount)
        return byteCount
    }

    /// The number of bytes of a form; how large its file may be is for `check(byteCount:)` to say. Throws 411
    /// `MissingContentLength` without a length, and 501 `NotImplemented` for the chunked transfer coding.
    package static func formByteCount(of head: RequestHead) throws(S3Error) -> UInt64 {
        switch head.framing {
        case .none: throw S3Error(.missingContentLength)
        case .chunked: throw transferEncoding
        case .length(let byteCount): return byteCount
        }
    }

    /// Throws 400 `EntityTooLarge` for more than one request may upload.
    package static func check(byteCount: UInt64) throws(S3Error) {
        guard byteCount <= byteCountMax else { throw tooLarge(byteCount) }
    }

    private static var transferEncoding: S3Error {
        S3Error(.notImplemented, elements: [S3Error.Element("Header", "Transfer-Encoding")])
    }

    private static func tooLarge(_ byteCount: UInt64) -> S3Error {
        S3Error(
            .entityTooLarge,
            elements: [
                S3Error.Element("MaxSizeAllowed", String(byteCountMax)),
                S3Error.Element("ProposedSize", String(byteCount)),
            ])
    }
}
