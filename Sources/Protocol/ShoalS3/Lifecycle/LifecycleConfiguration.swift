/// What happens to a bucket's objects as they grow old: rules, all of which count.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_BucketLifecycleConfiguration.html
package struct LifecycleConfiguration: Sendable, Equatable {
    package static let ruleCountMax = 1_000

    package let rules: [LifecycleRule]

    package init(rules: [LifecycleRule]) { self.rules = rules }
}

/// One rule: which objects, and what to do with them when.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_LifecycleRule.html
package struct LifecycleRule: Sendable, Equatable {
    /// UTF-16 units of an id.
    package static let idLengthMax = 255

    package enum Status: String, Sendable { case enabled = "Enabled", disabled = "Disabled" }

    package let id: String
    package let status: Status
    package let filter: LifecycleFilter
    package let expiration: Expiration?
    package let noncurrentExpiration: NoncurrentExpiration?
    /// Days after which an unfinished upload is thrown away.
    package let abortIncompleteUploadDays: Int?
    package let transitions: [Transition]
    package let noncurrentTransitions: [NoncurrentTransition]

    package init(
        id: String, status: Status = .enabled, filter: LifecycleFilter, expiration: Expiration? = nil,
        noncurrentExpiration: NoncurrentExpiration? = nil, abortIncompleteUploadDays: Int? = nil,
        transitions: [Transition] = [], noncurrentTransitions: [NoncurrentTransition] = []
    ) {
        self.id = id
        self.status = status
        self.filter = filter
        self.expiration = expiration
        self.noncurrentExpiration = noncurrentExpiration
        self.abortIncompleteUploadDays = abortIncompleteUploadDays
        self.transitions = transitions
        self.noncurrentTransitions = noncurrentTransitions
    }

    package enum Moment: Sendable, Equatable {
        /// After the object was written, or became noncurrent.
        case days(Int)
        /// A midnight of UTC.
        case date(Timestamp)
    }

    package enum Expiration: Sendable, Equatable {
        case at(Moment)
        /// A delete marker goes once no version is left behind it.
        case expiredObjectDeleteMarker(Bool)
    }

    package struct NoncurrentExpiration: Sendable, Equatable {
        package let days: Int
        /// Noncurrent versions that stay, the newest of them.
        package let newerVersions: Int?

        package init(days: Int, newerVersions: Int? = nil) {
            self.days = days
            self.newerVersions = newerVersions
        }
    }

    package struct Transition: Sendable, Equatable {
        package let moment: Moment
        package let storageClass: StorageClass

        package init(_ moment: Moment, to storageClass: StorageClass) {
            self.moment = moment
            self.storageClass = storageClass
        }
    }

    package struct NoncurrentTransition: Sendable, Equatable {
        package let days: Int
        package let newerVersions: Int?
        package let storageClass: StorageClass

        package init(days: Int, newerVersions: Int? = nil, to storageClass: StorageClass) {
            self.days = days
            self.newerVersions = newerVersions
            self.storageClass = storageClass
        }
    }
}

/// Which objects a rule is about: those that meet every test.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_LifecycleRuleFilter.html
package struct LifecycleFilter: Sendable, Equatable {
    /// How it was written, and so is written back.
    package enum Form: Sendable {
        /// `Prefix` of the rule itself, the older form.
        case ruleLevelPrefix
        case filter
        /// With `And` around the tests.
        case conjunction
    }

    package let form: Form
    package let prefix: String?
    package let tags: [TagSet.Tag]
    /// Bytes; larger objects pass.
    package let sizeGreaterThan: Int?
    /// Bytes; smaller objects pass.
    package let sizeLessThan: Int?

    package init(
        _ form: Form = .filter, prefix: String? = nil, tags: [TagSet.Tag] = [], sizeGreaterThan: Int? = nil,
        sizeLessThan: Int? = nil
    ) {
        self.form = form
        self.prefix = prefix
        self.tags = tags
        self.sizeGreaterThan = sizeGreaterThan
        self.sizeLessThan = sizeLessThan
    }

    /// Names are compared byte by byte, keys and values of tags too.
    func matches(_ object: LifecycleObject) -> Bool {
        if let sizeGreaterThan, object.size <= UInt64(clamping: sizeGreaterThan) { return false }
        if let sizeLessThan, object.size >= UInt64(clamping: sizeLessThan) { return false }
        return matches(prefixOf: object.key)
            && tags.allSatisfy { wanted in
                object.tags.contains {
                    $0.key.utf8.elementsEqual(wanted.key.utf8) && $0.value.utf8.elementsEqual(wanted.value.utf8)
                }
            }
    }

    func matches(prefixOf key: ObjectKey) -> Bool { key.bytes.starts(with: (prefix ?? "").utf8) }
}
