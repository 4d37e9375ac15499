import ShoalXML

extension LifecycleRule {
    /// `makeID` gives the id that a rule without one gets.
    init(_ element: XMLElement, makeID: () -> String) throws(S3Error) {
        try element.checkChildren(
            once: [
                "ID", "Prefix", "Filter", "Status", "Expiration", "NoncurrentVersionExpiration",
                "AbortIncompleteMultipartUpload",
            ], repeated: ["Transition", "NoncurrentVersionTransition"])
        let id = try element.optionalText("ID") ?? ""
        guard id.utf16.count <= Self.idLengthMax else {
            throw .invalidArgument(
                "ID length should not exceed allowed limit of \(Self.idLengthMax)", name: "ID", value: id)
        }
        self.init(
            id: id.isEmpty ? makeID() : id, status: try element.requiredChoice("Status"),
            filter: try LifecycleFilter(ofRule: element),
            expiration: try element.child("Expiration").map(Self.expiration),
            noncurrentExpiration: try element.child("NoncurrentVersionExpiration").map(Self.noncurrentExpiration),
            abortIncompleteUploadDays: try element.child("AbortIncompleteMultipartUpload").map(Self.abortDays),
            transitions: try Self.list(element, "Transition", Self.transition),
            noncurrentTransitions: try Self.list(element, "NoncurrentVersionTransition", Self.noncurrentTransition))
        guard
            expiration != nil || noncurrentExpiration != nil || abortIncompleteUploadDays != nil
                || !transitions.isEmpty || !noncurrentTransitions.isEmpty
        else { throw S3Error(.invalidRequest, "At least one action needs to be specified in a rule") }
        try checkTags()
    }

    /// What has no tags cannot be chosen by them.
    private func checkTags() throws(S3Error) {
        guard !filter.tags.isEmpty else { return }
        if abortIncompleteUploadDays != nil {
            throw S3Error(.invalidRequest, "AbortIncompleteMultipartUpload cannot be specified with Tags.")
        }
        if case .expiredObjectDeleteMarker = expiration {
            throw S3Error(.invalidRequest, "ExpiredObjectDeleteMarker cannot be specified with Tags.")
        }
    }

    private static func list<Value>(
        _ element: XMLElement, _ name: String, _ read: (XMLElement) throws(S3Error) -> Value
    ) throws(S3Error) -> [Value] {
        var values: [Value] = []
        for child in element.children where child.name == name { values.append(try read(child)) }
        return values
    }

    private static func expiration(_ element: XMLElement) throws(S3Error) -> Expiration {
        try element.checkChildren(once: ["Days", "Date", "ExpiredObjectDeleteMarker"])
        guard element.children.count == 1 else { throw S3Error(.malformedXML) }
        if let flag = try element.flag("ExpiredObjectDeleteMarker") { return .expiredObjectDeleteMarker(flag) }
        return .at(try moment(element, daysMin: 1, "'Days' for Expiration action must be a positive integer"))
    }

    private static func moment(
        _ element: XMLElement, daysMin: Int, _ message: String
    ) throws(S3Error) -> Moment {
        if let days = try days(element, "Days", min: daysMin, message) { return .days(days) }
        guard let date = try element.time("Date") else { throw S3Error(.malformedXML) }
        guard date.isMidnight else {
            throw .invalidArgument(
                "'Date' must be at midnight GMT", name: "Date", value: try element.requiredText("Date"))
        }
        return .date(date)
    }

    private static func days(
        _ element: XMLElement, _ name: String, min: Int, _ message: String
    ) throws(S3Error) -> Int? {
        guard let days = try element.integer(name) else { return nil }
        guard days >= min else { throw .invalidArgument(message, name: name, value: "\(days)") }
        return days
    }

    private static func requiredDays(
        _ element: XMLElement, _ name: String, min: Int, _ message: String
    ) throws(S3Error) -> Int {
        guard let days = try days(element, name, min: min, message) else { throw S3Error(.malformedXML) }
        return days
    }

    private static func newerVersions(_ element: XMLElement) throws(S3Error) -> Int? {
        try days(
            element, "NewerNoncurrentVersions", min: 1, "'NewerNoncurrentVersions' must be a positive integer")
    }

