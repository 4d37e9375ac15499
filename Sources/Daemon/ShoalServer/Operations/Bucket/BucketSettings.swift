import ShoalS3
import ShoalStore

/// What the server keeps in `BucketRecord.settings`: the owner's canonical id, and the configurations that were put.
///
/// ```
/// 1, then the owner                                a bucket without a configuration
/// 2, then counted: the owner, and for each configuration its sub-resource and its document
/// ```
/// A count is four bytes, big-endian.
struct BucketSettings: Sendable {
    let ownerID: String
    /// By sub-resource, each as the document a GET answers with.
    private var documents: [SubResource: [UInt8]] = [:]
    /// Those that requests ask for, once they are read; nil while they are not.
    private var readings: Readings?

    /// A class, so that settings are copied at the price of one reference.
    private final class Readings: Sendable {
        let lifecycle: Result<StoredLifecycle?, S3Error>
        let encryption: Result<ServerSideEncryptionConfiguration, S3Error>
        let rules: Result<AccessRules, S3Error>
        let notification: NotificationConfiguration?
        let cors: CORSConfiguration?
        let website: WebsiteConfiguration?
        let ownership: ObjectOwnership
        let publicAccessBlock: PublicAccessBlockConfiguration?

        init(_ settings: BucketSettings, of bucket: BucketName) {
            lifecycle = Result { () throws(S3Error) in try settings.lifecycle }
            encryption = Result { () throws(S3Error) in try settings.encryption }
            rules = Result { () throws(S3Error) in try settings.rules(of: bucket) }
            notification = settings.notification
            cors = settings[.cors].flatMap { try? CORSConfiguration($0) }
            website = settings.website
            ownership = settings.ownership
            publicAccessBlock = settings.publicAccessBlock
        }
    }

    /// Bytes of all configurations together: a record of the store's log holds twice as many.
    static let byteCountMax = 8 << 20

    private static let bareVersion: UInt8 = 1
    private static let version: UInt8 = 2

    /// Of a bucket that is made now.
    init(ownerID: String, _ kind: ServeOptions.NewBuckets) {
        self.ownerID = ownerID
        guard kind == .open else { return }
        documents[.ownershipControls] = OwnershipControls(ownership: .objectWriter).document
        // Empty, as after a DELETE.
        documents[.publicAccessBlock] = []
    }

    /// Those of a bucket; read once for as long as they stay.
    init(_ record: BucketRecord) {
        let reading = record.reading.get {
            var settings = BucketSettings(encoded: record.settings)
            settings.readings = Readings(settings, of: record.name)
            return Box(settings)
        }
        guard let box = reading as? Box else { preconditionFailure("settings that somebody else has read") }
        self = box.settings
    }

    private final class Box: Sendable {
        let settings: BucketSettings
        init(_ settings: BucketSettings) { self.settings = settings }
    }

    init(encoded bytes: [UInt8]) {
        switch bytes.first {
        case Self.bareVersion: ownerID = String(decoding: bytes.dropFirst(), as: UTF8.self)
        case Self.version:
            var rest = bytes.dropFirst()
            ownerID = String(decoding: rest.takeCounted() ?? [], as: UTF8.self)
            while let name = rest.takeCounted(), let document = rest.takeCounted() {
                guard let subResource = SubResource(rawValue: String(decoding: name, as: UTF8.self)) else { continue }
                documents[subResource] = Array(document)
            }
        default: ownerID = Accounts.mainOwnerID
        }
    }

