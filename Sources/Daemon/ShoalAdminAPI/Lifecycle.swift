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

    private var counts: [(name: String, words: String, count: Int)] {
        [
            ("objectsDeleted", "objects deleted", objectsDeleted),
            ("markersCreated", "markers created", markersCreated),
            ("versionsDeleted", "versions deleted", versionsDeleted),
            ("versionsLocked", "versions kept because they are locked", versionsLocked),
            ("markersDeleted", "markers deleted", markersDeleted),
            ("uploadsAborted", "uploads aborted", uploadsAborted), ("versionsMoved", "versions moved", versionsMoved),
        ]
    }

    package var json: JSON { .members(counts.map { ($0.name, .count(UInt64($0.count))) }) }

    /// In words: what is not 0.
    package var text: String {
        let done = counts.filter { $0.count > 0 }
        return done.isEmpty ? "nothing was due" : done.map { "\($0.count) \($0.words)" }.joined(separator: ", ")
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
