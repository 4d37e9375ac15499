import ShoalXML

/// The body of CreateBucket: where the bucket is to be, and its tags.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucketConfiguration.html
package struct CreateBucketConfiguration: Sendable, Equatable {
    /// As written, not judged yet; nil if the element is absent or empty.
    package let locationConstraint: String?
    package let tags: TagSet?

    /// No body.
    package init() { (locationConstraint, tags) = (nil, nil) }

    /// An empty body is an empty configuration. Throws 400: `MalformedXML` for anything but `LocationConstraint` and
    /// `Tags`, and `InvalidTag`.
    package init(_ body: [UInt8]) throws(S3Error) {
        guard !body.isEmpty else {
            self.init()
            return
        }
        let root = try XMLBody.root(body, named: "CreateBucketConfiguration")
        try root.checkChildren(once: ["LocationConstraint", "Tags"])
        let location = try root.child("LocationConstraint")?.leafText() ?? ""
        let tags = try root.child("Tags").map(Self.tags)
        self.init(locationConstraint: location.isEmpty ? nil : location, tags: tags)
    }

    private init(locationConstraint: String?, tags: TagSet?) {
        self.locationConstraint = locationConstraint
        self.tags = tags
    }

    private static func tags(_ element: XMLElement) throws(S3Error) -> TagSet {
        let tags = try TagSet.tags(in: element)
        guard !tags.contains(where: { $0.key.lowercased().hasPrefix("aws:") }) else {
            throw S3Error(
                .invalidTag,
                "User-defined tag keys can't start with \"aws:\". This prefix is reserved for system tags. Remove "
                    + "\"aws:\" from your tag keys and try again.")
        }
        return try TagSet(tags, of: .bucket)
    }
}

// MARK: - Where the bucket goes

extension CreateBucketConfiguration {
    /// The region the bucket is created in; `server` is the one this server is pinned to, nil if it serves all.
    ///
    /// us-east-1 creates buckets anywhere, as AWS's global endpoint does; another region only its own. Differs from S3:
    /// a server of all regions takes `us-east-1` as a constraint too. Throws 400 `InvalidLocationConstraint` or
    /// `IllegalLocationConstraintException`.
    package func region(server: Region?) throws(S3Error) -> Region {
        guard let locationConstraint else {
            let endpoint = server ?? .usEast1
            guard endpoint == .usEast1 else { throw Self.illegal("unspecified") }
            return endpoint
        }
        if let server, server != .usEast1 {
            if server.name == locationConstraint { return server }
            guard let region = Region(locationConstraint), region.signingName == server.signingName else {
                throw Self.illegal(locationConstraint)
            }
            return region
        }
        guard let region = Region(locationConstraint), server == nil || region != .usEast1 else {
            throw S3Error(
                .invalidLocationConstraint, elements: [.init("LocationConstraint", locationConstraint)])
        }
        return region
    }

    private static func illegal(_ constraint: String) -> S3Error {
        S3Error(
            .illegalLocationConstraint,
            "The \(constraint) location constraint is incompatible for the region specific endpoint this request was "
                + "sent to.")
    }
}
