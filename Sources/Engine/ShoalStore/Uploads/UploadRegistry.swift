import ShoalS3
import Synchronization

/// Every upload that is open, in memory, and those that ended lately. Changed under the commit lock only.
final class UploadRegistry: Sendable {
    private struct State {
        var uploads: [UploadNumber: StoredUpload] = [:]
        var numbers: [OverlayKey: Set<UploadNumber>] = [:]
        /// Those whose key was written or deleted since they began.
        var overtaken: Set<UploadNumber> = []
        var ended = EndedUploads()
    }

    private let state = Mutex(State())
    private let count = Atomic<Int>(0)

    init(_ uploads: [StoredUpload]) {
        for upload in uploads { put(upload) }
    }

    func find(_ number: UploadNumber) -> StoredUpload? { state.withLock { $0.uploads[number] } }

    /// One that ended lately; what came before a restart is forgotten.
    func findEnded(_ number: UploadNumber) -> StoredUpload? { state.withLock { $0.ended[number] } }

    func put(_ upload: StoredUpload) {
        state.withLock { state in
            state.uploads[upload.record.number] = upload
            state.numbers[upload.overlayKey, default: []].insert(upload.record.number)
            count.store(state.uploads.count, ordering: .releasing)
        }
    }

    func remove(_ number: UploadNumber) {
        state.withLock { state in
            guard let upload = state.uploads.removeValue(forKey: number) else { return }
            state.ended.note(upload)
            state.overtaken.remove(number)
            state.numbers[upload.overlayKey]?.remove(number)
            if state.numbers[upload.overlayKey]?.isEmpty == true { state.numbers[upload.overlayKey] = nil }
            count.store(state.uploads.count, ordering: .releasing)
        }
    }

    /// Forgets the uploads of a bucket.
    func removeAll(of bucket: BucketID) {
        guard count.load(ordering: .acquiring) > 0 else { return }
        let numbers = state.withLock { $0.uploads.values.filter { $0.bucket == bucket }.map(\.record.number) }
        for number in numbers { remove(number) }
    }

    func removeAll() {
        state.withLock { $0 = State() }
        count.store(0, ordering: .releasing)
    }

    /// Notes that an object was written or deleted. With no upload open this costs one load.
    func noteWrite(of key: OverlayKey) {
        guard count.load(ordering: .acquiring) > 0 else { return }
        state.withLock { state in
            if let numbers = state.numbers[key] { state.overtaken.formUnion(numbers) }
        }
    }

    /// Whether the key was written or deleted since the upload began; forgotten by a restart.
    func isOvertaken(_ number: UploadNumber) -> Bool { state.withLock { $0.overtaken.contains(number) } }
}

extension StoredUpload {
    fileprivate var overlayKey: OverlayKey { OverlayKey(bucket: bucket, key: record.key.bytes) }
}
