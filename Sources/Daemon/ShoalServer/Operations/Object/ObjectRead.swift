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

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        path = try request.path
        if let version = request.route.query.first("versionId"), !version.elementsEqual("null".utf8) {
            throw .invalidArgument(
                "Invalid version id specified", name: "versionId", value: String(decoding: version, as: UTF8.self))
        }
        conditions = ReadConditions(request.fields)
        overrides = try ResponseOverrides(request.route.query, isAnonymous: request.caller == nil)
        returnsChecksum = try Checksum.isRequested(by: request.fields)
        partNumber = try PartNumber.named(in: request.route.query)
    }

    /// What is sent of an object, with the head that goes before it.
    struct Answer {
        var response: HTTPResponse
        /// Nil if no body goes with it.
        let bytes: Range<UInt64>?
    }

    func checkBucket(in world: World) throws(S3Error) { _ = try world.bucket(path.bucket, for: request) }

    /// The answer for an object that exists. Throws 412, 416 and their like.
    func answer(for record: ObjectRecord) throws(S3Error) -> Answer {
        let attributes = ObjectAttributes(record)
        switch conditions.verdict(etag: record.etag, lastModified: record.lastModified, now: request.now) {
        case .proceed: break
        case .failed(let condition): throw .preconditionFailed(condition)
        case .notModified:
            var response = HTTPResponse(.notModified)
            addIdentity(of: record, to: &response)
            response.withFieldLines { attributes.metadata.appendNotModifiedFieldLines(to: &$0) }
            return Answer(response: response, bytes: nil)
        }
        let range = try selection(of: record)
        let bytes = range ?? 0..<record.size
        var response = HTTPResponse(range == nil ? .ok : .partialContent)
        addIdentity(of: record, to: &response)
        response.add("accept-ranges", "bytes")
        response.withFieldLines { attributes.metadata.appendFieldLines(to: &$0, overrides: overrides) }
        if attributes.storageClass != .standard {
            response.add("x-amz-storage-class", attributes.storageClass.rawValue)
        }
        response.add("x-amz-server-side-encryption", "AES256")
        if range != nil { addContentRange(bytes, of: record.size, to: &response) }
        if returnsChecksum, bytes.count == record.size, let checksum = record.checksum {
            response.withFieldLines { checksum.appendFieldLines(to: &$0) }
        }
        return Answer(response: response, bytes: bytes)
    }

    private func selection(of record: ObjectRecord) throws(S3Error) -> Range<UInt64>? {
        let range = try ByteRange.selection(
            request.fields, of: record.size, etag: record.etag, lastModified: record.lastModified)
        guard let partNumber else { return range }
        // An object that was uploaded in one piece has one part, and asking for it is a 206.
        guard partNumber.value == 1 else {
            throw S3Error(
                .invalidPartNumber,
                elements: [
                    .init("PartNumberRequested", String(partNumber.value)), .init("ActualPartCount", "1"),
                ])
        }
        return 0..<record.size
    }

    private func addIdentity(of record: ObjectRecord, to response: inout HTTPResponse) {
        response.add("Last-Modified") { record.lastModified.appendHTTPDate(to: &$0) }
        response.add("ETag") { $0.append(quoting: record.etag) }
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
