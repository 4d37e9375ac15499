import ShoalS3
import ShoalStore

/// Who caused an event, as its receivers read it.
struct EventCause: Sendable {
    let principalID: String
    let sourceIP: String
    let identifiers: RequestIdentifiers
    let time: Timestamp

    init(principalID: String, sourceIP: String, identifiers: RequestIdentifiers, time: Timestamp) {
        self.principalID = principalID
        self.sourceIP = sourceIP
        self.identifiers = identifiers
        self.time = time
    }

    /// A client's request: its account's canonical id.
    init(_ request: S3Request) {
        self.init(
            principalID: request.caller?.owner.id ?? "Anonymous", sourceIP: request.sourceAddress,
            identifiers: request.identifiers, time: request.now)
    }

    /// A rule of the bucket's lifecycle.
    static func lifecycle(_ identifiers: RequestIdentifiers, at time: Timestamp) -> EventCause {
        EventCause(
            principalID: "s3.amazonaws.com", sourceIP: "s3.amazonaws.com", identifiers: identifiers, time: time)
    }
}

/// Makes the messages about changes of one bucket's objects that have one cause.
struct Announcer: Sendable {
    private let configuration: NotificationConfiguration
    private let bucket: BucketRecord
    private let cause: EventCause
    /// Names of webhooks; nobody is there to be told of anything else.
    private let destinations: Set<String>

    /// Nil if nobody is told of what happens in the bucket, which is so in most of them.
    init?(in bucket: BucketRecord, to webhooks: [Webhook], by cause: @autoclosure () -> EventCause) {
        guard !webhooks.isEmpty, let configuration = BucketSettings(bucket).notification else { return nil }
        self.configuration = configuration
        self.bucket = bucket
        self.cause = cause()
        destinations = Set(webhooks.map(\.name))
    }

    /// What the change of an object puts in the outbox; nil if nobody is told of it.
    func announcement(of event: ObjectEvent, at key: ObjectKey) -> Announcement? {
        guard event.names.contains(where: { !targets(of: $0, key).isEmpty }) else { return nil }
        return { change in messages(of: event, change) }
    }

    private func targets(of event: EventName, _ key: ObjectKey) -> [NotificationTarget] {
        configuration.targets(of: event, key: key).filter { destinations.contains($0.resourceName) }
    }

    private func messages(of event: ObjectEvent, _ change: CommittedChange) -> [OutboxMessage] {
        let name = event.name(leavingMarker: change.record.isDeleteMarker)
        // S3 keeps quiet about a list that is put and says the same as before.
        if name == .objectAclPut, change.previous?.attributes == change.record.attributes { return [] }
        let key = change.record.key
        let targets = targets(of: name, key)
        guard !targets.isEmpty else { return [] }
        let record = record(name, change, ObjectPath(bucket: bucket.name, key: key))
        return targets.map { target in
            OutboxMessage(
                destination: target.resourceName, subject: Array("\(bucket.name.text)/".utf8) + key.bytes,
                body: record.message(configurationID: target.id), created: cause.time)
        }
    }

    private func record(_ name: EventName, _ change: CommittedChange, _ path: ObjectPath) -> EventRecord {
        let object = change.record
        let hasVersions = object.ordinal > 0 || bucket.versioning != .never
        return EventRecord(
            name, at: cause.time, region: Region(configured: bucket.region), principalID: cause.principalID,
            sourceIP: cause.sourceIP, identifiers: cause.identifiers, path: path,
            bucketOwnerID: BucketSettings(bucket).ownerID, size: object.size, etag: object.etag,
            versionID: hasVersions ? VersionID.text(of: object.version, at: path) : nil, sequencer: change.sequence,
            outcome: outcome(name, object))
    }

    private func outcome(_ name: EventName, _ object: ObjectRecord) -> EventRecord.Outcome? {
        switch name {
        case .objectRestoreCompleted:
            let attributes = ObjectAttributes(object)
            return attributes.details.restoredUntil.map { .restored(until: $0, from: attributes.storageClass) }
        case .lifecycleTransition: return .moved(to: ObjectAttributes.storageClass(of: object))
        default: return nil
        }
    }
}

extension World {
    /// Nil if nobody is told of what happens in the bucket.
    func announcer(in bucket: BucketRecord, by cause: @autoclosure () -> EventCause) -> Announcer? {
        Announcer(in: bucket, to: options.webhooks, by: cause())
    }

    /// What an object's change by a request puts in the outbox; nil if nobody is told of it.
    func announcement(
        of event: ObjectEvent, at path: ObjectPath, in bucket: BucketRecord, by request: S3Request
    ) -> Announcement? {
        announcer(in: bucket, by: EventCause(request))?.announcement(of: event, at: path.key)
    }
}
