import ShoalCrypto
import ShoalHTTP
import ShoalS3
import ShoalSigV4
import ShoalStore

/// `POST /{bucket}/{key}?uploadId=`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
struct CompleteMultipartUpload: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let id: UploadID
    private let body: DocumentSink
    private let condition: WriteCondition

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        id = try request.uploadID()
        condition = try WriteCondition(request.fields)
        // Its checksum headers are about the object, not about the document.
        body = try DocumentSink(request, checksFields: false)
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(path.bucket, for: request)
        return .receive(body) {
            let document = try body.document()
            return .write { [request, path, id, condition] in
                let completion = try UploadCompletion(
                    of: id, at: path, in: bucket, document, if: condition, for: request, in: world)
                return try completion.run(in: world)
            }
        }
    }
}

/// The part of a completion that waits for the disk.
private struct UploadCompletion: Sendable {
    let request: S3Request
    let bucket: BucketRecord
    let path: ObjectPath
    let id: UploadID
    let parts: CompletedMultipartUpload
    let condition: WriteCondition

    /// Throws 404 `NoSuchUpload` before it reads the list, and what the list gets.
    init(
        of id: UploadID, at path: ObjectPath, in bucket: BucketRecord, _ document: [UInt8],
        if condition: WriteCondition, for request: S3Request, in world: World
    ) throws {
        if world.openUpload(id, at: path) == nil { _ = try world.completedUpload(id, at: path) }
        parts = try CompletedMultipartUpload(document)
        try parts.checkOrder(uploadID: id.text)
        self.request = request
        self.bucket = bucket
        self.path = path
        self.id = id
        self.condition = condition
    }

    /// Plans made anew because a part was replaced meanwhile.
    private static let planCountMax = 8

    func run(in world: World) throws -> Changed {
        for _ in 0..<Self.planCountMax {
            guard let upload = world.openUpload(id, at: path) else { return try repeated(in: world) }
            do {
                return try complete(upload, in: world)
            } catch StoreError.noSuchUpload {
                return try repeated(in: world)
            } catch StoreError.partChanged {
                continue
            } catch StoreError.overtaken {
                throw S3Error(
                    .conditionalRequestConflict,
                    elements: [
                        .init("Condition", condition == .absent ? "If-None-Match" : "If-Match"),
                        .init("Key", path.key.description),
                    ])
            } catch let error as StoreError {
                throw error.answer(at: path, condition)
            }
        }
        throw S3Error(.operationAborted)
    }

    private func complete(_ upload: MultipartUpload, in world: World) throws -> Changed {
        let number = upload.record.number
        var attributes = upload.attributes.object
        // What was put for the bucket since the upload began counts too.
        let bucket = world.store.bucket(path.bucket) ?? bucket
        if let configuration = try BucketSettings(bucket).objectLock {
            attributes.lock = try attributes.lock.completed(by: configuration, at: request.now)
        }
        attributes.details.completed = request.now
        attributes.details.listsPartChecksums =
            upload.attributes.checksum?.kind == .fullObject && parts.parts.allSatisfy { !$0.checksums.isEmpty }
        try upload.attributes.checkCompletion(with: try CustomerKey.named(in: request.fields))
        let stored = try world.store.parts(of: number, after: 0, limit: PartNumber.valueMax)
        let plan = try MultipartAssembly.plan(
            parts, stored: stored.compactMap(UploadedPart.init), upload: upload.attributes.checksum,
            fields: request.fields, uploadID: upload.id)
        // Of bytes under a customer's key S3 keeps only a checksum that was asked for.
        let isUnasked = upload.attributes.checksum == nil && attributes.encryption.isCustomers
        let checksum = isUnasked ? nil : plan.checksum
        let object = ObjectRecord(
            key: path.key, etag: plan.etag, size: plan.size, lastModified: upload.record.initiated,
            attributes: attributes.encoded, checksum: checksum)
        let document = CompleteMultipartUploadResult(
            location: CompleteMultipartUploadResult.location(of: path.key, in: request.bucketURL), bucket: path.bucket,
            key: path.key, etag: plan.etag, checksum: checksum
        ).document
        let chosen = Set(plan.parts.map(\.number.value))
        let written = try world.store.completeUpload(
            number, as: object, in: path.bucket, parts: stored.filter { chosen.contains($0.number) },
            condition: condition.commitCondition, result: fingerprint + document,
            announcing: world.announcement(
                of: .named(.objectCreatedCompleteMultipartUpload), at: path, in: bucket, by: request))
        var response = HTTPResponse.xml(document)
        response.add(attributes.encryption, nil)
        try response.addExpiration(of: written, in: bucket)
        if !written.isNull { response.add("x-amz-version-id", VersionID.text(of: written.version, at: path)) }
        return Changed(response, wrote: .init(written, at: path))
    }

    /// The same completion again gets the same answer. Throws 404 `NoSuchUpload` for any other.
    private func repeated(in world: World) throws -> Changed {
        let completed = try world.completedUpload(id, at: path)
        guard completed.result.starts(with: fingerprint) else { throw id.notFound }
        var response = HTTPResponse.xml(Array(completed.result.dropFirst(fingerprint.count)))
        response.add(UploadAttributes(completed.upload.attributes).object.encryption, nil)
        return Changed(response, isRepeated: true)
    }

    /// The SHA-256 of what the request asks for, so that a repetition is told from another completion.
    private var fingerprint: [UInt8] {
        var text: [UInt8] = []
        for part in parts.parts { text += "\(part.number.value) \(part.etag.text)\n".utf8 }
        return Digest.of(text, .sha256)
    }
}

extension World {
    /// Throws 404 `NoSuchUpload` unless it was completed, of this bucket and key and not long ago. Blocking.
    fileprivate func completedUpload(_ id: UploadID, at path: ObjectPath) throws -> CompletedUpload {
        guard let number = id.number, let completed = try store.completedUpload(number, in: path.bucket),
            UploadID(of: completed.upload, in: path.bucket).text == id.text, completed.upload.key == path.key
        else { throw id.notFound }
        return completed
    }
}

extension S3Request {
    /// The URL of the bucket as this client writes it.
    var bucketURL: String {
        let host = String(decoding: head.first("host") ?? [], as: UTF8.self)
        guard route.style == .path, let bucket = route.bucket else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host)/\(bucket.text)"
    }
}
