/// One page of the uploads that are under way in a bucket: by key, then by the time they began.
package struct UploadListing: Sendable {
    package struct Upload: Sendable {
        package let key: ObjectKey
        package let uploadID: String
        /// Who began it.
        package let initiator: Owner
        /// Whose the object will be.
        package let owner: Owner
        package let initiated: Timestamp
        package let storageClass: StorageClass
        /// Nil if it was begun without an algorithm.
        package let checksum: MultipartChecksum?

        package init(
            key: ObjectKey, uploadID: String, initiator: Owner, owner: Owner, initiated: Timestamp,
            storageClass: StorageClass = .standard,
            checksum: MultipartChecksum? = nil
        ) {
            self.key = key
            self.uploadID = uploadID
            self.initiator = initiator
            self.owner = owner
            self.initiated = initiated
            self.storageClass = storageClass
            self.checksum = checksum
        }
    }

    package let uploads: [Upload]
    package let commonPrefixes: [[UInt8]]
    /// Whether an entry follows behind this page.
    package let isTruncated: Bool
    /// The last upload listed; nil, and written as empty, if there is none or a roll-up comes behind it.
    package let nextKeyMarker: [UInt8]?
    package let nextUploadIDMarker: String?

    package init(
        uploads: [Upload], commonPrefixes: [[UInt8]] = [], isTruncated: Bool = false, nextKeyMarker: [UInt8]? = nil,
        nextUploadIDMarker: String? = nil
    ) {
        self.uploads = uploads
        self.commonPrefixes = commonPrefixes
        self.isTruncated = isTruncated
        self.nextKeyMarker = nextKeyMarker
        self.nextUploadIDMarker = nextUploadIDMarker
    }
}
