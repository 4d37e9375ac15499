import ShoalJSON

/// What lifecycles did at one look: the answer of `POST …/scopes/{s}/lifecycle`.
package struct LifecycleRun: AdminMessage, Equatable {
    /// Objects that expired in buckets without versions.
    package var objectsDeleted = 0
    /// Objects that expired in buckets with versions: a delete marker covers each.
    package var markersCreated = 0
    /// Noncurrent versions that expired.
    package var versionsDeleted = 0
    /// Noncurrent versions and markers that were due, but are locked.
    package var versionsLocked = 0
    /// Delete markers that covered nothing any more.
    package var markersDeleted = 0
    package var uploadsAborted = 0
    /// Versions that got another storage class.
    package var versionsMoved = 0

    package init() {}

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        objectsDeleted = try reader.required("objectsDeleted").integer()
        markersCreated = try reader.required("markersCreated").integer()
        versionsDeleted = try reader.required("versionsDeleted").integer()
        versionsLocked = try reader.required("versionsLocked").integer()
        markersDeleted = try reader.required("markersDeleted").integer()
        uploadsAborted = try reader.required("uploadsAborted").integer()
        versionsMoved = try reader.required("versionsMoved").integer()
    }

    private var counts: [(name: String, noun: String, deed: String, count: Int)] {
        [
            ("objectsDeleted", "object", "deleted", objectsDeleted),
            ("markersCreated", "marker", "created", markersCreated),
            ("versionsDeleted", "version", "deleted", versionsDeleted),
            ("versionsLocked", "version", "kept by a lock", versionsLocked),
            ("markersDeleted", "marker", "deleted", markersDeleted),
            ("uploadsAborted", "upload", "aborted", uploadsAborted),
            ("versionsMoved", "version", "moved", versionsMoved),
        ]
    }

    package var json: JSON { .members(counts.map { ($0.name, .count(UInt64($0.count))) }) }

    /// In words: what is not 0.
    package var text: String {
        let done = counts.filter { $0.count > 0 }
        guard !done.isEmpty else { return "nothing was due" }
        return done.map { "\($0.count) \($0.noun)\($0.count == 1 ? "" : "s") \($0.deed)" }.joined(separator: ", ")
    }

    package mutating func add(_ other: LifecycleRun) {
        objectsDeleted += other.objectsDeleted
        markersCreated += other.markersCreated
        versionsDeleted += other.versionsDeleted
        versionsLocked += other.versionsLocked
        markersDeleted += other.markersDeleted
        uploadsAborted += other.uploadsAborted
        versionsMoved += other.versionsMoved
    }
}
