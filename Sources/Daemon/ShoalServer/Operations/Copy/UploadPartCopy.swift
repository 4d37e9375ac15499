import ShoalHTTP
import ShoalS3
import ShoalStore

/// `PUT /{bucket}/{key}?partNumber=&uploadId=` with `x-amz-copy-source`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html
struct UploadPartCopy: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let id: UploadID
    private let number: PartNumber
    private let source: CopySource

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        id = try request.uploadID()
        guard let number = try PartNumber.named(in: request.route.query) else { throw S3Error(.invalidRequest) }
        self.number = number
        source = try CopySource.named(in: request.fields)
    }

    func start(in world: World) throws -> Step {
        _ = try world.bucket(path.bucket, for: request)
        let original = try CopyOriginal(source, for: request, in: world)
        let upload = try world.upload(id, at: path)
        let customerKey = try CustomerKey.named(in: request.fields)
        try upload.attributes.object.encryption.checkPart(with: customerKey)
        let copy = PartCopy(
            path: path, id: id, number: number, source: original, upload: upload, customerKey: customerKey)
        return .longWrite { [request] in try copy.run(for: request, in: world) }
    }
}

/// The part of it that waits for the disk.
private struct PartCopy: Sendable {
    let path: ObjectPath
    let id: UploadID
    let number: PartNumber
    let source: CopyOriginal
    let upload: MultipartUpload
    let customerKey: CustomerKey?

    func run(for request: S3Request, in world: World) throws -> Changed {
        let (original, file) = try source.open(if: CopyConditions(request.fields), at: request.now, in: world)
        let range = try CopySourceRange.named(in: request.fields, ofSize: original.size) ?? 0..<original.size
        try CopySource.check(byteCount: UInt64(range.count))
        let (checksum, encryption) = (upload.attributes.checksum, upload.attributes.object.encryption)
        let copy = try BodyCopy(of: file, range, checksum: MultipartChecksum.partAlgorithm(of: checksum), in: world)
        let part = PartRecord(
            number: number.value, etag: encryption.etag(ofMD5: copy.md5), size: UInt64(range.count),
            lastModified: request.now,
            checksum: copy.checksum)
        do throws(StoreError) {
            _ = try world.store.put(part, of: upload.record.number, in: path.bucket, body: copy.body)
        } catch {
            throw error.answer(to: id, in: path.bucket)
        }
        var response = HTTPResponse.xml(
            CopyPartResult(
                lastModified: request.now, etag: part.etag, checksum: checksum == nil ? nil : copy.checksum
            ).document)
        response.add(encryption, customerKey)
        source.addVersion(of: original, to: &response)
        return Changed(response, wrote: .init(part))
    }
}
