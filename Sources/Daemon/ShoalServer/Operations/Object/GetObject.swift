import ShoalHTTP
import ShoalS3
import ShoalStore

/// `GET /{bucket}/{key}`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
struct GetObject: Operation {
    private let read: ObjectRead

    init(_ request: S3Request) throws(S3Error) { read = try ObjectRead(request) }

    func start(in world: World) throws -> Step {
        let place = try read.place(in: world)
        if place.version != nil { return .look { [read] in try Self.open(read, place, in: world) } }
        switch try world.store.openIfWhole(read.path) {
        case nil: throw S3Error.noSuchKey(read.path.key)
        case .deleted(let marker): throw S3Error.deleteMarker(marker, at: read.path)
        case .open(let record, let file): return .answer(try Self.answer(read, place, record, file, []))
        case .assembled: return .look { [read] in try Self.open(read, place, in: world) }
        }
    }

    /// For what may wait on the disk: older versions, and objects that were put together from parts.
    private static func open(_ read: ObjectRead, _ place: ObjectRead.Place, in world: World) throws -> HTTPResponse {
        let opened =
            if let version = place.version {
                try world.store.openObject(read.path, version: version)
            } else {
                try world.store.openObject(read.path)
            }
        guard let (record, file) = opened else {
            // Which of them is missing, the version or what it holds.
            if let version = place.version { _ = try read.version(version, in: world) }
            throw S3Error.noSuchKey(read.path.key)
        }
        return try answer(read, place, record, file, try read.parts(of: record, in: world))
    }

    private static func answer(
        _ read: ObjectRead, _ place: ObjectRead.Place, _ record: ObjectRecord, _ file: any BodyFile,
        _ parts: [PartRecord]
    ) throws -> HTTPResponse {
        var answer = try read.answer(for: record, in: place.bucket, parts: parts)
        if let bytes = answer.bytes, !bytes.isEmpty {
            answer.response.body = .file(BodySlice(file: file, bytes: bytes, objectByteCount: record.size))
        }
        return answer.response
    }
}

/// Some bytes of a stored body, kept open while they are sent.
private struct BodySlice: FileSlice {
    let file: any BodyFile
    let bytes: Range<UInt64>
    let objectByteCount: UInt64

    var place: (start: UInt64, whole: UInt64) { (bytes.lowerBound, objectByteCount) }

    var byteCount: UInt64 { UInt64(bytes.count) }

    func run(at position: UInt64) throws -> FileRun {
        let run = try file.run(at: bytes.lowerBound + position)
        return FileRun(
            descriptor: run.descriptor, offset: run.offset, byteCount: min(run.byteCount, byteCount - position))
    }
}
