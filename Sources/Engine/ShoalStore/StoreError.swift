import ShoalS3
import ShoalSQLite

/// Why the store did not do what it was asked.
package enum StoreError: Error, Sendable, Equatable {
    case noSuchBucket
    case bucketExists
    case bucketNotEmpty
    /// `If-Match` on a key that has no object: S3 answers 404, not 412.
    case noSuchObject
    case preconditionFailed
    /// The upload was never begun, or was completed or aborted.
    case noSuchUpload
    /// A part was replaced or does not exist.
    case partChanged(number: Int)
    /// A conditional completion came after another write of the key.
    case overtaken
    /// More bytes were written than `beginBody` was told.
    case bodyTooLong
    /// `finish` came before the last byte.
    case bodyTooShort
    /// What the caller's own rule said to a change when its turn came.
    case refused(S3Error)
    /// The store was reset after this body was begun.
    case bodyDiscarded
    /// The catalogue names a body whose bytes are not on the disk.
    case bodyMissing(path: String)
    case disk(DiskFailure)
    case catalogue(SQLiteError)
    /// Another process, or another store in this one, holds the directory; its id if it is known.
    case locked(path: String, holder: Int32?)
    /// The catalogue was written by a newer Shoal.
    case newerFormat(path: String, found: Int64, supported: Int64)
    /// The directory cannot serve, and the sentence says why.
    case unusable(path: String, reason: String)
    case closed
}

extension StoreError {
    /// Whether freeing space on the disk would have helped, be it for a body, the log or the catalogue.
    package var isDiskFull: Bool {
        switch self {
        case .disk(let failure): failure.kind == .full
        case .catalogue(let error): error.isFull
        default: false
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// One sentence for the log; the daemon's start prints it too.
    package var description: String {
        switch self {
        case .noSuchBucket: "the bucket does not exist"
        case .bucketExists: "the bucket exists"
        case .bucketNotEmpty: "the bucket is not empty"
        case .noSuchObject: "the object does not exist"
        case .preconditionFailed: "the condition does not hold"
        case .noSuchUpload: "the upload does not exist"
        case .partChanged(let number): "part \(number) was replaced or does not exist"
        case .overtaken: "the key was written while the upload was under way"
        case .bodyTooLong: "the body has more bytes than announced"
        case .bodyTooShort: "the body has fewer bytes than announced"
        case .refused(let error): error.message
        case .bodyDiscarded: "the store was reset while the body was received"
        case .bodyMissing(let path): "the body in \(path) is missing"
        case .disk(let failure): failure.description
        case .catalogue(let error): error.description
        case .locked(let path, let holder?): "\(path) is in use by process \(holder)"
        case .locked(let path, nil): "\(path) is in use by another process"
        case .newerFormat(let path, let found, let supported):
            "\(path) has format \(found), but this version of Shoal knows formats up to \(supported); use a newer Shoal"
        case .unusable(let path, let reason): "\(path) cannot hold a store: \(reason)"
        case .closed: "the store is closed"
        }
    }
}
