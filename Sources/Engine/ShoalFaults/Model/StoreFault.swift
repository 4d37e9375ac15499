import ShoalS3

/// What the store does wrong for one request, and for no other one's.
package enum StoreFault: Hashable, Sendable {
    /// Answered as stored, and thrown away.
    case loseWrite
    /// Only the beginning is stored, under the tag of the whole.
    case tornWrite(at: BytePosition)
    /// Bytes are changed before they are stored; tag and checksum stay those of what was sent.
    case corruptStored(Corruption)
    /// Bytes are changed on their way out; what is stored stays as it is.
    case corruptRead(Corruption)
    /// Applied so many times in all, the further ones each so long after the one before.
    case duplicate(times: UInt64, every: Duration)
    /// Stored, and reads go on finding what was there before.
    case visibility(Invisibility)
    /// The read finds what was there so many writes ago.
    case staleRead(versions: UInt64)
    /// The disk is full once it has taken so many bytes of the body.
    case diskFull(after: UInt64, DiskFullStatus)
    case ioError(IOFailure)
    case slowDisk(SlowDisk)

    /// Which bytes become others.
    package struct Corruption: Hashable, Sendable {
        package let at: BytePosition
        /// What each byte is combined with by exclusive or; not 0.
        package let xor: UInt8
        /// Bytes in a row, as far as there are so many.
        package let count: UInt64
    }

    /// For how long a write is not seen. At least one of the two bounds is there; the first to be reached ends it.
    package struct Invisibility: Hashable, Sendable {
        /// By the scope's clock.
        package let time: Duration?
        /// Reads that find the old state.
        package let reads: UInt64?
        /// Who does not see it; nil for all.
        package let kind: ReadKind?
    }

    package enum ReadKind: String, CaseIterable, Sendable {
        case get, head, list
    }

    /// What a client hears of a full disk.
    package enum DiskFullStatus: String, CaseIterable, Sendable {
        /// `InternalError`.
        case internalError = "500"
        /// `ServiceUnavailable`, which is what Shoal itself says.
        case unavailable = "503"
        /// Insufficient Storage (RFC 4918 §11.5), as other servers say it.
        case insufficient = "507"
    }

    /// A system call that fails.
    package struct IOFailure: Hashable, Sendable {
        package let error: ErrorName
        /// Nil for `read` where an object is read, and `write` elsewhere.
        package let step: Step?
        /// Bytes read or written before it fails.
        package let after: UInt64

        var countsBytes: Bool { [nil, .read, .write].contains(step) }

        /// As in errno(3).
        package enum ErrorName: String, CaseIterable, Sendable {
            case EIO, EACCES, EMFILE, EROFS, ENOSPC
        }

        package enum Step: String, CaseIterable, Sendable {
            case open, read, write, sync, rename
        }
    }

    /// How slowly the disk works; at least one is there.
    package struct SlowDisk: Hashable, Sendable {
        /// Before the disk is first used.
        package let operation: Duration?
        /// Bytes a second, read or written.
        package let rate: UInt64?
        /// Before a change is durable.
        package let sync: Duration?
    }

    package static let repetitionCountMax: UInt64 = 100
    package static let versionCountMax: UInt64 = 8
    package static let corruptByteCountMax: UInt64 = 4_096

    package var name: FaultAction.Name {
        switch self {
        case .loseWrite: .loseWrite
        case .tornWrite: .tornWrite
        case .corruptStored: .corruptStored
        case .corruptRead: .corruptRead
        case .duplicate: .duplicate
        case .visibility: .visibility
        case .staleRead: .staleRead
        case .diskFull: .diskFull
        case .ioError: .ioError
        case .slowDisk: .slowDisk
        }
    }
}

// MARK: - Where it can happen

extension StoreFault {
    /// What a request has to do for the fault to be possible.
    package enum Demand: Sendable {
        /// Bring bytes that are stored.
        case bytes
        /// Make, replace or remove an object or a part.
        case change
        /// Make an object, or replace one.
        case object
        /// The same or remove one, in one request that can be repeated.
        case repeatable
        /// Read an object.
        case read
        /// Read its bytes.
        case readBytes
        /// Any of these.
        case disk

        package func isMet(by operation: S3Operation) -> Bool {
            switch self {
            case .bytes: operation.bringsBytes
            case .change: operation.bringsBytes || [.completeMultipartUpload, .deleteObject].contains(operation)
            case .object:
                [.putObject, .postObject, .copyObject, .completeMultipartUpload].contains(operation)
            case .repeatable: [.putObject, .postObject, .copyObject, .deleteObject].contains(operation)
            case .read: operation.readsObject
            case .readBytes: operation == .getObject
            case .disk: Demand.change.isMet(by: operation) || operation.readsObject
            }
        }

        /// What it asks for, in words.
        var text: String {
            switch self {
            case .bytes: "stores bytes"
            case .change: "stores or removes an object or a part"
            case .object: "makes an object"
            case .repeatable: "stores or removes an object in one go"
            case .read: "reads an object"
            case .readBytes: "reads an object's bytes"
            case .disk: "reads or stores an object"
            }
        }

        /// The points at which it is early enough.
        func isReached(before point: FaultPoint) -> Bool {
            switch self {
            case .read, .readBytes: [.requestHead, .auth, .readOpen].contains(point)
            case .disk: point >= .requestHead && point <= .commitBefore
            case .bytes, .change, .object, .repeatable:
                point >= .requestHead && point <= .commitBefore && point != .readOpen
            }
        }
    }

    package var demand: Demand {
        switch self {
        case .tornWrite, .corruptStored, .diskFull: .bytes
        case .loseWrite: .change
        case .duplicate: .repeatable
        case .visibility: .object
        case .staleRead: .read
        case .corruptRead: .readBytes
        case .ioError, .slowDisk: .disk
        }
    }
}

extension S3Operation {
    /// Whether it stores bytes that were not stored before, or not there.
    fileprivate var bringsBytes: Bool {
        switch self {
        case .putObject, .postObject, .copyObject, .uploadPart, .uploadPartCopy: true
        default: false
        }
    }
}
