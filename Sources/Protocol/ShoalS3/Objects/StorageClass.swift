/// A storage class that an object of an ordinary bucket may have.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-class-intro.html
package enum StorageClass: String, CaseIterable, Sendable {
    case standard = "STANDARD"
    case reducedRedundancy = "REDUCED_REDUNDANCY"
    case standardIA = "STANDARD_IA"
    case oneZoneIA = "ONEZONE_IA"
    case intelligentTiering = "INTELLIGENT_TIERING"
    case glacier = "GLACIER"
    case deepArchive = "DEEP_ARCHIVE"
    case glacierIR = "GLACIER_IR"

    /// The class a write asks for. Throws 400 `InvalidStorageClass`, also for those of other services (`OUTPOSTS`).
    package init(_ fields: RequestFields) throws(S3Error) {
        guard let value = fields.first("x-amz-storage-class") else {
            self = .standard
            return
        }
        guard let known = StorageClass(rawValue: value.text) else {
            throw S3Error(.invalidStorageClass, elements: [.init("StorageClassRequested", value.text)])
        }
        self = known
    }

    /// Whether the bytes can only be read after a restore.
    package var isArchived: Bool { self == .glacier || self == .deepArchive }

    /// Appends `x-amz-storage-class` with CRLF for a GET or HEAD; S3 leaves it out for the standard class.
    package func appendFieldLine(to bytes: inout [UInt8]) {
        guard self != .standard else { return }
        bytes.append("x-amz-storage-class: ")
        bytes += rawValue.utf8
        bytes.append("\r\n")
    }
}
