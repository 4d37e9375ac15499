import ShoalHTTP
import ShoalS3
import ShoalStore

/// What GetObject and HeadObject have in common: the same headers, conditions and ranges.
struct ObjectRead {
    let path: ObjectPath
    private let request: S3Request
    private let conditions: ReadConditions
    private let overrides: ResponseOverrides
    private let returnsChecksum: Bool
    private let partNumber: PartNumber?
    private let customerKey: CustomerKey?
    private let namesVersion: Bool

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        conditions = ReadConditions(request.fields)
        overrides = try ResponseOverrides(request.route.query, isAnonymous: request.caller == nil)
        returnsChecksum = try Checksum.isRequested(by: request.fields)
        partNumber = try PartNumber.named(in: request.route.query)
        try ObjectEncryption.checkNotNamed(in: request.fields)
        customerKey = try CustomerKey.named(in: request.fields, .reading)
        namesVersion = request.route.query.first("versionId") != nil
    }

    /// What is sent of an object, with the head that goes before it.
    struct Answer {
        var response: HTTPResponse
        /// Nil if no body goes with it.
        let bytes: Range<UInt64>?
    }

    /// Where the object is looked for, and which of its versions is asked for; nil for the current one.
    struct Place {
        let bucket: BucketRecord
        let version: ObjectVersion?
    }

    func place(in world: World) throws(S3Error) -> Place {
        let bucket = try world.bucket(path.bucket, for: request)
        return Place(bucket: bucket, version: try request.version(in: bucket))
    }

    /// Throws 404 `NoSuchVersion`, and 405 for a delete marker that was named.
    func version(_ version: ObjectVersion, in world: World) throws -> ObjectRecord {
        try world.record(of: path, version, for: request)
    }

    /// Whether the answer cannot be made without the parts the object was put together from.
    func needsParts(of record: ObjectRecord) -> Bool { partNumber != nil && record.upload != nil }

    /// Them, if the answer needs them. Blocking if it does.
    func parts(of record: ObjectRecord, in world: World) throws -> [PartRecord] {
        guard needsParts(of: record), let upload = record.upload else { return [] }
        return try world.store.parts(of: upload, after: 0, limit: PartNumber.valueMax)
    }

    /// The answer for an object that exists; `parts` are those it was put together from if `needsParts` says so. Throws
    /// 412, 416 and their like.
    func answer(
        for record: ObjectRecord, in bucket: BucketRecord, parts: [PartRecord] = []
    ) throws(S3Error) -> Answer {
        let attributes = ObjectAttributes(record)
        try attributes.encryption.checkReading(with: customerKey)
        if request.head.method != .head { try attributes.archive.checkReading(at: request.now) }
        switch conditions.verdict(etag: record.etag, lastModified: record.lastModified, now: request.now) {
        case .proceed: break
        case .failed(let condition): throw .preconditionFailed(condition)
        case .notModified:
            var response = HTTPResponse(.notModified)
            addIdentity(of: record, in: bucket, to: &response)
            response.withFieldLines { attributes.metadata.appendNotModifiedFieldLines(to: &$0) }
            return Answer(response: response, bytes: nil)
        }
        let (range, part) = try selection(of: record, parts)
        let bytes = range ?? 0..<record.size
        var response = HTTPResponse(range == nil ? .ok : .partialContent)
        addIdentity(of: record, in: bucket, to: &response)
        response.add("accept-ranges", "bytes")
        response.withFieldLines { attributes.metadata.appendFieldLines(to: &$0, overrides: overrides) }
        if attributes.storageClass != .standard {
            response.add("x-amz-storage-class", attributes.storageClass.rawValue)
            response.withFieldLines { attributes.archive.appendFieldLine(to: &$0, at: request.now) }
        }
        response.add(attributes.encryption, customerKey)
        if !namesVersion { try response.addExpiration(of: record, in: bucket) }
        if attributes.lock != .none { response.withFieldLines { attributes.lock.appendFieldLines(to: &$0) } }
        if range != nil { addContentRange(bytes, of: record.size, to: &response) }
        if !attributes.tags.tags.isEmpty { response.add("x-amz-tagging-count", "\(attributes.tags.tags.count)") }
        if let part {
            response.add("x-amz-mp-parts-count", "\(parts.count)")
            // A composite checksum is made of what was listed.
            let isListed = record.checksum?.kind == .composite || attributes.details.listsPartChecksums
            if returnsChecksum, isListed, let checksum = part.checksum {
                response.add(name: checksum.algorithm.headerName, value: checksum.text)
                response.add("x-amz-checksum-type", record.checksum?.kind.rawValue ?? checksum.kind.rawValue)
            }
        } else if returnsChecksum, bytes.count == record.size, let checksum = record.checksum {
            response.withFieldLines { checksum.appendFieldLines(to: &$0) }
        }
        return Answer(response: response, bytes: bytes)
    }

    /// The bytes asked for, nil for all of them, and the part if one of several was asked for.
    private func selection(
        of record: ObjectRecord, _ parts: [PartRecord]
    ) throws(S3Error) -> (range: Range<UInt64>?, part: PartRecord?) {
        let range = try ByteRange.selection(
            request.fields, of: record.size, etag: record.etag, lastModified: record.lastModified)
        guard let partNumber else { return (range, nil) }
        // An object that was uploaded in one piece has one part, and asking for it is a 206.
        if parts.isEmpty, partNumber.value == 1 { return (0..<record.size, nil) }
        // Parts are numbered anew in the object: whoever left numbers out finds them closed up.
        guard partNumber.value <= parts.count else {
            throw S3Error(
                .invalidPartNumber,
                elements: [
                    .init("PartNumberRequested", String(partNumber.value)),
                    .init("ActualPartCount", String(max(parts.count, 1))),
                ])
        }
        let start = parts.prefix(partNumber.value - 1).reduce(0) { $0 + $1.size }
        let part = parts[partNumber.value - 1]
        return (start..<(start + part.size), part)
    }

    private func addIdentity(of record: ObjectRecord, in bucket: BucketRecord, to response: inout HTTPResponse) {
        response.add("Last-Modified") { record.lastModified.appendHTTPDate(to: &$0) }
        response.add("ETag") { $0.append(quoting: record.etag) }
        response.addVersion(of: record, at: path, in: bucket)
    }

    private func addContentRange(_ bytes: Range<UInt64>, of size: UInt64, to response: inout HTTPResponse) {
        guard size > 0 else { return }
        response.add("Content-Range") { line in
            line.append(contentsOf: "bytes ".utf8)
            line.appendDecimal(bytes.lowerBound)
            line.append(UInt8(ascii: "-"))
            line.appendDecimal(bytes.upperBound - 1)
            line.append(UInt8(ascii: "/"))
            line.appendDecimal(size)
        }
    }
}
