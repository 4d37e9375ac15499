import ShoalXML

/// The body of DeleteObjects: what is to go.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Delete.html
package struct DeleteObjectsRequest: Sendable {
    /// Objects that one request names at most.
    package static let itemCountMax = 1_000

    package struct Item: Sendable, Equatable {
        package let key: ObjectKey
        /// As sent, not judged yet; nil if the element is absent or empty.
        package let versionID: String?
        /// The tag the object must have to be deleted.
        package let etag: ETag?

        package init(key: ObjectKey, versionID: String? = nil, etag: ETag? = nil) {
            self.key = key
            self.versionID = versionID
            self.etag = etag
        }
    }

    /// 1 to 1,000, in the order they were sent; a key may come more than once.
    package let items: [Item]
    /// Whether the answer is to tell only what failed.
    package let isQuiet: Bool

    package init(items: [Item], isQuiet: Bool) {
        self.items = items
        self.isQuiet = isQuiet
    }

    /// Throws 400: `MissingRequestBodyError` for no body; `MalformedXML`, also for no or too many objects;
    /// `UserKeyMustBeSpecified` for an empty key and `KeyTooLongError`.
    package init(_ body: [UInt8]) throws(S3Error) {
        guard !body.isEmpty else { throw S3Error(.missingRequestBody) }
        let root = try XMLBody.root(body, named: "Delete")
        try root.checkChildren(once: ["Quiet"], repeated: ["Object"])
        let objects = root.children("Object")
        guard (1...Self.itemCountMax).contains(objects.count) else { throw S3Error(.malformedXML) }
        isQuiet = try root.child("Quiet").map { element throws(S3Error) in try element.leafFlag() } ?? false
        var items: [Item] = []
        items.reserveCapacity(objects.count)
        for object in objects { items.append(try Item(object)) }
        self.items = items
    }

    /// Throws 400 `InvalidRequest` if the request has neither `Content-MD5` nor a checksum, which S3 wants here.
    package static func checkIntegrity(_ expectation: ChecksumExpectation) throws(S3Error) {
        guard expectation.contentMD5 == nil, expectation.source == .none else { return }
        throw S3Error(
            .invalidRequest, "Missing required header for this request: Content-MD5 OR x-amz-checksum-*")
    }
}

extension DeleteObjectsRequest.Item {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        try element.checkChildren(once: ["Key", "VersionId", "ETag"])
        guard let name = element.child("Key"), name.children.isEmpty else { throw S3Error(.malformedXML) }
        guard !name.text.isEmpty else { throw S3Error(.userKeyMustBeSpecified) }
        guard let key = ObjectKey(name.text) else {
            throw .keyTooLong(byteCount: name.text.count)
        }
        let version = try element.child("VersionId")?.leafText() ?? ""
        let etag = Array((try element.child("ETag")?.leafText() ?? "").utf8)[...].trimmed
        self.init(
            key: key, versionID: version.isEmpty ? nil : version,
            etag: etag.isEmpty ? nil : ETag(unquoted: ETagList.unquoted(etag).text))
    }
}
