import ShoalS3

/// What the app was doing once, such as uploading photo 7, with all the attempts that reached the server.
package struct OperationHistory: Sendable {
    /// As the journal calls the operation; of one that is told by its key, `obj-` and a hash.
    package let id: String
    /// Other names of it in the journal: a signed URL is one, and a new URL for the same key another.
    package internal(set) var aliases: [String]
    /// In order of arrival; at least one.
    package internal(set) var attempts: [Attempt]

    /// Of its first attempt.
    package var operation: S3Operation { attempts[0].operation }
    package var bucket: String? { attempts[0].head.bucket }
    package var key: ObjectKey? { attempts[0].key }
    package var uploadID: String? { attempts[0].head.uploadID.map { String(decoding: $0, as: UTF8.self) } }
    package var partNumber: UInt32? { attempts[0].head.partNumber }

    package func isCalled(_ name: String) -> Bool { id == name || aliases.contains(name) }

    /// Attempts that left something, or took something away.
    package var commitCount: Int { attempts.count { $0.commit != nil } }

    /// `PutObject photos/7.jpg`, with the number of a part.
    package var title: String {
        let part = partNumber.map { " part \($0)" } ?? ""
        return [operation.rawValue, attempts[0].target].filter { !$0.isEmpty }.joined(separator: " ") + part
    }

    /// Sets ordinals and gaps.
    mutating func number() {
        for index in attempts.indices {
            attempts[index].ordinal = index + 1
            guard index > 0, let end = attempts[index - 1].end else { continue }
            attempts[index].gap = Int64(clamping: attempts[index].mono) - Int64(clamping: end)
        }
    }
}

/// What makes two exchanges attempts of one operation.
///
/// A name that the client gave holds. A signature does not: a fresh URL for the same key is the same upload, and so both
/// are told by S3 operation, bucket, key, upload and part.
enum OperationLink: Hashable {
    case named(OperationIdentity)
    case object(S3Operation, bucket: String, key: ObjectKey?, uploadID: [UInt8]?, partNumber: UInt32?)

    init(_ attempt: Attempt, _ identity: OperationIdentity) {
        switch identity.source {
        case .header, .invocation: self = .named(identity)
        case .signature, .object:
            guard let bucket = attempt.head.bucket else {
                self = .named(identity)
                return
            }
            self = .object(
                attempt.operation, bucket: bucket, key: attempt.key, uploadID: attempt.head.uploadID,
                partNumber: attempt.head.partNumber)
        }
    }

    var id: String {
        switch self {
        case .named(let identity): identity.text
        case .object(let operation, let bucket, let key, let uploadID, let partNumber):
            OperationIdentity(
                operation: operation, bucket: Array(bucket.utf8)[...], key: key.map { $0.bytes[...] },
                uploadID: uploadID.map { $0[...] }, partNumber: partNumber.map(UInt64.init)
            ).text
        }
    }
}
