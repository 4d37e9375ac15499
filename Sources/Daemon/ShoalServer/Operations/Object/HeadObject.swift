import ShoalHTTP
import ShoalS3
import ShoalStore

/// `HEAD /{bucket}/{key}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
struct HeadObject: Operation {
    private let read: ObjectRead

    init(_ request: S3Request) throws(S3Error) { read = try ObjectRead(request) }

    func start(in world: World) throws -> Step {
        let place = try read.place(in: world)
        if let version = place.version {
            return .look { [read] in
                let record = try read.version(version, in: world)
                return try Self.answer(read, place, record, try read.parts(of: record, in: world))
            }
        }
        guard let record = try world.store.current(read.path) else { throw S3Error.noSuchKey(read.path.key) }
        guard !record.isDeleteMarker else { throw S3Error.deleteMarker(record, at: read.path) }
        guard read.needsParts(of: record) else { return .answer(try Self.answer(read, place, record, [])) }
        return .look { [read] in try Self.answer(read, place, record, try read.parts(of: record, in: world)) }
    }

    private static func answer(
        _ read: ObjectRead, _ place: ObjectRead.Place, _ record: ObjectRecord, _ parts: [PartRecord]
    ) throws -> HTTPResponse {
        var answer = try read.answer(for: record, in: place.bucket, parts: parts)
        if let bytes = answer.bytes { answer.response.length = .declared(UInt64(bytes.count)) }
        return answer.response
    }
}
