/// What can happen to an object, by the names of notifications.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-how-to-event-types-and-destinations.html
package enum EventName: String, CaseIterable, Sendable {
    case objectCreatedPut = "ObjectCreated:Put"
    case objectCreatedPost = "ObjectCreated:Post"
    case objectCreatedCopy = "ObjectCreated:Copy"
    case objectCreatedCompleteMultipartUpload = "ObjectCreated:CompleteMultipartUpload"
    case objectRemovedDelete = "ObjectRemoved:Delete"
    case objectRemovedDeleteMarkerCreated = "ObjectRemoved:DeleteMarkerCreated"
    case objectRestorePost = "ObjectRestore:Post"
    case objectRestoreCompleted = "ObjectRestore:Completed"
    case objectRestoreDelete = "ObjectRestore:Delete"
    case objectTaggingPut = "ObjectTagging:Put"
    case objectTaggingDelete = "ObjectTagging:Delete"
    case objectAclPut = "ObjectAcl:Put"
    case lifecycleExpirationDelete = "LifecycleExpiration:Delete"
    case lifecycleExpirationDeleteMarkerCreated = "LifecycleExpiration:DeleteMarkerCreated"
    case lifecycleTransition = "LifecycleTransition"

    /// What is in front of the colon.
    var family: Substring { rawValue.prefix { $0 != ":" } }
}

/// What happens to an object, while it is not known yet what a deletion leaves behind.
package enum ObjectEvent: Sendable {
    case named(EventName)
    /// Somebody deletes the object without naming a version.
    case deletion
    /// A lifecycle rule does.
    case expiration

    /// The names it may get.
    package var names: [EventName] {
        switch self {
        case .named(let name): [name]
        case .deletion, .expiration: [name(leavingMarker: false), name(leavingMarker: true)]
        }
    }

    /// Its name, once it is known whether a delete marker was made.
    package func name(leavingMarker: Bool) -> EventName {
        switch self {
        case .named(let name): name
        case .deletion: leavingMarker ? .objectRemovedDeleteMarkerCreated : .objectRemovedDelete
        case .expiration: leavingMarker ? .lifecycleExpirationDeleteMarkerCreated : .lifecycleExpirationDelete
        }
    }
}

/// An event, or all of a family, as a configuration names it: `s3:ObjectCreated:Put`, `s3:ObjectCreated:*`.
package struct EventPattern: Sendable, Hashable {
    package let text: String
    private let events: Set<EventName>

    /// Events that a configuration may name though none of them happens here.
    private static let elsewhere = [
        "s3:ReducedRedundancyLostObject", "s3:Replication:*", "s3:Replication:OperationFailedReplication",
        "s3:Replication:OperationMissedThreshold", "s3:Replication:OperationNotTracked",
        "s3:Replication:OperationReplicatedAfterThreshold", "s3:IntelligentTiering",
    ]

    /// Nil for an event S3 does not have.
    package init?(_ text: String) {
        let events = Set(
            EventName.allCases.filter { event in
                text == "s3:\(event.rawValue)" || event.rawValue.contains(":") && text == "s3:\(event.family):*"
            })
        guard !events.isEmpty || Self.elsewhere.contains(text) else { return nil }
        self.text = text
        self.events = events
    }

    package func covers(_ event: EventName) -> Bool { events.contains(event) }

    /// Whether some event is covered by both.
    func overlaps(_ other: EventPattern) -> Bool { text == other.text || !events.isDisjoint(with: other.events) }
}
