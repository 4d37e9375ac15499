import ShoalHTTP
import ShoalS3
import ShoalSigV4
import ShoalStore

/// `PUT /{bucket}/{key}?partNumber=&uploadId=`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html
struct UploadPart: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let id: UploadID
    private let number: PartNumber
    private let byteCount: UInt64
    private let expectation: ChecksumExpectation
    private let customerKey: CustomerKey?

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        id = try request.uploadID()
        guard let number = try PartNumber.named(in: request.route.query) else { throw S3Error(.invalidRequest) }
        self.number = number
        customerKey = try CustomerKey.named(in: request.fields)
        expectation = try ChecksumExpectation(request.head)
        byteCount = try UploadLength.payloadByteCount(of: request.head, request.payload)
    }

    func start(in world: World) throws -> Step {
        _ = try world.bucket(path.bucket, for: request)
        let upload = try world.upload(id, at: path)
        let encryption = upload.attributes.object.encryption
        try encryption.checkPart(with: customerKey)
        try upload.attributes.checksum?.check(part: expectation)
        let stored = MultipartChecksum.partAlgorithm(of: upload.attributes.checksum)
        let intake = try ObjectIntake(
            request, expectation, byteCount: byteCount, storing: stored, expectedDigest: .asSent, in: world)
        return .receive(intake) {
            let received = try intake.finish()
            let part = PartRecord(
                number: number.value, etag: received.etag(under: encryption), size: byteCount,
                lastModified: request.now,
                checksum: received.checksum)
            // What the client did not ask for it is not told.
            let shown =
                expectation.source == .none && upload.attributes.checksum == nil
                ? nil : expectation.source == .none ? received.checksum : received.comparedChecksum
            return commit(part, received.body, of: upload, showing: shown, in: world)
        }
    }

    private func commit(
        _ part: PartRecord, _ body: any StagedBody, of upload: MultipartUpload, showing checksum: Checksum?,
        in world: World
    ) -> Step {
        .commit { completion in
            world.store.commitPart(part, of: upload.record.number, in: path.bucket, body: body) { result in
                completion(
                    result.mapError { $0.answer(to: id, in: path.bucket) }.map { part in
                        var response = HTTPResponse(.ok)
                        response.add("ETag") { $0.append(quoting: part.etag) }
                        if let checksum { response.add(name: checksum.algorithm.headerName, value: checksum.text) }
                        response.add(upload.attributes.object.encryption, customerKey)
                        return Changed(response, wrote: .init(part))
                    })
            }
        }
    }
}
