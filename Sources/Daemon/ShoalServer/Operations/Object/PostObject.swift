import ShoalHTTP
import ShoalS3
import ShoalSigV4
import ShoalStore

/// `POST /{bucket}` with a form: how a web page uploads without a script.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html
struct PostObject: Operation {
    private let request: S3Request
    private let intake: FormIntake

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        intake = try FormIntake(request)
    }

    /// Where it is stored, the intake knows: the sender's world need not be the one that the head lets expect.
    func start(in _: World) throws -> Step {
        .receive(intake) {
            let (form, received, world) = try intake.finish()
            let upload = try form.upToDate(in: world)
            let record = ObjectRecord(
                key: upload.path.key, etag: received.etag(under: upload.attributes.encryption), size: received.size,
                lastModified: request.now,
                attributes: upload.attributes.encoded,
                checksum: received.checksum)
            let url = CompleteMultipartUploadResult.location(of: upload.path.key, in: request.bucketURL)
            return .commit { completion in
                let announcement = world.announcement(
                    of: .named(.objectCreatedPost), at: upload.path, in: upload.bucket, by: upload.request)
                world.store.commitPut(
                    record, in: upload.path.bucket, body: received.body, condition: nil, announcing: announcement
                ) { result in
                    completion(
                        Result {
                            let record = try result.mapError { $0.answer(at: upload.path, .none) }.get()
                            var response = upload.success.response(for: record, at: upload.path, url: url)
                            response.add(upload.attributes.encryption, upload.customerKey)
                            if !record.isNull {
                                response.addVersion(of: record, at: upload.path, in: upload.bucket)
                            }
                            try response.addExpiration(of: record, in: upload.bucket)
                            return Changed(response, wrote: .init(record, at: upload.path))
                        })
                }
            }
        }
    }
}

/// What the fields of a form ask for, once its sender is known.
struct FormUpload {
    /// On behalf of the form's sender.
    let request: S3Request
    var bucket: BucketRecord
    let path: ObjectPath
    var attributes: ObjectAttributes
    let success: PostSuccess
    let expectation: ChecksumExpectation
    let customerKey: CustomerKey?

    /// Throws what PutObject throws of its headers, and what tags throw.
    init(_ form: PostForm, for request: S3Request, in bucket: BucketRecord, _ world: World) throws {
        self.request = request
        self.bucket = bucket
        path = ObjectPath(bucket: bucket.name, key: try form.key())
        let fields = form.objectFields
        let headers = try ObjectHeaders(form: fields)
        let tags = try form.tags()
        let acl = try request.writtenACL(in: bucket, try RequestedACL.named(in: fields))
        try headers.refuseUnbuilt(fields)
        expectation = try ChecksumExpectation(fields.head)
        let encryption = try EncryptionRequest(fields)
        customerKey = encryption.customerKey
        let lock = try request.writtenLock(
            try ObjectLock.named(in: fields, now: request.now), at: path, in: bucket, expectation, world)
        attributes = ObjectAttributes(
            storageClass: headers.storageClass, metadata: headers.metadata, tags: tags ?? TagSet(stored: []), acl: acl,
            lock: lock, encryption: try encryption.encryption(in: bucket))
        success = PostSuccess(form)
    }
}

extension FormUpload {
    /// The same as the bucket asks for it now: what was put for it while the file came counts too.
    fileprivate func upToDate(in world: World) throws(S3Error) -> FormUpload {
        var upload = self
        upload.bucket = world.store.bucket(path.bucket) ?? bucket
        if attributes.lock == .none {
            upload.attributes.lock = try request.writtenLock(.none, at: path, in: upload.bucket, nil, world)
        }
        return upload
    }
}

extension PostSuccess {
    /// `url` is where the object can be read.
    fileprivate func response(for record: ObjectRecord, at path: ObjectPath, url: String) -> HTTPResponse {
        var response: HTTPResponse
        switch self {
        case .redirect(let page):
            response = HTTPResponse(.seeOther)
            response.add(
                "Location", PostSuccess.location(page, bucket: path.bucket, key: path.key, etag: record.etag))
        case .created:
            response = .xml(
                PostResponse(location: url, bucket: path.bucket, key: path.key, etag: record.etag).document)
            response.status = .created
            response.add("Location", url)
        case .ok, .noContent:
            response = HTTPResponse(self == .ok ? .ok : .noContent)
            response.add("Location", url)
        }
        response.add("ETag") { $0.append(quoting: record.etag) }
        record.checksum.map { checksum in response.withFieldLines { checksum.appendFieldLines(to: &$0) } }
        return response
    }
}
