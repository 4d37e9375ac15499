import ShoalHTTP
import ShoalS3
import ShoalSigV4
import ShoalStore

/// `PUT /{bucket}/{key}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
struct PutObject: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let headers: ObjectHeaders
    private let byteCount: UInt64
    private let expectation: ChecksumExpectation
    private let condition: WriteCondition
    private let acl: RequestedACL?
    private let lock: ObjectLock

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        headers = try ObjectHeaders(request.fields)
        acl = try RequestedACL.named(in: request.fields)
        lock = try ObjectLock.named(in: request.fields, now: request.now)
        try headers.refuseUnbuilt(request.fields)
        condition = try WriteCondition(request.fields)
        expectation = try ChecksumExpectation(request.head)
        byteCount = try UploadLength.payloadByteCount(of: request.head, request.payload)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        let acl = try request.writtenACL(in: bucket, acl)
        let lock = try request.writtenLock(lock, at: path, in: bucket, expectation, world)
        let asked = try EncryptionRequest(request.fields)
        let encryption = try asked.encryption(in: bucket)
        if condition != .none {
            try condition.check(current: try world.store.record(of: path)?.etag, key: path.key)
        }
        let intake = try ObjectIntake(request, expectation, byteCount: byteCount, in: world)
        return .receive(intake) {
            let received = try intake.finish()
            // What was put for the bucket while the body came counts too.
            let bucket = world.store.bucket(path.bucket) ?? bucket
            let lock = lock == .none ? try request.writtenLock(self.lock, at: path, in: bucket, nil, world) : lock
            let record = ObjectRecord(
                key: path.key, etag: received.etag(under: encryption), size: byteCount, lastModified: request.now,
                attributes: ObjectAttributes(headers, acl: acl, lock: lock, encryption: encryption).encoded,
                checksum: received.checksum)
            return commit(record, received.body, encryption, asked.customerKey, in: bucket, world)
        }
    }

    private func commit(
        _ record: ObjectRecord, _ body: any StagedBody, _ encryption: ObjectEncryption, _ key: CustomerKey?,
        in bucket: BucketRecord, _ world: World
    ) -> Step {
        .commit { completion in
            let announcement = world.announcement(of: .named(.objectCreatedPut), at: path, in: bucket, by: request)
            world.store.commitPut(
                record, in: path.bucket, body: body, condition: condition.commitCondition, announcing: announcement
            ) { result in
                completion(
                    Result {
                        let record = try result.mapError { $0.answer(at: path, condition) }.get()
                        var response = Self.response(record, at: path, in: bucket)
                        response.add(encryption, key)
                        try response.addExpiration(of: record, in: bucket)
                        return Changed(response, wrote: .init(record, at: path))
                    })
            }
        }
    }

    private static func response(
        _ record: ObjectRecord, at path: ObjectPath, in bucket: BucketRecord
    ) -> HTTPResponse {
        var response = HTTPResponse(.ok)
        response.add("ETag") { $0.append(quoting: record.etag) }
        record.checksum.map { checksum in response.withFieldLines { checksum.appendFieldLines(to: &$0) } }
        // As S3 does: of the version called null, a PUT does not tell.
        if !record.isNull { response.addVersion(of: record, at: path, in: bucket) }
        return response
    }
}

extension ObjectHeaders {
    /// Throws 501 for what would have to change the object or its bucket, and is not built.
    func refuseUnbuilt(_ fields: RequestFields) throws(S3Error) {
        guard fields.first("x-amz-write-offset-bytes") != nil else { return }
        throw S3Error(.notImplemented, elements: [.init("Header", "x-amz-write-offset-bytes")])
    }
}

extension WriteCondition {
    /// As the store judges it when the write's turn comes.
    var commitCondition: CommitCondition? {
        switch self {
        case .none: nil
        case .absent: .ifNoneMatchAny
        case .matches(let etag): .ifMatch(etag)
        }
    }
}

extension [UInt8] {
    /// Appends the tag in quotes.
    mutating func append(quoting etag: ETag) {
        append(UInt8(ascii: "\""))
        append(contentsOf: etag.text.utf8)
        append(UInt8(ascii: "\""))
    }
}

extension StoreError {
    /// What the client of a conditional write is told; other failures go to the one mapper.
    func answer(at path: ObjectPath, _ condition: WriteCondition) -> any Error {
        switch self {
        case .preconditionFailed:
            S3Error.preconditionFailed(condition == .absent ? "If-None-Match" : "If-Match")
        case .noSuchObject: S3Error.noSuchKey(path.key)
        case .noSuchBucket: S3Error.noSuchBucket(path.bucket)
        default: self
        }
    }
}
