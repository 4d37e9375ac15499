import ShoalHTTP
import ShoalS3

/// What `x-amz-trailer` announces: the one checksum that will stand behind the body.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
package enum TrailerDeclaration {
    /// The announced algorithm, nil if none is. Throws `InvalidRequest` for any other trailer, for two, and for a checksum
    /// header beside it.
    package static func algorithm(of head: RequestHead) throws(S3Error) -> ChecksumAlgorithm? {
        let lines = head.all("x-amz-trailer")
        guard let line = lines.first else { return nil }
        let name = line.trimmed.map(\.lowercasedASCII)
        guard lines.count == 1,
            let algorithm = ChecksumAlgorithm.allCases.first(where: { name.elementsEqual($0.headerName.utf8) })
        else { throw S3Error(.invalidRequest, "The value specified in the x-amz-trailer header is not supported") }
        let names = ChecksumAlgorithm.allCases.map(\.headerName)
        for line in head.fieldLines where names.contains(where: { head.isNamed(line, $0.utf8) }) {
            throw S3Error(
                .invalidRequest,
                "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.")
        }
        return algorithm
    }
}
