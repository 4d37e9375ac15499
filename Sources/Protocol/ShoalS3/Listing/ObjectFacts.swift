/// What a listing tells of an object besides its name and tag.
package struct ObjectFacts: Sendable {
    package let lastModified: Timestamp
    /// Bytes.
    package let size: UInt64
    package let storageClass: StorageClass
    package let checksum: Checksum.Form?

    package init(
        lastModified: Timestamp, size: UInt64, storageClass: StorageClass = .standard, checksum: Checksum.Form? = nil
    ) {
        self.lastModified = lastModified
        self.size = size
        self.storageClass = storageClass
        self.checksum = checksum
    }
}

extension XMLWriter {
    /// What follows the name of an object in a listing; `appendTag` writes the tag without quotes, and `owner` is an
    /// element that is written already, or empty.
    mutating func facts(_ facts: ObjectFacts, owner: [UInt8], _ appendTag: (inout [UInt8]) -> Void) {
        markup("<LastModified>")
        plain { facts.lastModified.wholeSecond.appendISO8601(to: &$0) }
        markup("</LastModified><ETag>&quot;")
        plain(appendTag)
        markup("&quot;</ETag>")
        if let checksum = facts.checksum {
            markup("<ChecksumAlgorithm>")
            plain(checksum.algorithm.rawValue)
            markup("</ChecksumAlgorithm><ChecksumType>")
            plain(checksum.kind.rawValue)
            markup("</ChecksumType>")
        }
        markup("<Size>")
        number(Int(facts.size))
        markup("</Size>")
        if !owner.isEmpty { plain { $0 += owner } }
        markup("<StorageClass>")
        plain(facts.storageClass.rawValue)
        markup("</StorageClass>")
    }
}

extension Owner {
    /// The element once for all objects of a page.
    var rendered: [UInt8] {
        var fragment = XMLWriter(fragmentCapacity: 256)
        fragment.owner(self)
        return fragment.bytes
    }
}
