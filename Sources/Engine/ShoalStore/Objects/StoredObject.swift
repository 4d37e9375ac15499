/// Where the bytes of a body are. Bytes at a location never change; a location may only go away.
enum BodyLocation: Hashable, Sendable {
    /// A body of no bytes has no file.
    case empty
    case segment(number: UInt64, offset: UInt64)
    case blob(BlobID)
}

/// An object as catalogue and overlay hold it.
struct StoredObject: Sendable {
    let record: ObjectRecord
    let location: BodyLocation
}

/// The number of a bucket within the catalogue.
typealias BucketID = Int64
