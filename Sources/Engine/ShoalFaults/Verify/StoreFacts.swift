import ShoalS3

/// What the store really holds of what checks ask about, read when the journal was.
package struct StoreFacts: Sendable {
    package struct Object: Sendable {
        package let bucket: String
        package let key: String
        package let size: UInt64
        package let contentType: String?
        /// In hexadecimal; nil if no check asked for it.
        package let sha256: String?
        /// Versions there are, delete markers aside; 1 where the bucket keeps none.
        package let versionCount: Int

        package init(
            bucket: String, key: String, size: UInt64, contentType: String?, sha256: String?, versionCount: Int
        ) {
            self.bucket = bucket
            self.key = key
            self.size = size
            self.contentType = contentType
            self.sha256 = sha256
            self.versionCount = versionCount
        }
    }

    /// An upload in parts that was begun, and neither completed nor aborted.
    package struct OpenUpload: Sendable {
        package let bucket: String
        package let key: String
        package let uploadID: String

        package init(bucket: String, key: String, uploadID: String) {
            self.bucket = bucket
            self.key = key
            self.uploadID = uploadID
        }
    }

    package var objects: [Object]
    package var openUploads: [OpenUpload]

    package init(objects: [Object] = [], openUploads: [OpenUpload] = []) {
        self.objects = objects
        self.openUploads = openUploads
    }
}
