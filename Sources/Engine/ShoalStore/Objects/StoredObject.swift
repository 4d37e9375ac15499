/// Where the bytes of a body are. Bytes at a location never change; a location may only go away.
enum BodyLocation: Hashable, Sendable {
    /// A body of no bytes has no file.
    case empty
    case segment(number: UInt64, offset: UInt64)
    case blob(BlobID)
    /// The parts of a completed upload, one behind the other.
    case assembly(UploadNumber)
}

extension BodyLocation {
    var segmentNumber: UInt64? {
        if case .segment(let number, _) = self { number } else { nil }
    }

    var upload: UploadNumber? {
        if case .assembly(let upload) = self { upload } else { nil }
    }
}

/// An object as catalogue and overlay hold it.
struct StoredObject: Sendable {
    let record: ObjectRecord
    let location: BodyLocation
}

/// The number of a bucket within the catalogue.
typealias BucketID = Int64