    var encoded: [UInt8] {
        guard !documents.isEmpty else { return [Self.bareVersion] + Array(ownerID.utf8) }
        var bytes = [Self.version]
        bytes.append(counted: Array(ownerID.utf8))
        for (subResource, document) in documents.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            bytes.append(counted: Array(subResource.rawValue.utf8))
            bytes.append(counted: document)
        }
        return bytes
    }

    /// The document that was put; nil if there is none.
    subscript(subResource: SubResource) -> [UInt8]? {
        get { documents[subResource] }
        set {
            documents[subResource] = newValue
            readings = nil
        }
    }

    /// Which other origins may use the bucket. Differs from S3: all of them may if nothing was configured.
    var cors: CORSConfiguration {
        if let readings { return readings.cors ?? .permissive }
        return documents[.cors].flatMap { try? CORSConfiguration($0) } ?? .permissive
    }

    /// Nil if nobody is told of anything. What was stored was read before; a document that is damaged concerns nobody.
    var notification: NotificationConfiguration? {
        if let readings { return readings.notification }
        return documents[.notification].flatMap { try? NotificationConfiguration($0) }
    }

    /// Whether versions can be locked; once so, it stays so.
    var hasObjectLock: Bool { documents[.objectLock] != nil }

    /// Nil where versions cannot be locked.
    var objectLock: ObjectLockConfiguration? {
        get throws(S3Error) { try required(.objectLock, ObjectLockConfiguration.init) }
    }

    /// Nil without one.
    var lifecycle: StoredLifecycle? {
        get throws(S3Error) {
            if let readings { return try readings.lifecycle.get() }
            return try required(.lifecycle) { (bytes) throws(S3Error) in try StoredLifecycle(bytes) }
        }
    }

    /// How objects are encrypted whose write does not say.
    var encryption: ServerSideEncryptionConfiguration {
        get throws(S3Error) {
            if let readings { return try readings.encryption.get() }
            return try required(.encryption, ServerSideEncryptionConfiguration.init) ?? .unset
        }
    }

    /// Nil for a bucket that is no website.
    var website: WebsiteConfiguration? {
        if let readings { return readings.website }
        return documents[.website].flatMap { try? WebsiteConfiguration($0) }  // checked when it was put
    }

    /// Everything that was put to decide who gets in. Throws 500 `InternalError` for what cannot be read: nobody gets in by
    /// it.
    func rules(of bucket: BucketName) throws(S3Error) -> AccessRules {
        if let readings { return try readings.rules.get() }
        do {
            return AccessRules(
                owner: Owner(id: ownerID), policy: try self[.policy].map { try BucketPolicy($0, of: bucket) },
                acl: try self[.acl].map { try AccessControlPolicy($0) }, ownership: ownership,
                publicAccessBlock: publicAccessBlock)
        } catch {
            throw S3Error(.internalError, cause: error)
        }
    }

    /// What was put; nil if nothing was. Throws 500 `InternalError` for what cannot be read, so that no write passes over it.
    private func required<Configuration>(
        _ subResource: SubResource, _ read: ([UInt8]) throws(S3Error) -> Configuration
    ) throws(S3Error) -> Configuration? {
        guard let document = documents[subResource] else { return nil }
        do {
            return try read(document)
        } catch {
            throw S3Error(.internalError, cause: error)
        }
    }

    /// Once deleted, every object is its writer's.
    var ownership: ObjectOwnership {
        if let readings { return readings.ownership }
        guard let document = documents[.ownershipControls] else { return .bucketOwnerEnforced }
        return (try? OwnershipControls(document))?.ownership ?? .objectWriter
    }

    /// Nil once deleted: nothing is blocked then.
    var publicAccessBlock: PublicAccessBlockConfiguration? {
        if let readings { return readings.publicAccessBlock }
        guard let document = documents[.publicAccessBlock] else { return .ofNewBucket }
        return try? PublicAccessBlockConfiguration(document)
    }
}

extension [UInt8] {
    fileprivate mutating func append(counted bytes: [UInt8]) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: bytes.count >> shift)) }
        append(contentsOf: bytes)
    }
}

extension ArraySlice<UInt8> {
    /// Takes what `append(counted:)` wrote; nil at the end and for damaged bytes.
    fileprivate mutating func takeCounted() -> ArraySlice<UInt8>? {
        guard self.count >= 4 else { return nil }
        let count = prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard self.count >= 4 + count else { return nil }
        defer { self = dropFirst(4 + count) }
        return dropFirst(4).prefix(count)
    }
}
