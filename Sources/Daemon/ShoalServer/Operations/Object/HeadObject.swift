import ShoalHTTP
import ShoalS3

/// `HEAD /{bucket}/{key}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
struct HeadObject: Operation {
    private let read: ObjectRead

    init(_ request: S3Request) throws(S3Error) { read = try ObjectRead(request) }

    func start(in world: World) throws -> Step {
        try read.checkBucket(in: world)
        guard let record = try world.store.record(of: read.path) else { throw S3Error.noSuchKey(read.path.key) }
        var answer = try read.answer(for: record)
        if let bytes = answer.bytes { answer.response.length = .declared(UInt64(bytes.count)) }
        return .answer(answer.response)
    }
}
