import ShoalXML

/// Where a bucket's access log is to go; kept and told, as none is written.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_BucketLoggingStatus.html
package struct BucketLoggingStatus: Sendable, Equatable {
    package struct Target: Sendable, Equatable {
        /// As written; whether there is such a bucket is for the server to say.
        package let bucket: String
        package let prefix: String
        package let grants: [Grant]
        package let keyFormat: KeyFormat?

        package init(bucket: String, prefix: String, grants: [Grant] = [], keyFormat: KeyFormat? = nil) {
            self.bucket = bucket
            self.prefix = prefix
            self.grants = grants
            self.keyFormat = keyFormat
        }
    }

    package enum KeyFormat: Sendable, Equatable {
        case simplePrefix
        case partitionedPrefix(DateSource?)
    }

    package enum DateSource: String, CaseIterable, Sendable {
        case eventTime = "EventTime"
        case deliveryTime = "DeliveryTime"
    }

    /// Nil if nothing is logged.
    package let target: Target?

    package init(target: Target?) { self.target = target }

    /// Throws 400: `MissingRequestBodyError`, `MalformedXML`, and what a `Grant` throws.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "BucketLoggingStatus")
        try root.checkChildren(once: ["LoggingEnabled"])
        target = try root.child("LoggingEnabled").map { element throws(S3Error) in try Target(element) }
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        guard let target else {
            document.emptyRoot("BucketLoggingStatus")
            return document.bytes
        }
        document.openRoot("BucketLoggingStatus")
        document.open("LoggingEnabled")
        target.write(to: &document)
        document.close("LoggingEnabled")
        document.close("BucketLoggingStatus")
        return document.bytes
    }
}

extension BucketLoggingStatus.Target {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        try element.checkChildren(once: ["TargetBucket", "TargetPrefix", "TargetGrants", "TargetObjectKeyFormat"])
        self.init(
            bucket: try element.requiredText("TargetBucket"), prefix: try element.requiredText("TargetPrefix"),
            grants: try element.child("TargetGrants").map(Grant.list) ?? [],
            keyFormat: try element.child("TargetObjectKeyFormat").map(Self.keyFormat))
    }

    private static func keyFormat(_ element: XMLElement) throws(S3Error) -> BucketLoggingStatus.KeyFormat {
        try element.checkChildren(once: ["SimplePrefix", "PartitionedPrefix"])
        guard element.children.count == 1 else { throw S3Error(.malformedXML) }
        guard let partitioned = element.child("PartitionedPrefix") else { return .simplePrefix }
        try partitioned.checkChildren(once: ["PartitionDateSource"])
        return .partitionedPrefix(try partitioned.choice("PartitionDateSource"))
    }

    fileprivate func write(to document: inout XMLWriter) {
        document.element("TargetBucket", bucket)
        if !grants.isEmpty {
            document.open("TargetGrants")
            for grant in grants { grant.write(to: &document) }
            document.close("TargetGrants")
        }
        document.element("TargetPrefix", prefix)
        guard let keyFormat else { return }
        document.open("TargetObjectKeyFormat")
        switch keyFormat {
        case .simplePrefix: document.empty("SimplePrefix")
        case .partitionedPrefix(nil): document.empty("PartitionedPrefix")
        case .partitionedPrefix(let source?):
            document.open("PartitionedPrefix")
            document.element("PartitionDateSource", source.rawValue)
            document.close("PartitionedPrefix")
        }
        document.close("TargetObjectKeyFormat")
    }
}
