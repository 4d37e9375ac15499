/// The answer of DeleteObjects: 200, whatever became of the single objects.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html#API_DeleteObjects_ResponseSyntax
package struct DeleteResult: Sendable {
    package struct Deleted: Sendable {
        package let key: ObjectKey
        /// The version the request named.
        package let versionID: String?
        /// Whether a delete marker was added, or was what the request named.
        package let isDeleteMarker: Bool
        /// The version of that marker.
        package let deleteMarkerVersionID: String?

        package init(
            key: ObjectKey, versionID: String? = nil, isDeleteMarker: Bool = false,
            deleteMarkerVersionID: String? = nil
        ) {
            self.key = key
            self.versionID = versionID
            self.isDeleteMarker = isDeleteMarker
            self.deleteMarkerVersionID = deleteMarkerVersionID
        }
    }

    package struct Failure: Sendable {
        package let key: ObjectKey
        package let versionID: String?
        /// Of which only code and message are told here.
        package let error: S3Error

        package init(key: ObjectKey, versionID: String? = nil, error: S3Error) {
            self.key = key
            self.versionID = versionID
            self.error = error
        }
    }

    package let isQuiet: Bool
    package let deleted: [Deleted]
    package let failures: [Failure]

    package init(isQuiet: Bool, deleted: [Deleted], failures: [Failure]) {
        self.isQuiet = isQuiet
        self.deleted = deleted
        self.failures = failures
    }

    /// A quiet one leaves out what was deleted.
    package var document: [UInt8] {
        let told = isQuiet ? [] : deleted
        var document = XMLWriter(capacity: 256 + told.count * 128 + failures.count * 256)
        guard !told.isEmpty || !failures.isEmpty else {
            document.emptyRoot("DeleteResult")
            return document.bytes
        }
        document.openRoot("DeleteResult")
        for item in told {
            document.open("Deleted")
            document.element("Key", item.key.bytes)
            if let version = item.versionID { document.element("VersionId", version) }
            if item.isDeleteMarker { document.element("DeleteMarker", true) }
            if let version = item.deleteMarkerVersionID { document.element("DeleteMarkerVersionId", version) }
            document.close("Deleted")
        }
        for failure in failures {
            document.open("Error")
            document.element("Key", failure.key.bytes)
            if let version = failure.versionID { document.element("VersionId", version) }
            document.element("Code", failure.error.code.rawValue)
            document.element("Message", failure.error.message)
            document.close("Error")
        }
        document.close("DeleteResult")
        return document.bytes
    }
}
