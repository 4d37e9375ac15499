import ShoalHTTP

/// Where a request goes: its operation, bucket, key and parameters.
///
/// Making one throws what S3 answers before it reads a credential. A 405 is a value instead, because a signature that
/// was sent and is wrong is answered first.
package struct Route: Sendable {
    package let style: RequestAddress.Style
    /// `unknown` for something S3 has and Shoal does not: 501 `NotImplemented`.
    package let operation: S3Operation
    package let bucket: BucketName?
    /// Nil also where a sub-resource of the bucket was asked for on the path of a key.
    package let key: ObjectKey?
    package let query: QueryParameters
    /// The answer once a signature, if there is one, has been found right; before the bucket is looked up.
    package let methodNotAllowed: S3Error?

    /// Throws, each 400 unless noted: `BadRequest` for an unknown method, `InvalidURI`, `InvalidBucketName`,
    /// `KeyTooLongError`, conflicting or misplaced parameters, integers that do not parse, and 412 `PreconditionFailed`
    /// for a POST to a bucket that is no form.
    package init(_ head: RequestHead, under domains: BaseDomains) throws(S3Error) {
        guard head.method != .other else { throw S3Error(.badRequest) }
        let address = try RequestAddress(head, under: domains)
        let query = try QueryParameters(head.query, of: head.target)
        try self.init(head, address, query)
        try checkIntegers()
    }

    /// The object asked for; nil for an operation of the service or of a bucket.
    package var path: ObjectPath? {
        guard let bucket, let key else { return nil }
        return ObjectPath(bucket: bucket, key: key)
    }

    private init(_ head: RequestHead, _ address: RequestAddress, _ query: QueryParameters) throws(S3Error) {
        style = address.style
        bucket = address.bucket
        self.query = query
        let target: Target
        if head.method == .options {
            target = Target(.optionsPreflight, key: address.key)
        } else if address.bucket == nil {
            target = Target(.service, head)
        } else if let key = address.key {
            target = try .object(key, head, query)
        } else {
            target = try .bucket(head, query)
        }
        operation = target.operation
        key = target.key
        methodNotAllowed = target.methodNotAllowed
    }

    init(
        style: RequestAddress.Style, operation: S3Operation, bucket: BucketName?, key: ObjectKey?,
        query: QueryParameters, methodNotAllowed: S3Error?
    ) {
        self.style = style
        self.operation = operation
        self.bucket = bucket
        self.key = key
        self.query = query
        self.methodNotAllowed = methodNotAllowed
    }

    private func checkIntegers() throws(S3Error) {
        switch operation {
        case .listBuckets: _ = try query.integer("max-buckets")
        case .listObjects, .listObjectsV2, .headBucket: _ = try query.integer("max-keys")
        case .listObjectVersions: _ = try ListObjectVersionsParameters(query)
        case .listMultipartUploads: _ = try query.integer("max-uploads")
        case .listParts:
            _ = try query.integer("max-parts")
            _ = try query.integer("part-number-marker")
        case .getObject, .headObject, .uploadPart, .uploadPartCopy: try PartNumber.checkSyntax(query)
        default: break
        }
    }
}

/// The operation a request names, and the key if it needs one.
struct Target {
    let operation: S3Operation
    let key: ObjectKey?
    let methodNotAllowed: S3Error?

    init(_ operation: S3Operation, key: ObjectKey? = nil) {
        self.operation = operation
        self.key = key
        methodNotAllowed = nil
    }

    /// What the request's method means on `resource`.
    init(_ resource: Resource, _ head: RequestHead, key: ObjectKey? = nil) {
        self.key = key
        if let operation = resource.operation(head.method) {
            self.operation = operation
            methodNotAllowed = nil
        } else {
            operation = .unknown
            methodNotAllowed = resource.methodNotAllowed(head.methodText)
        }
    }
}

extension Target {
    static func bucket(_ head: RequestHead, _ query: QueryParameters) throws(S3Error) -> Target {
        let all = query.isEmpty ? [] : SubResource.all(in: query)
        let named = all.filter { $0.onBucket != nil }
        try refuseConflict(named)
        guard !query.has("partNumber") else { throw S3Error(.invalidRequest, "Object must have a valid key name.") }
        guard !named.contains(.uploadId) else { throw S3Error(.invalidRequest, "A key must be specified") }
        if let version = query.first("versionId") { throw .versionIDNotAccepted(version) }
        if let subResource = named.first, let resource = subResource.onBucket {
            return try subResource.target(resource, head, query)
        }
        guard all.isEmpty else { return Target(.unknown) }
        if head.method == .post {
            guard head.first("content-type")?.hasPrefixIgnoringCase("multipart/form-data") == true else {
                throw S3Error(
                    .preconditionFailed,
                    elements: [
                        .init("Condition", "Bucket POST must be of the enclosure-type multipart/form-data")
                    ])
            }
        }
        let list: S3Operation = query.first("list-type")?.equals("2") == true ? .listObjectsV2 : .listObjects
        return Target(
            Resource(
                "BUCKET", delete: .deleteBucket, get: list, head: .headBucket, post: .postObject, put: .createBucket),
            head)
    }

