/// Whether the bytes of an archived object can be read, and until when.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/restoring-objects.html
package struct ArchiveStatus: Sendable, Equatable {
    package let storageClass: StorageClass
    /// The end of the copy that a restore made; nil if there was none.
    package let restoredUntil: Timestamp?

    package init(_ storageClass: StorageClass, restoredUntil: Timestamp?) {
        self.storageClass = storageClass
        self.restoredUntil = restoredUntil
    }

    /// Whether a restored copy is there.
    package func isRestored(at now: Timestamp) -> Bool {
        storageClass.isArchived && restoredUntil.map { now < $0 } ?? false
    }

    /// Throws 403 `InvalidObjectState` for an archived object without a restored copy.
    package func checkReading(at now: Timestamp) throws(S3Error) {
        try check(at: now, nil)
    }

    /// The same for the source of a copy.
    package func checkCopying(at now: Timestamp) throws(S3Error) {
        try check(at: now, "Operation is not valid for the source object's storage class")
    }

    private func check(at now: Timestamp, _ message: String?) throws(S3Error) {
        guard storageClass.isArchived, !isRestored(at: now) else { return }
        throw invalid(message)
    }

    /// Throws 403 `InvalidObjectState` for an object that is not archived.
    package func checkRestoring() throws(S3Error) {
        guard !storageClass.isArchived else { return }
        throw invalid("Restore is not allowed for the object's current storage class")
    }

    private func invalid(_ message: String?) -> S3Error {
        S3Error(.invalidObjectState, message, elements: [.init("StorageClass", storageClass.rawValue)])
    }

    /// Appends `x-amz-restore` with CRLF while there is a restored copy.
    package func appendFieldLine(to bytes: inout [UInt8], at now: Timestamp) {
        guard isRestored(at: now), let restoredUntil else { return }
        bytes.append("x-amz-restore: ongoing-request=\"false\", expiry-date=\"")
        restoredUntil.appendHTTPDate(to: &bytes)
        bytes.append("\"\r\n")
    }
}
