import ShoalHTTP
import ShoalS3
import ShoalStore

/// `PUT /{bucket}/{key}` with `x-amz-copy-source`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
struct CopyObject: Operation {
    private let request: S3Request
    private let copy: ObjectCopy
    private let acl: RequestedACL?
    private let lock: ObjectLock

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        let headers = try ObjectHeaders(request.fields)
        acl = try RequestedACL.named(in: request.fields)
        lock = try ObjectLock.named(in: request.fields, now: request.now)
        try headers.refuseUnbuilt(request.fields)
        let source = try CopySource.named(in: request.fields)
        copy = ObjectCopy(
            path: try request.path, source: source, headers: headers, fields: request.fields, now: request.now,
            metadata: try CopyDirective.metadata(in: request.fields),
            tagging: try CopyDirective.tagging(in: request.fields),
            checksum: try ChecksumAlgorithm.named(in: request.fields),
            sourceConditions: CopyConditions(request.fields), condition: try WriteCondition(request.fields))
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(copy.path.bucket, for: request)
        let encryption = try EncryptionRequest(request.fields)
        let target = CopyTarget(
            bucket: bucket, acl: try request.writtenACL(in: bucket, acl),
            lock: try request.writtenLock(lock, at: copy.path, in: bucket, nil, world),
            encryption: try encryption.encryption(in: bucket), customerKey: encryption.customerKey)
        let original = try CopyOriginal(copy.source, for: request, in: world)
        let announcement = world.announcement(of: .named(.objectCreatedCopy), at: copy.path, in: bucket, by: request)
        return .longWrite { [copy] in try copy.run(of: original, to: target, announcement, in: world) }
    }
}

/// Where the copy goes, and what it gets there whatever its source is.
private struct CopyTarget: Sendable {
    let bucket: BucketRecord
    let acl: AccessControlPolicy?
    let lock: ObjectLock
    let encryption: ObjectEncryption
    let customerKey: CustomerKey?
}

/// The part of a copy that waits for the disk.
private struct ObjectCopy: Sendable {
    let path: ObjectPath
    let source: CopySource
    let headers: ObjectHeaders
    let fields: RequestFields
    let now: Timestamp
    let metadata: CopyDirective
    let tagging: CopyDirective
    /// The one asked for; nil for the source's.
    let checksum: ChecksumAlgorithm?
    let sourceConditions: CopyConditions
    let condition: WriteCondition

    func run(
        of source: CopyOriginal, to target: CopyTarget, _ announcement: Announcement?, in world: World
    ) throws -> Changed {
        let (original, file) = try source.open(if: sourceConditions, at: now, in: world)
        try CopySource.check(byteCount: original.size)
        try SelfCopyRule.check(
            fields, isSameObject: isInPlace && self.source.versionID == nil, metadata: metadata,
            bucketNamesEncryption: BucketSettings(target.bucket)[.encryption] != nil,
            stored: original.checksum?.algorithm)
        if condition != .none {
            try condition.check(current: try world.store.record(of: path)?.etag, key: path.key)
        }
        let copy = try BodyCopy(
            of: file, 0..<original.size, checksum: checksum ?? original.checksum?.algorithm ?? .crc64nvme, in: world)
        let record = ObjectRecord(
            key: path.key, etag: target.encryption.etag(ofMD5: copy.md5), size: original.size, lastModified: now,
            attributes: attributes(ObjectAttributes(original), target).encoded, checksum: copy.checksum)
        let written: ObjectRecord
        do throws(StoreError) {
            written = try world.store.put(
                record, in: path.bucket, body: copy.body, condition: condition.commitCondition,
                announcing: announcement)
        } catch {
            throw error.answer(at: path, condition)
        }
        var response = HTTPResponse.xml(
            CopyObjectResult(lastModified: now, etag: written.etag, checksum: copy.checksum).document)
        response.add(target.encryption, target.customerKey)
        source.addVersion(of: original, to: &response)
        response.addVersion(of: written, at: path, in: target.bucket)
        try response.addExpiration(of: written, in: target.bucket)
        return Changed(response, wrote: .init(written, at: path))
    }

    private var isInPlace: Bool { source.path == path }

    /// Storage class and redirect are those of the request in any case; the redirect of a copy in place stays.
    private func attributes(_ original: ObjectAttributes, _ target: CopyTarget) -> ObjectAttributes {
        var kept = headers.metadata
        if metadata == .copy {
            kept = original.metadata
            let redirect = headers.metadata.value(of: .websiteRedirectLocation)
            if !isInPlace || redirect != nil { kept = kept.setting(.websiteRedirectLocation, to: redirect) }
        }
        return ObjectAttributes(
            storageClass: headers.storageClass, metadata: kept,
            tags: tagging == .copy ? original.tags : headers.tags ?? TagSet(stored: []), acl: target.acl,
            lock: target.lock, encryption: target.encryption)
    }
}
