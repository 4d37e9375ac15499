import ShoalCrypto
import ShoalXML

/// The body of PutBucketLifecycleConfiguration and of GetBucketLifecycleConfiguration's answer.
extension LifecycleConfiguration {
    /// A rule without an id gets one, the same each time the same body is read.
    ///
    /// Throws 400: `MissingRequestBodyError`; `MalformedXML` for what the schema does not know, no rule or more than
    /// 1,000, a rule without exactly one of `Filter` and `Prefix`; `InvalidArgument` for ids and times; `InvalidRequest`
    /// for a rule without an action and for tests that contradict each other.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "LifecycleConfiguration")
        try root.checkChildren(repeated: ["Rule"])
        guard (1...Self.ruleCountMax).contains(root.children.count) else { throw S3Error(.malformedXML) }
        var rules: [LifecycleRule] = []
        var ids: Set<[UInt8]> = []
        for (index, element) in root.children.enumerated() {
            let rule = try LifecycleRule(element) { Self.generatedID(body, index) }
            guard ids.insert(Array(rule.id.utf8)).inserted else {
                throw .invalidArgument(
                    "Rule ID must be unique. Found same ID for more than one rule", name: "ID", value: rule.id)
            }
            rules.append(rule)
        }
        self.init(rules: rules)
    }

    private static func generatedID(_ body: [UInt8], _ index: Int) -> String {
        Hexadecimal.string(Array(Digest.of(body + Array("\n\(index)".utf8), .sha256).prefix(24)))
    }

    package var document: [UInt8] {
        var document = XMLWriter(capacity: 128 + rules.count * 320)
        document.openRoot("LifecycleConfiguration")
        for rule in rules { rule.write(to: &document) }
        document.close("LifecycleConfiguration")
        return document.bytes
    }
}

/// From which size on objects are moved to another class by default; kept and told.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html
package enum TransitionDefaultMinimumObjectSize: String, CaseIterable, Sendable {
    case allStorageClasses128K = "all_storage_classes_128K"
    case variesByStorageClass = "varies_by_storage_class"

    /// What `x-amz-transition-default-minimum-object-size` names, and what holds without it. Throws 400 `InvalidRequest`.
    package init(_ fields: RequestFields) throws(S3Error) {
        guard let value = fields.first("x-amz-transition-default-minimum-object-size") else {
            self = .allStorageClasses128K
            return
        }
        guard let known = TransitionDefaultMinimumObjectSize(rawValue: value.text) else {
            throw S3Error(.invalidRequest, "Invalid TransitionDefaultMinimumObjectSize found: \(value.text)")
        }
        self = known
    }
}

// MARK: - Writing

extension LifecycleRule {
    fileprivate func write(to document: inout XMLWriter) {
        document.open("Rule")
        document.element("ID", id)
        filter.write(to: &document)
        document.element("Status", status.rawValue)
        if let expiration {
            document.open("Expiration")
            switch expiration {
            case .at(let moment): moment.write(to: &document)
            case .expiredObjectDeleteMarker(let flag): document.element("ExpiredObjectDeleteMarker", flag)
            }
            document.close("Expiration")
        }
        for transition in transitions {
            document.open("Transition")
            transition.moment.write(to: &document)
            document.element("StorageClass", transition.storageClass.rawValue)
            document.close("Transition")
        }
        for transition in noncurrentTransitions {
            document.open("NoncurrentVersionTransition")
            document.element("NoncurrentDays", transition.days)
            if let count = transition.newerVersions { document.element("NewerNoncurrentVersions", count) }
            document.element("StorageClass", transition.storageClass.rawValue)
            document.close("NoncurrentVersionTransition")
        }
        if let noncurrentExpiration {
            document.open("NoncurrentVersionExpiration")
            document.element("NoncurrentDays", noncurrentExpiration.days)
            if let count = noncurrentExpiration.newerVersions { document.element("NewerNoncurrentVersions", count) }
            document.close("NoncurrentVersionExpiration")
        }
        if let abortIncompleteUploadDays {
            document.open("AbortIncompleteMultipartUpload")
            document.element("DaysAfterInitiation", abortIncompleteUploadDays)
            document.close("AbortIncompleteMultipartUpload")
        }
        document.close("Rule")
    }
}

extension LifecycleRule.Moment {
    fileprivate func write(to document: inout XMLWriter) {
        switch self {
        case .days(let days): document.element("Days", days)
        case .date(let date): document.element("Date", date)
        }
    }
}

extension LifecycleFilter {
    fileprivate func write(to document: inout XMLWriter) {
        switch form {
        case .ruleLevelPrefix: document.element("Prefix", prefix ?? "")
        case .filter where self == LifecycleFilter(): document.empty("Filter")
        case .filter:
            document.open("Filter")
            writeTests(to: &document)
            document.close("Filter")
        case .conjunction:
            document.markup("<Filter><And>")
            writeTests(to: &document)
            document.markup("</And></Filter>")
        }
    }

    private func writeTests(to document: inout XMLWriter) {
        if let prefix { document.element("Prefix", prefix) }
        for tag in tags {
            document.open("Tag")
            document.element("Key", tag.key)
            document.element("Value", tag.value)
            document.close("Tag")
        }
        if let sizeGreaterThan { document.element("ObjectSizeGreaterThan", sizeGreaterThan) }
        if let sizeLessThan { document.element("ObjectSizeLessThan", sizeLessThan) }
    }
}