    private static func noncurrentExpiration(_ element: XMLElement) throws(S3Error) -> NoncurrentExpiration {
        try element.checkChildren(once: ["NoncurrentDays", "NewerNoncurrentVersions"])
        return NoncurrentExpiration(
            days: try requiredDays(
                element, "NoncurrentDays", min: 1,
                "'NoncurrentDays' for NoncurrentVersionExpiration action must be a positive integer"),
            newerVersions: try newerVersions(element))
    }

    private static func abortDays(_ element: XMLElement) throws(S3Error) -> Int {
        try element.checkChildren(once: ["DaysAfterInitiation"])
        return try requiredDays(
            element, "DaysAfterInitiation", min: 1,
            "'DaysAfterInitiation' for AbortIncompleteMultipartUpload action must be a positive integer")
    }

    private static func transition(_ element: XMLElement) throws(S3Error) -> Transition {
        try element.checkChildren(once: ["Days", "Date", "StorageClass"])
        guard element.child("Days") == nil || element.child("Date") == nil else { throw S3Error(.malformedXML) }
        let moment = try moment(element, daysMin: 0, "'Days' in Transition action must be nonnegative")
        return Transition(moment, to: try storageClass(element))
    }

    private static func noncurrentTransition(_ element: XMLElement) throws(S3Error) -> NoncurrentTransition {
        try element.checkChildren(once: ["NoncurrentDays", "NewerNoncurrentVersions", "StorageClass"])
        return NoncurrentTransition(
            days: try requiredDays(
                element, "NoncurrentDays", min: 0,
                "'NoncurrentDays' in NoncurrentVersionTransition action must be nonnegative"),
            newerVersions: try newerVersions(element), to: try storageClass(element))
    }

    /// Objects are only moved to what is cheaper to keep.
    private static func storageClass(_ element: XMLElement) throws(S3Error) -> StorageClass {
        let storageClass: StorageClass = try element.requiredChoice("StorageClass")
        guard storageClass != .standard, storageClass != .reducedRedundancy else { throw S3Error(.malformedXML) }
        return storageClass
    }
}

extension LifecycleFilter {
    private static let tests = ["Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan"]
    /// Bytes of a prefix, as of a key.
    private static let prefixByteCountMax = 1_024

    fileprivate init(ofRule rule: XMLElement) throws(S3Error) {
        switch (rule.child("Filter"), rule.child("Prefix")) {
        case (nil, let prefix?): self.init(.ruleLevelPrefix, prefix: try prefix.leafText())
        case (let filter?, nil):
            try filter.checkChildren(once: Self.tests + ["And"])
            guard filter.children.count <= 1 else { throw S3Error(.malformedXML) }
            if let conjunction = filter.child("And") {
                try conjunction.checkChildren(
                    once: ["Prefix", "ObjectSizeGreaterThan", "ObjectSizeLessThan"], repeated: ["Tag"])
                try self.init(.conjunction, conjunction)
            } else {
                try self.init(.filter, filter)
            }
        default: throw S3Error(.malformedXML)
        }
        try check()
    }

    private init(_ form: Form, _ element: XMLElement) throws(S3Error) {
        var tags: [TagSet.Tag] = []
        for tag in element.children where tag.name == "Tag" {
            try tag.checkChildren(once: ["Key", "Value"])
            tags.append(.init(key: try tag.requiredText("Key"), value: try tag.requiredText("Value")))
        }
        self.init(
            form, prefix: try element.optionalText("Prefix"), tags: tags,
            sizeGreaterThan: try element.longInteger("ObjectSizeGreaterThan"),
            sizeLessThan: try element.longInteger("ObjectSizeLessThan"))
    }

    private func check() throws(S3Error) {
        guard prefix?.utf8.count ?? 0 <= Self.prefixByteCountMax else {
            throw S3Error(.invalidRequest, "The maximum size of a prefix is \(Self.prefixByteCountMax).")
        }
        guard Set(tags.map { Array($0.key.utf8) }).count == tags.count else {
            throw S3Error(.invalidRequest, "Duplicate Tag Keys are not allowed.")
        }
        guard sizeGreaterThan ?? 0 >= 0, sizeLessThan ?? 1 >= 1 else { throw S3Error(.malformedXML) }
        if let sizeGreaterThan, let sizeLessThan, sizeLessThan <= sizeGreaterThan {
            throw S3Error(
                .invalidRequest, "'ObjectSizeLessThan' has to be a value greater than 'ObjectSizeGreaterThan'.")
        }
    }
}
