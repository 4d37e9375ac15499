import ShoalS3
import ShoalSQLite

/// How much of a segment objects name.
struct SegmentSpace: Sendable, Equatable {
    /// Bytes of bodies that objects name.
    var live: UInt64 = 0
    /// The first byte behind the last body an object ever named.
    var end: UInt64 = 0
}

/// What a start needs to know of the catalogue.
struct CatalogueState: Sendable {
    /// Part of the format on disk.
    enum Meta: String {
        /// The sequence up to which the log is applied.
        case appliedSequence = "applied"
        /// Higher than the number of any segment that was ever named.
        case nextSegment = "next-segment"
    }

    var appliedSequence: UInt64 = 0
    var nextSegment: UInt64 = 1
    var buckets: [StoredBucket] = []
    var segments: [UInt64: SegmentSpace] = [:]
    /// Those that are open.
    var uploads: [StoredUpload] = []

    init(_ connection: Connection) throws(SQLiteError) {
        let meta = try connection.prepare("SELECT name, value FROM meta")
        while try meta.step() {
            switch Meta(rawValue: meta.text(0)) {
            case .appliedSequence: appliedSequence = UInt64(bitPattern: meta.integer(1))
            case .nextSegment: nextSegment = UInt64(bitPattern: meta.integer(1))
            case nil: break
            }
        }
        let buckets = try connection.prepare(
            "SELECT id, scope, name, created, region, settings, versioning FROM buckets")
        while try buckets.step() {
            guard let name = BucketName(buckets.text(2)) else { continue }
            let record = BucketRecord(
                name: name, created: Timestamp(milliseconds: buckets.integer(3)), region: buckets.text(4),
                settings: buckets.bytes(5),
                versioning: UInt8(exactly: buckets.integer(6)).flatMap(Versioning.init(rawValue:)) ?? .never)
            self.buckets.append(
                StoredBucket(id: buckets.integer(0), scope: ScopeNumber(buckets.integer(1)), record: record))
        }
        let uploads = try connection.prepare(
            "SELECT number, bucket, key, initiated, attributes FROM uploads WHERE result IS NULL")
        while try uploads.step() {
            let record = UploadRecord(
                number: UploadNumber(UInt64(bitPattern: uploads.integer(0))),
                key: ObjectKey(stored: uploads.bytes(2)), initiated: Timestamp(milliseconds: uploads.integer(3)),
                attributes: uploads.bytes(4))
            self.uploads.append(StoredUpload(record: record, bucket: uploads.integer(1)))
        }
        let segments = try connection.prepare("SELECT number, live, end FROM segments")
        while try segments.step() {
            self.segments[UInt64(bitPattern: segments.integer(0))] = SegmentSpace(
                live: UInt64(bitPattern: segments.integer(1)), end: UInt64(bitPattern: segments.integer(2)))
        }
    }
}