    static func object(_ key: ObjectKey, _ head: RequestHead, _ query: QueryParameters) throws(S3Error) -> Target {
        let all = query.isEmpty ? [] : SubResource.all(in: query)
        if !all.isEmpty { return try object(key, all, head, query) }
        if let version = query.first("versionId") {
            guard !version.isEmpty else {
                throw .invalidArgument("Version id cannot be the empty string", name: "versionId", value: "")
            }
            guard head.method != .put else { throw .versionIDNotAccepted(version) }
        }
        switch head.method {
        case .get: return Target(.getObject, key: key)
        case .head: return Target(.headObject, key: key)
        case .delete: return Target(.deleteObject, key: key)
        case .put:
            if let number = query.first("partNumber") {
                throw .invalidArgument(
                    "This operation does not accept partNumber without uploadId", name: "partNumber",
                    value: number.text)
            }
            return Target(hasCopySource(head, query) ? .copyObject : .putObject, key: key)
        default:
            let resource = Resource(
                "OBJECT", delete: .deleteObject, get: .getObject, head: .headObject, put: .putObject)
            return Target(resource, head, key: key)
        }
    }

    private static func object(
        _ key: ObjectKey, _ all: [SubResource], _ head: RequestHead, _ query: QueryParameters
    ) throws(S3Error) -> Target {
        let named = all.filter {
            $0.onObject != nil || $0.reachesBucketFromKey || $0 == .logging || $0 == .versions
        }
        try refuseConflict(named)
        guard let subResource = named.first else { return Target(.unknown) }
        try subResource.refuseVersionID(query)
        switch subResource {
        case .logging: throw S3Error(.noLoggingStatusForKey)
        case .versions:
            throw S3Error(.invalidRequest, "There is no such thing as the ?versions sub-resource for a key")
        case .uploads where head.method == .get:
            throw S3Error(.invalidRequest, "Key is not expected for the GET method ?uploads subresource")
        case .uploadId where query.has("partNumber"):
            let isCopy = head.method == .put && hasCopySource(head, query)
            return isCopy ? Target(.uploadPartCopy, key: key) : Target(.part, head, key: key)
        default: break
        }
        if subResource.reachesBucketFromKey, let resource = subResource.onBucket {
            return try subResource.target(resource, head, query)
        }
        guard let resource = subResource.onObject else { return Target(.unknown) }
        let target = Target(resource, head, key: key)
        try target.refuseCopySource(head, query)
        return target
    }

    private static func refuseConflict(_ named: [SubResource]) throws(S3Error) {
        guard named.count > 1 else { return }
        let names = named.map(\.rawValue).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        throw .invalidArgument(
            "Conflicting query string parameters: " + names.joined(separator: ", "), name: "ResourceType",
            value: names[0])
    }

    private static func hasCopySource(_ head: RequestHead, _ query: QueryParameters) -> Bool {
        head.first("x-amz-copy-source") != nil || query.firstIgnoringCase("x-amz-copy-source") != nil
    }

    /// A copy source means nothing to an operation that writes a part of an object's description.
    private func refuseCopySource(_ head: RequestHead, _ query: QueryParameters) throws(S3Error) {
        switch operation {
        case .putObjectAcl, .putObjectTagging, .putObjectRetention, .putObjectLegalHold: break
        default: return
        }
        guard
            let source = head.first("x-amz-copy-source") ?? query.firstIgnoringCase("x-amz-copy-source"),
            !source.isEmpty
        else { return }
        throw .invalidArgument(
            "You can only specify a copy source header for copy requests.", name: "x-amz-copy-source",
            value: source.text)
    }
}

extension SubResource {
    /// The target of a sub-resource of a bucket, whether its path named a key or not.
    fileprivate func target(
        _ resource: Resource, _ head: RequestHead, _ query: QueryParameters
    ) throws(S3Error) -> Target {
        if self == .website, let value = query.first("website"), !value.isEmpty {
            throw .invalidArgument("The website parameter must not have a value", name: "website", value: value.text)
        }
        // Without an `id` a GET is about all of them.
        if head.method == .get, !query.has("id"), let list = listOperation { return Target(list) }
        let target = Target(resource, head)
        // On a bucket `?restore` lacks the key it is about.
        if target.operation == .restoreObject { throw S3Error(.userKeyMustBeSpecified) }
        return target
    }

    private var listOperation: S3Operation? {
        switch self {
        case .metrics: .listBucketMetricsConfigurations
        case .analytics: .listBucketAnalyticsConfigurations
        case .inventory: .listBucketInventoryConfigurations
        case .intelligentTiering: .listBucketIntelligentTieringConfigurations
        default: nil
        }
    }

    fileprivate func refuseVersionID(_ query: QueryParameters) throws(S3Error) {
        guard let version = query.first("versionId") else { return }
        let takesNone = self == .uploadId || self == .uploads || self == .torrent || onObject == nil
        guard !takesNone else { throw .versionIDNotAccepted(version) }
        guard !version.isEmpty else {
            throw .invalidArgument("Version id cannot be the empty string", name: "versionId", value: "")
        }
    }
}

extension S3Error {
    fileprivate static func versionIDNotAccepted(_ version: ArraySlice<UInt8>) -> S3Error {
        .invalidArgument("This operation does not accept a version-id.", name: "versionId", value: version.text)
    }
}
