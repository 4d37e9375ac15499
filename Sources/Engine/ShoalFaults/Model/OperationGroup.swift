import ShoalS3

/// A word for many operations.
package enum OperationGroup: String, CaseIterable, Sendable {
    /// Whatever changes what is stored, configuration included.
    case write
    /// `Get…`, `Head…` and `List…`.
    case read
    /// Create, the parts, Complete, Abort and the listing of parts.
    case multipart
    /// `List…`.
    case list
    /// Every request, those that name no operation included.
    case any

    package func contains(_ operation: S3Operation) -> Bool {
        switch self {
        case .any: true
        case .list: operation.rawValue.hasPrefix("List")
        case .read: operation.isRead
        case .write: operation.isWrite
        case .multipart:
            switch operation {
            case .createMultipartUpload, .uploadPart, .uploadPartCopy, .completeMultipartUpload, .abortMultipartUpload,
                .listParts:
                true
            default: false
            }
        }
    }
}

/// One word of a matcher's operation field: an operation's name, or a group's.
package enum OperationPattern: Hashable, Sendable {
    case operation(S3Operation)
    case group(OperationGroup)

    package func contains(_ operation: S3Operation) -> Bool {
        switch self {
        case .operation(let name): name == operation
        case .group(let group): group.contains(operation)
        }
    }

    package var text: String {
        switch self {
        case .operation(let name): name.rawValue
        case .group(let group): group.rawValue
        }
    }

    /// Nil for a word that is neither.
    package init?(_ word: String) {
        if let group = OperationGroup(rawValue: word) {
            self = .group(group)
        } else if let operation = S3Operation(rawValue: word) {
            self = .operation(operation)
        } else {
            return nil
        }
    }

    /// Every word that is valid, groups first.
    package static var words: [String] {
        OperationGroup.allCases.map(\.rawValue) + S3Operation.allCases.map(\.rawValue)
    }
}

extension S3Operation {
    package var isRead: Bool { ["Get", "Head", "List"].contains { rawValue.hasPrefix($0) } }

    package var isWrite: Bool { !isRead && self != .optionsPreflight && self != .unknown }

    /// Whether S3 takes a body with it.
    var takesBody: Bool {
        switch self {
        case .unknown, .deleteObjects: true
        case .copyObject, .uploadPartCopy, .createMultipartUpload, .abortMultipartUpload: false
        default: isWrite && !rawValue.hasPrefix("Delete")
        }
    }

    /// Whether it opens a stored object to answer with it.
    package var readsObject: Bool { self == .getObject || self == .headObject }

    /// Whether an answer may have a body: none to HEAD ever has (RFC 9110 §9.3.2).
    var answersWithBody: Bool { !rawValue.hasPrefix("Head") }

    var takesPartNumber: Bool {
        switch self {
        case .uploadPart, .uploadPartCopy, .getObject, .headObject: true
        default: false
        }
    }

    /// Whether it is about one object and therefore has a key; that of a form is known from `auth` on.
    var takesKey: Bool {
        switch self {
        case .getObject, .headObject, .putObject, .deleteObject, .copyObject, .getObjectAttributes, .postObject,
            .createMultipartUpload, .uploadPart, .uploadPartCopy, .completeMultipartUpload, .abortMultipartUpload,
            .listParts, .getObjectTagging, .putObjectTagging, .deleteObjectTagging, .getObjectAcl, .putObjectAcl,
            .getObjectRetention, .putObjectRetention, .getObjectLegalHold, .putObjectLegalHold, .restoreObject,
            .optionsPreflight, .unknown:
            true
        default: false
        }
    }
}
