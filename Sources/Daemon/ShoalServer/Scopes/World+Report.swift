import ShoalAdminAPI
import ShoalLog
import ShoalS3
import ShoalStore
import Synchronization

/// When a scope was used last, on the monotonic clock.
final class LastUse: Sendable {
    private let nanoseconds = Atomic(SystemClock.monotonicNanoseconds())

    var value: UInt64 { nanoseconds.load(ordering: .relaxed) }

    func note() { nanoseconds.store(SystemClock.monotonicNanoseconds(), ordering: .relaxed) }
}

extension World {
    private static let uploadCountMax = 1_000

    /// What is unfinished now.
    func report() throws -> ScopeReport {
        ScopeReport(
            scope: name, buckets: store.buckets().count,
            neverFired: plan.list().filter { $0.fired == 0 }.compactMap(\.rule.id),
            openUploads: try openUploads(in: nil, limit: Self.uploadCountMax).uploads,
            openConnections: openConnections.count)
    }

    /// Uploads in parts that were begun and not ended, of one bucket or all.
    func openUploads(in wanted: String?, limit: Int) throws -> UploadList {
        var views: [UploadView] = []
        for bucket in store.buckets() {
            if let wanted, bucket.name.text != wanted { continue }
            let query = UploadQuery(limit: limit - views.count + 1)
            for case .upload(let upload) in try uploads(of: bucket.name, query) {
                let parts = try store.parts(of: upload.number, after: 0, limit: PartNumber.valueMax)
                views.append(
                    UploadView(
                        bucket: bucket.name.text, key: upload.key.description,
                        uploadId: UploadID(of: upload, in: bucket.name).text, initiated: upload.initiated.iso8601,
                        parts: parts.count, size: parts.reduce(0) { $0 + $1.size }))
            }
            if views.count > limit { break }
        }
        return UploadList(uploads: Array(views.prefix(limit)), isTruncated: views.count > limit)
    }

    /// None if the bucket was deleted since it was seen.
    private func uploads(of bucket: BucketName, _ query: UploadQuery) throws(StoreError) -> [UploadPage.Entry] {
        do throws(StoreError) {
            return try store.listUploads(bucket, query).entries
        } catch .noSuchBucket {
            return []
        }
    }
}
