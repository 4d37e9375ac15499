import ShoalS3
import ShoalStore

/// What the server keeps in `ObjectRecord.attributes`: the storage class, then the headers that are returned.
///
/// ```
/// storage class: 1    its place in `StorageClass.allCases`
/// metadata            as `ObjectMetadata` encodes it
/// ```
struct ObjectAttributes {
    let storageClass: StorageClass
    let metadata: ObjectMetadata

    init(storageClass: StorageClass, metadata: ObjectMetadata) {
        self.storageClass = storageClass
        self.metadata = metadata
    }

    init(_ record: ObjectRecord) {
        let place = record.attributes.first.map(Int.init) ?? 0
        storageClass = place < Self.classes.count ? Self.classes[place] : .standard
        metadata = ObjectMetadata(decoding: Array(record.attributes.dropFirst())) ?? ObjectMetadata()
    }

    var encoded: [UInt8] {
        [UInt8(Self.classes.firstIndex(of: storageClass) ?? 0)] + metadata.encode()
    }

    /// Part of the format on disk, so a class keeps its place.
    private static let classes = StorageClass.allCases
}
