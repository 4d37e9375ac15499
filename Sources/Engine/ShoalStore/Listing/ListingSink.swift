import ShoalS3

/// Takes the entries of one page in the order of their bytes, roll-ups among the objects.
package protocol ListingSink: Sendable {
    mutating func take(_ object: ListedObject)

    /// The common prefix, delimiter included.
    mutating func take(rollUp: [UInt8])
}

/// One object of a listing as it lies in the catalogue, with nothing copied: a page has a thousand of them, and copies
/// would cost more than the rows. Its bytes are valid only while it is taken.
package struct ListedObject {
    package let key: UnsafeRawBufferPointer
    /// Bytes of the body.
    package let size: UInt64
    package let lastModified: Timestamp
    /// As in `ObjectRecord`.
    package let attributes: UnsafeRawBufferPointer
    private let tag: UnsafeRawBufferPointer
    private let isTagText: Bool
    private let checksum: UnsafeRawBufferPointer

    init(
        key: UnsafeRawBufferPointer, size: UInt64, lastModified: Timestamp, attributes: UnsafeRawBufferPointer,
        tag: UnsafeRawBufferPointer, isTagText: Bool, checksum: UnsafeRawBufferPointer
    ) {
        self.key = key
        self.size = size
        self.lastModified = lastModified
        self.attributes = attributes
        self.tag = tag
        self.isTagText = isTagText
        self.checksum = checksum
    }

    /// The entity tag without quotes.
    package func appendTag(to bytes: inout [UInt8]) {
        if isTagText { bytes.append(contentsOf: tag) } else { ETag.append(storedMD5: tag, to: &bytes) }
    }

    /// What kind of checksum the object has; nil if none.
    package var checksumForm: Checksum.Form? { Checksum.Form(stored: checksum) }
}

extension ListedObject {
    /// Shows a whole record as a listing would.
    package static func with(_ record: ObjectRecord, _ body: (ListedObject) -> Void) {
        Array(record.etag.text.utf8).withUnsafeBytes { tag in
            record.key.bytes.withUnsafeBytes { key in
                record.attributes.withUnsafeBytes { attributes in
                    (record.checksum?.stored ?? []).withUnsafeBytes { checksum in
                        body(
                            ListedObject(
                                key: key, size: record.size, lastModified: record.lastModified, attributes: attributes,
                                tag: tag, isTagText: true, checksum: checksum))
                    }
                }
            }
        }
    }
}
