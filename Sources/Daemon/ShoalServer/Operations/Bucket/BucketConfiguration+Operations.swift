import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}?…`
struct GetBucketConfiguration: Operation {
    private let request: S3Request
    private let configuration: BucketConfiguration

    init(_ request: S3Request, _ configuration: BucketConfiguration) {
        self.request = request
        self.configuration = configuration
    }

    func start(in world: World) throws -> Step {
        let settings = BucketSettings(try world.bucket(try request.bucket, for: request))
        if let document = settings[configuration.subResource] {
            guard document.isEmpty, let dropped = configuration.dropped else { return answer(document) }
            throw error(dropped)
        }
        switch configuration.unset {
        case .document(let document): return answer(document)
        case .error(let code): throw error(code)
        }
    }

    private func error(_ code: S3Error.Code) -> S3Error {
        S3Error(code, elements: request.route.bucket.map { [.init("BucketName", $0.text)] } ?? [])
    }

    private func answer(_ document: [UInt8]) -> Step {
        var response = HTTPResponse(.ok, body: .bytes(document))
        if let type = configuration.contentType { response.add("Content-Type", type) }
        return .answer(response)
    }
}

/// `DELETE /{bucket}?…`
struct DeleteBucketConfiguration: Operation {
    private let request: S3Request
    private let configuration: BucketConfiguration

    init(_ request: S3Request, _ configuration: BucketConfiguration) {
        self.request = request
        self.configuration = configuration
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request).name
        let configuration = configuration
        return .change {
            // An empty document tells what was dropped from what was never set.
            try world.change(bucket) { $0[configuration.subResource] = configuration.dropped == nil ? nil : [] }
            return HTTPResponse(.noContent)
        }
    }
}

extension S3Error {
    fileprivate static let settingsTooLarge = S3Error(
        .invalidRequest,
        "All configurations of a bucket together have at most \(BucketSettings.byteCountMax) bytes here. Drop one first."
    )
}

extension World {
    /// Blocking. Throws 404 `NoSuchBucket`.
    func change(
        _ bucket: BucketName, announcing messages: [OutboxMessage] = [],
        _ change: @escaping @Sendable (inout BucketSettings) -> Void
    ) throws {
        try update(bucket, announcing: messages) { (_, settings) in change(&settings) }
    }

    /// The same where the rest of the bucket has a say. Throws what `change` throws.
    func update(
        _ bucket: BucketName, announcing messages: [OutboxMessage] = [],
        _ change: @escaping @Sendable (inout BucketRecord, inout BucketSettings) throws(S3Error) -> Void
    ) throws {
        do throws(StoreError) {
            try store.updateBucket(bucket, announcing: messages) { (record) throws(StoreError) in
                var settings = BucketSettings(record)
                try StoreError.refusing { () throws(S3Error) in try change(&record, &settings) }
                let encoded = settings.encoded
                guard encoded.count <= BucketSettings.byteCountMax else { throw .refused(.settingsTooLarge) }
                record.settings = encoded
            }
        } catch .noSuchBucket {
            throw S3Error.noSuchBucket(bucket)
        }
    }
}
