/// What a rule may look at.
package struct LifecycleObject: Sendable {
    package let key: ObjectKey
    /// Bytes.
    package let size: UInt64
    package let tags: [TagSet.Tag]
    package let lastModified: Timestamp

    package init(key: ObjectKey, size: UInt64, tags: [TagSet.Tag] = [], lastModified: Timestamp) {
        self.key = key
        self.size = size
        self.tags = tags
        self.lastModified = lastModified
    }
}

/// When a rule acts, and which.
package struct LifecycleDue: Sendable, Equatable {
    package let time: Timestamp
    package let ruleID: String

    package init(time: Timestamp, ruleID: String) {
        self.time = time
        self.ruleID = ruleID
    }

    /// The value of `x-amz-expiration`.
    package var expirationHeader: String { "expiry-date=\"\(time.httpDate)\", rule-id=\"\(encodedRuleID)\"" }

    /// The id encoded as in a query: a header cannot hold all that an id may.
    package var encodedRuleID: String {
        var id: [UInt8] = []
        for (index, part) in ruleID.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { id += Array("%2F".utf8) }
            URLEncoding.append(Array(part), to: &id)
        }
        return String(decoding: id, as: UTF8.self)
    }
}

// Each answer is the earliest that any enabled rule gives; nil if none is about it. It is due once `now` reaches `time`.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html

extension LifecycleConfiguration {
    /// When the current version of an object expires. In a bucket that keeps versions a delete marker then covers it.
    package func expiration(of object: LifecycleObject) -> LifecycleDue? {
        earliest { rule in
            guard case .at(let moment) = rule.expiration, rule.filter.matches(object) else { return nil }
            return moment.time(after: object.lastModified)
        }
    }

    /// When a version goes that `newerCount` other noncurrent ones of its key have followed.
    package func noncurrentExpiration(
        of object: LifecycleObject, noncurrentSince: Timestamp, newerCount: Int
    ) -> LifecycleDue? {
        earliest { rule in
            guard let expiration = rule.noncurrentExpiration, newerCount >= expiration.newerVersions ?? 0,
                rule.filter.matches(object)
            else { return nil }
            return noncurrentSince.midnight(days: expiration.days)
        }
    }

    /// When a delete marker goes that has no version of its key behind it: at once where a rule asks for that, or like
    /// an object of its age.
    package func markerExpiration(of key: ObjectKey, lastModified: Timestamp) -> LifecycleDue? {
        earliest { rule in
            guard rule.filter.coversMarkers, rule.filter.matches(prefixOf: key) else { return nil }
            switch rule.expiration {
            case .expiredObjectDeleteMarker(true): return lastModified
            case .at(let moment): return moment.time(after: lastModified)
            case .expiredObjectDeleteMarker(false), nil: return nil
            }
        }
    }

    /// When an unfinished upload is thrown away: `x-amz-abort-date` and `x-amz-abort-rule-id`.
    package func abort(ofUploadTo key: ObjectKey, initiated: Timestamp) -> LifecycleDue? {
        earliest { rule in
            guard let days = rule.abortIncompleteUploadDays, rule.filter.matches(prefixOf: key) else { return nil }
            return initiated.midnight(days: days)
        }
    }

    /// The storage class of the last transition that is due at `now`; nil if none is, or if the object is too small or
    /// too far down already to be moved.
    package func transition(
        of object: LifecycleObject, in current: StorageClass, _ smallest: TransitionDefaultMinimumObjectSize,
        now: Timestamp
    ) -> StorageClass? {
        latest(now) { rule in
            guard rule.filter.matches(object) else { return [] }
            return rule.transitions.filter { rule.moves(object, from: current, to: $0.storageClass, smallest) }
                .map { ($0.moment.time(after: object.lastModified), $0.storageClass) }
        }
    }

    /// The same for a version that `newerCount` other noncurrent ones of its key have followed.
    package func noncurrentTransition(
        of object: LifecycleObject, in current: StorageClass, _ smallest: TransitionDefaultMinimumObjectSize,
        noncurrentSince: Timestamp, newerCount: Int, now: Timestamp
    ) -> StorageClass? {
        latest(now) { rule in
            guard rule.filter.matches(object) else { return [] }
            return rule.noncurrentTransitions.filter {
                newerCount >= $0.newerVersions ?? 0 && rule.moves(object, from: current, to: $0.storageClass, smallest)
            }.map { (noncurrentSince.midnight(days: $0.days), $0.storageClass) }
        }
    }

    private var enabledRules: some Sequence<LifecycleRule> { rules.lazy.filter { $0.status == .enabled } }

    private func earliest(_ time: (LifecycleRule) -> Timestamp?) -> LifecycleDue? {
        var found: LifecycleDue?
        for rule in enabledRules {
            guard let time = time(rule), found.map({ time < $0.time }) ?? true else { continue }
            found = LifecycleDue(time: time, ruleID: rule.id)
        }
        return found
    }

    private func latest(
        _ now: Timestamp, _ steps: (LifecycleRule) -> [(time: Timestamp, storageClass: StorageClass)]
    ) -> StorageClass? {
        enabledRules.flatMap(steps).filter { $0.time <= now }.max { $0.time < $1.time }?.storageClass
    }
}

extension LifecycleRule {
    /// Bytes an object has at least to be moved, unless a rule says itself which sizes it is about.
    private static let smallestMovedByteCount: UInt64 = 128 * 1_024

    /// Objects are only moved down the list of classes, and small ones not by default.
    fileprivate func moves(
        _ object: LifecycleObject, from current: StorageClass, to target: StorageClass,
        _ smallest: TransitionDefaultMinimumObjectSize
    ) -> Bool {
        guard target.depth > current.depth else { return false }
        let choosesSizes = filter.sizeGreaterThan != nil || filter.sizeLessThan != nil
        if choosesSizes || object.size >= Self.smallestMovedByteCount { return true }
        return smallest == .variesByStorageClass && target.isArchived
    }
}

extension StorageClass {
    /// How far down it is in the order in which objects can be moved.
    /// https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-transition-general-considerations.html
    fileprivate var depth: Int {
        switch self {
        case .standard, .reducedRedundancy: 0
        case .standardIA: 1
        case .intelligentTiering: 2
        case .oneZoneIA: 3
        case .glacierIR: 4
        case .glacier: 5
        case .deepArchive: 6
        }
    }
}

extension LifecycleFilter {
    /// A delete marker has neither size nor tags.
    fileprivate var coversMarkers: Bool { tags.isEmpty && sizeGreaterThan == nil && sizeLessThan == nil }
}

extension LifecycleRule.Moment {
    fileprivate func time(after event: Timestamp) -> Timestamp {
        switch self {
        case .days(let days): event.midnight(days: days)
        case .date(let date): date
        }
    }
}

extension Timestamp {
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// The first midnight of UTC that is `days` days or more behind this time.
    func midnight(days: Int) -> Timestamp {
        let time = milliseconds + Int64(days) * Self.millisecondsPerDay
        let rest = (time % Self.millisecondsPerDay + Self.millisecondsPerDay) % Self.millisecondsPerDay
        return Timestamp(milliseconds: rest == 0 ? time : time - rest + Self.millisecondsPerDay)
    }

    var isMidnight: Bool { milliseconds % Self.millisecondsPerDay == 0 }
}
