import ShoalAdminAPI
import ShoalS3
import ShoalStore

/// One walk through a bucket that does what its rules are due to do.
///
/// Whatever a client changes meanwhile is left alone: every removal asks, when its turn comes, whether it is still about
/// what was looked at.
struct LifecycleSweep {
    private let bucket: BucketRecord
    private let lifecycle: StoredLifecycle
    private let now: Timestamp
    private let store: any ObjectStore
    private let announcer: Announcer?
    private let goesOn: @Sendable () -> Bool
    private(set) var result = LifecycleRun()

    // Of the key whose versions are passed.
    /// When the version before was written: since then the next one is noncurrent.
    private var successor: Timestamp?
    /// Noncurrent versions of the key that came by.
    private var noncurrentCount = 0
    /// The current version, if it is a delete marker with nothing seen behind it yet.
    private var loneMarker: ObjectRecord?
    /// Current objects that expire, deleted together.
    private var expiring: [ObjectRecord] = []

    private var rules: LifecycleConfiguration { lifecycle.configuration }

    /// `goesOn` is asked between pages.
    init(
        _ bucket: BucketRecord, _ lifecycle: StoredLifecycle, at now: Timestamp, in store: any ObjectStore,
        announcing announcer: Announcer?, while goesOn: @escaping @Sendable () -> Bool
    ) {
        self.bucket = bucket
        self.lifecycle = lifecycle
        self.now = now
        self.store = store
        self.announcer = announcer
        self.goesOn = goesOn
    }

    /// Blocking. Throws `noSuchBucket` if the bucket goes meanwhile.
    mutating func run() throws(StoreError) {
        try sweepUploads()
        var page: VersionPage? = try store.listVersions(bucket.name, VersionQuery())
        while let current = page, goesOn() {
            // Before anything of this page goes, since the last entry says where to go on.
            page = try next(after: current)
            for case .version(let record, let isLatest) in current.entries { try pass(record, isLatest) }
            try settleMarker(unless: page?.firstKey)
            try deleteExpiring()
        }
    }

    private func next(after page: VersionPage) throws(StoreError) -> VersionPage? {
        guard page.isTruncated, case .version(let last, _)? = page.entries.last else { return nil }
        return try store.listVersions(
            bucket.name, VersionQuery(afterKey: last.key.bytes, afterVersion: last.version))
    }

    // MARK: Versions

    private mutating func pass(_ record: ObjectRecord, _ isLatest: Bool) throws(StoreError) {
        if isLatest {
            try settleMarker(unless: nil)
            (successor, noncurrentCount) = (record.appeared, 0)
            guard !record.isDeleteMarker else {
                loneMarker = record
                return
            }
            return try passCurrent(record)
        }
        loneMarker = nil
        let since = successor ?? record.appeared
        try passNoncurrent(record, since: since, newerCount: noncurrentCount)
        successor = record.appeared
        noncurrentCount += 1
    }

    private mutating func passCurrent(_ record: ObjectRecord) throws(StoreError) {
        let attributes = ObjectAttributes(record)
        let object = LifecycleObject(record, attributes)
        if let due = rules.expiration(of: object), due.time <= now {
            expiring.append(record)
        } else if let storageClass = rules.transition(
            of: object, in: attributes.storageClass, lifecycle.smallestMoved, now: now)
        {
            try move(record, to: storageClass)
        }
    }

    private mutating func passNoncurrent(
        _ record: ObjectRecord, since: Timestamp, newerCount: Int
    ) throws(StoreError) {
        let attributes = ObjectAttributes(record)
        let object = LifecycleObject(record, attributes)
        let due = rules.noncurrentExpiration(of: object, noncurrentSince: since, newerCount: newerCount)
        if let due, due.time <= now {
            guard try remove(record, wasLatest: false) else { return }
            result.versionsDeleted += 1
        } else if !record.isDeleteMarker,
            let storageClass = rules.noncurrentTransition(
                of: object, in: attributes.storageClass, lifecycle.smallestMoved, noncurrentSince: since,
                newerCount: newerCount, now: now)
        {
            try move(record, to: storageClass)
        }
    }

    /// A marker that covers nothing goes, once it is known that nothing of its key follows.
    private mutating func settleMarker(unless next: [UInt8]?) throws(StoreError) {
        guard let marker = loneMarker, marker.key.bytes != next else { return }
        loneMarker = nil
        guard let due = rules.markerExpiration(of: marker.key, lastModified: marker.lastModified), due.time <= now,
            try remove(marker, wasLatest: true)
        else { return }
        result.markersDeleted += 1
    }

    private mutating func deleteExpiring() throws(StoreError) {
        guard !expiring.isEmpty else { return }
        let count = try store.deleteUnchanged(expiring, in: bucket.name, at: now) { [announcer] key in
            announcer?.announcement(of: .expiration, at: key)
        }
        expiring = []
        if bucket.versioning == .never { result.objectsDeleted += count } else { result.markersCreated += count }
    }

    /// Removes a version for good, unless it is locked, was changed, or became or ceased to be the current one; whether it
    /// went.
    private mutating func remove(_ record: ObjectRecord, wasLatest: Bool) throws(StoreError) -> Bool {
        let path = ObjectPath(bucket: bucket.name, key: record.key)
        let rule = LockedDeletion(now: now)
        do {
            let removed = try store.deleteVersion(
                path, record.version,
                announcing: announcer?.announcement(of: .named(.lifecycleExpirationDelete), at: record.key)
            ) { (found, isLatest) throws(StoreError) in
                guard found.isSame(as: record), isLatest == wasLatest else { throw .preconditionFailed }
                try rule.check(found, at: path)
            }
            return removed != nil
        } catch .preconditionFailed {
            return false
        } catch .refused {
            result.versionsLocked += 1
            return false
        }
    }

    private mutating func move(_ record: ObjectRecord, to storageClass: StorageClass) throws(StoreError) {
        let path = ObjectPath(bucket: bucket.name, key: record.key)
        do {
            let moved = try store.updateAttributes(
                of: path, version: record.version,
                announcing: announcer?.announcement(of: .named(.lifecycleTransition), at: record.key)
            ) { (found) throws(StoreError) in
                guard found.isSame(as: record) else { throw .preconditionFailed }
                var attributes = ObjectAttributes(found)
                attributes.storageClass = storageClass
                return attributes.encoded
            }
            if moved != nil { result.versionsMoved += 1 }
        } catch .preconditionFailed {
            return
        }
    }

    // MARK: Uploads

    private mutating func sweepUploads() throws(StoreError) {
        var query: UploadQuery? = UploadQuery()
        while let current = query, goesOn() {
            let page = try store.listUploads(bucket.name, current)
            query = nil
            for case .upload(let upload) in page.entries {
                if page.isTruncated { query = UploadQuery(afterKey: upload.key.bytes, afterUpload: upload.number) }
                guard let due = rules.abort(ofUploadTo: upload.key, initiated: upload.initiated), due.time <= now
                else { continue }
                do {
                    try store.abortUpload(upload.number, in: bucket.name)
                    result.uploadsAborted += 1
                } catch .noSuchUpload {
                    continue
                }
            }
        }
    }
}

extension VersionPage {
    fileprivate var firstKey: [UInt8]? {
        guard case .version(let record, _)? = entries.first else { return nil }
        return record.key.bytes
    }
}
