import ShoalS3
import ShoalStore

/// What the server keeps in `ObjectRecord.attributes`: the storage class, tags, and the headers that are returned.
///
/// ```
/// storage class: 1    its place in `StorageClass.allCases`, and 128 if there are tags
/// tags                only then: their number: 1, then for each the length of key and value: 2, 2 (big-endian), and both
/// metadata            as `ObjectMetadata` encodes it
/// ```
struct ObjectAttributes {
    var storageClass: StorageClass
    var metadata: ObjectMetadata
    var tags: TagSet

    private static let tagsFlag: UInt8 = 0x80
    /// Part of the format on disk, so a class keeps its place.
    private static let classes = StorageClass.allCases

    init(storageClass: StorageClass, metadata: ObjectMetadata, tags: TagSet = TagSet(stored: [])) {
        self.storageClass = storageClass
        self.metadata = metadata
        self.tags = tags
    }

    init(_ headers: ObjectHeaders) {
        self.init(
            storageClass: headers.storageClass, metadata: headers.metadata, tags: headers.tags ?? TagSet(stored: []))
    }

    init(_ record: ObjectRecord) { self.init(encoded: record.attributes) }

    init(encoded bytes: [UInt8]) {
        let head = bytes.first ?? 0
        let place = Int(head & ~Self.tagsFlag)
        storageClass = place < Self.classes.count ? Self.classes[place] : .standard
        var rest = bytes.dropFirst()
        tags = head & Self.tagsFlag == 0 ? TagSet(stored: []) : TagSet(takingFrom: &rest)
        metadata = ObjectMetadata(decoding: Array(rest)) ?? ObjectMetadata()
    }

    var encoded: [UInt8] {
        let place = UInt8(Self.classes.firstIndex(of: storageClass) ?? 0)
        return tags.tags.isEmpty
            ? [place] + metadata.encode() : [place | Self.tagsFlag] + tags.encoded + metadata.encode()
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
