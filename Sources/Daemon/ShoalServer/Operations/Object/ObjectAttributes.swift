import ShoalS3
import ShoalStore

/// What the server keeps in `ObjectRecord.attributes`: the storage class, tags, the access control list, what few objects
/// have besides, and the headers that are returned.
///
/// ```
/// storage class: 1    its place in `StorageClass.allCases`, 128 more if there are tags, 64 more if there is a list, 32
///                     more if there are details
/// tags                only then: their number: 1, then for each the length of key and value: 2, 2 (big-endian), and both
/// list                only then: the length of its document: 4 (big-endian), and the document
/// details             only then: as `ObjectDetails` encodes them
/// metadata            as `ObjectMetadata` encodes it
/// ```
struct ObjectAttributes {
    var storageClass: StorageClass
    var metadata: ObjectMetadata
    var tags: TagSet
    /// Nil for the usual one: everything is the bucket owner's.
    var acl: AccessControlPolicy?
    var details: ObjectDetails

    private static let tagsFlag: UInt8 = 0x80
    private static let aclFlag: UInt8 = 0x40
    private static let detailsFlag: UInt8 = 0x20
    /// Part of the format on disk, so a class keeps its place.
    private static let classes = StorageClass.allCases

    init(
        storageClass: StorageClass, metadata: ObjectMetadata, tags: TagSet = TagSet(stored: []),
        acl: AccessControlPolicy? = nil, lock: ObjectLock = .none, encryption: ObjectEncryption = .s3
    ) {
        self.storageClass = storageClass
        self.metadata = metadata
        self.tags = tags
        self.acl = acl
        details = ObjectDetails(lock: lock, encryption: encryption)
    }

    init(
        _ headers: ObjectHeaders, acl: AccessControlPolicy? = nil, lock: ObjectLock = .none,
        encryption: ObjectEncryption = .s3
    ) {
        self.init(
            storageClass: headers.storageClass, metadata: headers.metadata, tags: headers.tags ?? TagSet(stored: []),
            acl: acl, lock: lock, encryption: encryption)
    }

    init(_ record: ObjectRecord) { self.init(encoded: record.attributes) }

    init(encoded bytes: [UInt8]) {
        let head = bytes.first ?? 0
        storageClass = Self.storageClass(head)
        var rest = bytes.dropFirst()
        tags = head & Self.tagsFlag == 0 ? TagSet(stored: []) : TagSet(takingFrom: &rest)
        acl = head & Self.aclFlag == 0 ? nil : Self.takeACL(from: &rest)
        details = head & Self.detailsFlag == 0 ? ObjectDetails() : ObjectDetails(takingFrom: &rest)
        metadata = ObjectMetadata(decoding: Array(rest)) ?? ObjectMetadata()
    }

    /// The class alone.
    static func storageClass(of record: ObjectRecord) -> StorageClass { storageClass(record.attributes.first ?? 0) }

    /// The same: what a listing needs of each of its thousand objects.
    static func storageClass(inEncoded bytes: UnsafeRawBufferPointer) -> StorageClass {
        storageClass(bytes.first ?? 0)
    }

    private static func storageClass(_ head: UInt8) -> StorageClass {
        let place = Int(head & ~(tagsFlag | aclFlag | detailsFlag))
        return place < classes.count ? classes[place] : .standard
    }

    private static func takeACL(from bytes: inout ArraySlice<UInt8>) -> AccessControlPolicy? {
        let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let document = bytes.dropFirst(4).prefix(count)
        bytes = bytes.dropFirst(4 + count)
        return try? AccessControlPolicy(Array(document))
    }

    var lock: ObjectLock {
        get { details.lock }
        set { details.lock = newValue }
    }

    var encryption: ObjectEncryption {
        get { details.encryption }
        set { details.encryption = newValue }
    }

    /// The list, in a bucket of that owner.
    func acl(inBucketOf owner: Owner) -> AccessControlPolicy { acl ?? .private(owner) }

    var encoded: [UInt8] {
        var bytes = [UInt8(Self.classes.firstIndex(of: storageClass) ?? 0)]
        if !tags.tags.isEmpty {
            bytes[0] |= Self.tagsFlag
            bytes += tags.encoded
        }
        if let document = acl?.document {
            bytes[0] |= Self.aclFlag
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: document.count >> shift)) }
            bytes += document
        }
        if details != ObjectDetails() {
            bytes[0] |= Self.detailsFlag
            bytes += details.encoded
        }
        return bytes + metadata.encode()
    }
}

extension TagSet {
    fileprivate var encoded: [UInt8] {
        var bytes = [UInt8(tags.count)]
        for tag in tags {
            for count in [tag.key.utf8.count, tag.value.utf8.count] {
                bytes.append(UInt8(count >> 8))
                bytes.append(UInt8(count & 0xFF))
            }
            bytes += tag.key.utf8
            bytes += tag.value.utf8
        }
        return bytes
    }

    /// Reads what `encoded` wrote; damaged bytes end the tags.
    fileprivate init(takingFrom bytes: inout ArraySlice<UInt8>) {
        var tags: [Tag] = []
        for _ in 0..<(bytes.popFirst() ?? 0) {
            let lengths = (0..<4).map { _ in Int(bytes.popFirst() ?? 0) }
            let (keyLength, valueLength) = (lengths[0] << 8 | lengths[1], lengths[2] << 8 | lengths[3])
            guard bytes.count >= keyLength + valueLength else { break }
            let key = bytes.prefix(keyLength)
            let value = bytes.dropFirst(keyLength).prefix(valueLength)
            bytes = bytes.dropFirst(keyLength + valueLength)
            tags.append(Tag(key: String(decoding: key, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
        }
        self.init(stored: tags)
    }
}
