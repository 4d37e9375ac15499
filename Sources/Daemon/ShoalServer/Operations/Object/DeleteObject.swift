import ShoalHTTP
import ShoalS3
import ShoalStore

/// `DELETE /{bucket}/{key}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html
struct DeleteObject: Operation {
    private let request: S3Request
    private let path: ObjectPath
    private let condition: WriteCondition

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        try request.refuseVersion()
        condition = request.fields.first("if-match") == nil ? .none : try WriteCondition(request.fields)
        for header: StaticString in ["x-amz-if-match-last-modified-time", "x-amz-if-match-size"]
        where request.fields.first(header) != nil {
            throw S3Error(.notImplemented, elements: [.init("Header", "\(header)")])
        }
        if request.fields.first("x-amz-bypass-governance-retention") != nil {
            throw .invalidArgument(
                "x-amz-bypass-governance-retention is only applicable to Object Lock enabled buckets.",
                name: "x-amz-bypass-governance-retention", value: nil)
        }
    }

    func start(in world: World) throws -> Step {
        _ = try world.bucket(path.bucket, for: request)
        let storeCondition: CommitCondition? =
            if case .matches(let etag) = condition { .ifMatch(etag) } else { nil }
        return .commit { completion in
            world.store.commitDelete(path, condition: storeCondition) { result in
                completion(result.mapError { $0.answer(at: path, condition) }.map { _ in HTTPResponse(.noContent) })
            }
        }
    }
}
