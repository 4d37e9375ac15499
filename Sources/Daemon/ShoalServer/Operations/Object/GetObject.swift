import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}/{key}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
struct GetObject: Operation {
    private let read: ObjectRead

    init(_ request: S3Request) throws(S3Error) { read = try ObjectRead(request) }

    func start(in world: World) throws -> Step {
        try read.checkBucket(in: world)
        guard let (record, file) = try world.store.openObject(read.path) else { throw S3Error.noSuchKey(read.path.key) }
        var answer = try read.answer(for: record)
        if let bytes = answer.bytes, !bytes.isEmpty {
            answer.response.body = .file(BodySlice(file: file, bytes: bytes))
        }
        return .answer(answer.response)
    }
}

/// Some bytes of a stored body, kept open while they are sent.
private struct BodySlice: FileSlice {
    let file: any BodyFile
    let bytes: Range<UInt64>

    var byteCount: UInt64 { UInt64(bytes.count) }

    func run(at position: UInt64) throws -> FileRun {
        let run = try file.run(at: bytes.lowerBound + position)
        return FileRun(
            descriptor: run.descriptor, offset: run.offset, byteCount: min(run.byteCount, byteCount - position))
    }
}
