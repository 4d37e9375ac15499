import ShoalCrypto
import ShoalS3
import ShoalStore

/// An open upload as the server knows it.
struct MultipartUpload {
    let record: UploadRecord
    let attributes: UploadAttributes
    /// The `uploadId` of its requests.
    let id: String
}

extension World {
    /// The upload a request names. Throws 404 `NoSuchUpload` unless it is open and of this bucket and key.
    func upload(_ id: UploadID, at path: ObjectPath) throws(S3Error) -> MultipartUpload {
        guard let upload = openUpload(id, at: path) else { throw id.notFound }
        return upload
    }

    /// The same; nil unless it is open and of this bucket and key.
    func openUpload(_ id: UploadID, at path: ObjectPath) -> MultipartUpload? {
        guard let number = id.number, let record = store.upload(number, in: path.bucket),
            UploadID(of: record, in: path.bucket).text == id.text, record.key == path.key
        else { return nil }
        return MultipartUpload(record: record, attributes: UploadAttributes(record.attributes), id: id.text)
    }

    /// The upload of this bucket and key that the id was given to, be it open or ended; nil for an id that was never
    /// given, and where the end was so long ago that the store forgot it. Blocking.
    func knownUpload(_ id: UploadID, at path: ObjectPath) throws(StoreError) -> UploadRecord? {
        guard let number = id.number else { return nil }
        var record = store.upload(number, in: path.bucket) ?? store.endedUpload(number, in: path.bucket)
        if record == nil { record = try store.completedUpload(number, in: path.bucket)?.upload }
        guard let record, UploadID(of: record, in: path.bucket).text == id.text, record.key == path.key else {
            return nil
        }
        return record
    }
}

/// The `uploadId` of an upload: its number, then a digest of what it is of, so that an id of another store, bucket or key
/// names nothing here. 80 hexadecimal digits.
struct UploadID {
    let text: String

    private static let numberByteCount = 8

    init(_ text: String) { self.text = text }

    init(of upload: UploadRecord, in bucket: BucketName) {
        let number = withUnsafeBytes(of: upload.number.value.bigEndian) { Array($0) }
        let initiated = withUnsafeBytes(of: upload.initiated.milliseconds.bigEndian) { Array($0) }
        let identity = number + initiated + Array("\(bucket.text)/".utf8) + upload.key.bytes
        text = Hexadecimal.string(number + Digest.of(identity, .sha256))
    }

    /// The upload it may be of; nil for what cannot be one.
    var number: UploadNumber? {
        guard let bytes = Hexadecimal.decode(Array(text.utf8)), bytes.count == Self.numberByteCount + 32 else {
            return nil
        }
        return UploadNumber(bytes.prefix(Self.numberByteCount).reduce(0) { $0 << 8 | UInt64($1) })
    }

    var notFound: S3Error { .noSuchUpload(text) }
}

extension S3Request {
    /// The `uploadId` of a request that has one. Throws 404 `NoSuchUpload` for what can be none.
    func uploadID() throws(S3Error) -> UploadID { UploadID(try UploadIDParameter.named(in: route.query)) }
}

/// What the server keeps in `UploadRecord.attributes`: the checksum the upload was begun with, then what its object is to
/// have.
///
/// ```
/// algorithm: 1        0 for none, else one more than its place in `ChecksumAlgorithm.allCases`
/// type: 1             0 for FULL_OBJECT, 1 for COMPOSITE, 128 more if somebody else than the bucket's owner began it
/// initiator           only then: the length of the canonical id: 1, and the id
/// object attributes   as `ObjectAttributes` encodes them
/// ```
struct UploadAttributes {
    let checksum: MultipartChecksum?
    /// Canonical id of who began it; nil for the bucket's owner.
    var initiatorID: String?
    var object: ObjectAttributes

    private static let initiatorFlag: UInt8 = 0x80
    /// Part of the format on disk, so an algorithm keeps its place.
    private static let algorithms = ChecksumAlgorithm.allCases

    init(checksum: MultipartChecksum?, object: ObjectAttributes) {
        self.checksum = checksum
        self.object = object
    }

    init(_ bytes: [UInt8]) {
        let (algorithm, flags) = (bytes.first ?? 0, bytes.dropFirst().first ?? 0)
        let kind = flags & ~Self.initiatorFlag
        checksum =
            algorithm == 0 || Int(algorithm) > Self.algorithms.count
            ? nil
            : MultipartChecksum(stored: Self.algorithms[Int(algorithm) - 1], kind == 0 ? .fullObject : .composite)
        var rest = bytes.dropFirst(2)
        if flags & Self.initiatorFlag != 0 {
            let count = Int(rest.popFirst() ?? 0)
            initiatorID = String(decoding: rest.prefix(count), as: UTF8.self)
            rest = rest.dropFirst(count)
        }
        object = ObjectAttributes(encoded: Array(rest))
    }

    /// A completion needs the customer's key of its upload only where checksums are looked at. Throws 400
    /// `InvalidRequest` for a missing and for another one.
    func checkCompletion(with key: CustomerKey?) throws(S3Error) {
        guard key != nil || checksum != nil else { return }
        try object.encryption.checkPart(with: key)
    }

    var encoded: [UInt8] {
        let place = checksum.flatMap { Self.algorithms.firstIndex(of: $0.algorithm) }
        var bytes: [UInt8] = [place.map { UInt8($0 + 1) } ?? 0, checksum?.kind == .composite ? 1 : 0]
        if let id = initiatorID.map({ Array($0.utf8.prefix(255)) }) {
            bytes[1] |= Self.initiatorFlag
            bytes.append(UInt8(id.count))
            bytes += id
        }
        return bytes + object.encoded
    }
}

extension World {
    /// Who began an upload, and whose the object will be, in a bucket of that owner.
    func people(of upload: UploadAttributes, inBucketOf owner: Owner) -> (initiator: Owner, owner: Owner) {
        (
            upload.initiatorID.map { accounts.owner(id: $0) } ?? owner,
            upload.object.acl.map { accounts.owner(id: $0.owner.id) } ?? owner
        )
    }
}

extension UploadedPart {
    init?(_ part: PartRecord) {
        guard let number = PartNumber(part.number) else { return nil }
        self.init(
            number: number, etag: part.etag, size: part.size, lastModified: part.lastModified, checksum: part.checksum)
    }
}

extension StoreError {
    /// What the client of a change of an upload is told; other failures go to the one mapper.
    func answer(to id: UploadID, in bucket: BucketName) -> any Error {
        switch self {
        case .noSuchUpload: id.notFound
        case .noSuchBucket: S3Error.noSuchBucket(bucket)
        default: self
        }
    }
}
