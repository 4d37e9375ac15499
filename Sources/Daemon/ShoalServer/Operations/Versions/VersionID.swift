import ShoalCrypto
import ShoalHTTP
import ShoalS3
import ShoalStore

/// The id of a version as clients see it: `null`, or 32 letters, digits, dots and underscores made of its place in the
/// store's history and of a digest, so that an id of another bucket or key names nothing here.
enum VersionID {
    private static let numberByteCount = 8
    private static let digestByteCount = 16
    /// Of a well-formed id that was never given.
    private static let unknown = ObjectVersion.number(UInt64(Int64.max))

    static func text(of version: ObjectVersion, at path: ObjectPath) -> String {
        guard case .number(let number) = version else { return VersionIDText.null }
        let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        let hidden = masked(bytes, path)
        let id = Base64.string(hidden + digest(of: bytes, path))
        return String(decoding: id.utf8.map(unusual), as: UTF8.self)
    }

    /// The version an id names. Throws 400 `InvalidArgument` for a malformed one, for any but `null` in a bucket that never
    /// kept versions, and, if `mustBeIssued`, for one that was never given to a version of that key.
    static func version(
        _ text: ArraySlice<UInt8>, at path: ObjectPath, in bucket: BucketRecord, mustBeIssued: Bool = false
    ) throws(S3Error) -> ObjectVersion {
        guard VersionIDText.isWellFormed(text) else { throw invalid(text) }
        if text.elementsEqual(VersionIDText.null.utf8) { return .null }
        guard bucket.versioning != .never else { throw invalid(text) }
        if let version = decode(text, path) { return version }
        if mustBeIssued { throw invalid(text) }
        return unknown
    }

    /// The same for ids that stand among others, where each gets an answer of its own; nil for one that was never given.
    static func decode(_ text: ArraySlice<UInt8>, _ path: ObjectPath) -> ObjectVersion? {
        if text.elementsEqual(VersionIDText.null.utf8) { return .null }
        guard let bytes = Base64.decode(text.map(usual)), bytes.count == numberByteCount + digestByteCount else {
            return nil
        }
        let number = masked(Array(bytes.prefix(numberByteCount)), path)
        guard digest(of: number, path) == Array(bytes.dropFirst(numberByteCount)) else { return nil }
        return .number(number.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private static func invalid(_ text: ArraySlice<UInt8>) -> S3Error {
        .invalidArgument(
            "Invalid version id specified", name: "versionId", value: String(decoding: text, as: UTF8.self))
    }

    private static func digest(of number: [UInt8], _ path: ObjectPath) -> [UInt8] {
        Array(Digest.of(number + name(of: path), .sha256).prefix(digestByteCount))
    }

    /// Its own inverse. Ids of one key would look alike without it.
    private static func masked(_ number: [UInt8], _ path: ObjectPath) -> [UInt8] {
        zip(number, Digest.of(name(of: path), .sha256)).map { $0 ^ $1 }
    }

    private static func name(of path: ObjectPath) -> [UInt8] { Array("\(path.bucket.text)/".utf8) + path.key.bytes }

    /// Base 64 with the two characters that need no escape in a URL.
    private static func unusual(_ byte: UInt8) -> UInt8 {
        byte == UInt8(ascii: "+") ? UInt8(ascii: ".") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
    }

    private static func usual(_ byte: UInt8) -> UInt8 {
        byte == UInt8(ascii: ".") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
    }
}

extension World {
    /// The version a request names, or the current one if it names none.
    ///
    /// Throws 404 `NoSuchKey`, or `missing` in its place, and `NoSuchVersion`; for a delete marker 404 `NoSuchKey`, or 405
    /// `MethodNotAllowed` if it was named, and `markerRefuses` says so of the current one too. Blocking.
    func record(
        of path: ObjectPath, _ version: ObjectVersion?, for request: S3Request, else missing: S3Error? = nil,
        markerRefuses: Bool = false
    ) throws -> ObjectRecord {
        let record = try version.map { try store.record(of: path, version: $0) } ?? store.current(path)
        return try found(record, at: path, version, for: request, else: missing, markerRefuses: markerRefuses)
    }

    /// Throws the same of a record that was found or not.
    func found(
        _ record: ObjectRecord?, at path: ObjectPath, _ version: ObjectVersion?, for request: S3Request,
        else missing: S3Error? = nil, markerRefuses: Bool = false
    ) throws(S3Error) -> ObjectRecord {
        guard let record else {
            throw version == nil ? missing ?? .noSuchKey(path.key) : request.noSuchVersion(path)
        }
        guard !record.isDeleteMarker else {
            let isTheTarget = version != nil || markerRefuses
            let method = isTheTarget ? String(decoding: request.head.methodText, as: UTF8.self) : nil
            throw .deleteMarker(record, at: path, namedBy: method)
        }
        return record
    }
}

extension S3Request {
    /// The version the request names; nil if it names none. Throws 400 `InvalidArgument`.
    func version(in bucket: BucketRecord, mustBeIssued: Bool = false) throws(S3Error) -> ObjectVersion? {
        guard let text = route.query.first("versionId") else { return nil }
        return try VersionID.version(text, at: try path, in: bucket, mustBeIssued: mustBeIssued)
    }

    /// 404 for a version that is not there.
    fileprivate func noSuchVersion(_ path: ObjectPath) -> S3Error {
        .noSuchVersion(String(decoding: route.query.first("versionId") ?? [], as: UTF8.self), of: path.key)
    }
}

extension HTTPResponse {
    /// Adds `x-amz-version-id` where the bucket has versions.
    mutating func addVersion(of record: ObjectRecord, at path: ObjectPath, in bucket: BucketRecord) {
        guard bucket.versioning != .never else { return }
        add("x-amz-version-id", VersionID.text(of: record.version, at: path))
    }
}

extension S3Error {
    static func noSuchVersion(_ id: String, of key: ObjectKey) -> S3Error {
        S3Error(.noSuchVersion, elements: [.init("Key", key.description), .init("VersionId", id)])
    }

    /// What is told of a delete marker: 404 where what it hides was asked for, 405 where the marker itself was, by a
    /// request of that method.
    static func deleteMarker(_ marker: ObjectRecord, at path: ObjectPath, namedBy method: String? = nil) -> S3Error {
        let headers = [
            ("x-amz-delete-marker", "true"), ("x-amz-version-id", VersionID.text(of: marker.version, at: path)),
        ]
        guard let method else {
            return S3Error(.noSuchKey, elements: [.init("Key", path.key.description)], headers: headers)
        }
        return S3Error(
            .methodNotAllowed, elements: [.init("Method", method), .init("ResourceType", "DeleteMarker")],
            headers: headers + [("Allow", "DELETE")])
    }
}
