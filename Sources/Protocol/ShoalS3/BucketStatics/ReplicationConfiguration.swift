import ShoalXML

/// Where a bucket's objects are to be copied. It is kept and told; nothing is replicated here.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ReplicationConfiguration.html
package struct ReplicationConfiguration: Sendable {
    package static let ruleCountMax = 1_000

    private let root: XMLElement
    /// The buckets that the rules name.
    package let destinations: [String]

    /// Throws 400 `MissingRequestBodyError`, or `MalformedXML`, also without a role, a rule, or a destination in each.
    package init(_ body: [UInt8]) throws(S3Error) {
        root = try XMLBody.requiredRoot(body, named: "ReplicationConfiguration")
        try root.checkChildren(once: ["Role"], repeated: ["Rule"])
        _ = try root.requiredText("Role")
        let rules = root.children("Rule")
        guard (1...Self.ruleCountMax).contains(rules.count) else { throw S3Error(.malformedXML) }
        var destinations: [String] = []
        for rule in rules {
            try rule.checkChildren(
                once: [
                    "ID", "Priority", "Prefix", "Filter", "Status", "SourceSelectionCriteria",
                    "ExistingObjectReplication", "Destination", "DeleteMarkerReplication",
                ])
            _ = try rule.requiredChoice("Status", of: LifecycleRule.Status.self)
            guard let arn = try rule.child("Destination")?.requiredText("Bucket"), arn.hasPrefix(Self.arnPrefix) else {
                throw S3Error(.malformedXML)
            }
            destinations.append(String(arn.dropFirst(Self.arnPrefix.count)))
        }
        self.destinations = destinations
    }

    private static let arnPrefix = "arn:aws:s3:::"

    package var document: [UInt8] {
        var document = XMLWriter()
        document.appendRoot(root)
        return document.bytes
    }
}
