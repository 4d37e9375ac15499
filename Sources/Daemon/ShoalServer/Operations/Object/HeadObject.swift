import ShoalHTTP
import ShoalS3
import ShoalStore

/// `HEAD /{bucket}/{key}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
struct HeadObject: Operation {
    private let read: ObjectRead

    init(_ request: S3Request) throws(S3Error) { read = try ObjectRead(request) }

    func start(in world: World) throws -> Step {
        try read.checkBucket(in: world)
        guard let record = try world.store.record(of: read.path) else { throw S3Error.noSuchKey(read.path.key) }
        guard read.needsParts(of: record) else { return .answer(try Self.answer(read, record, [])) }
        return .look { [read] in try Self.answer(read, record, try read.parts(of: record, in: world)) }
    }

    private static func answer(
        _ read: ObjectRead, _ record: ObjectRecord, _ parts: [PartRecord]
    ) throws -> HTTPResponse {
        var answer = try read.answer(for: record, parts: parts)
        if let bytes = answer.bytes { answer.response.length = .declared(UInt64(bytes.count)) }
        return answer.response
    }
}
