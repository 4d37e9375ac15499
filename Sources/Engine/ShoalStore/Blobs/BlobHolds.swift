import Synchronization

/// The blobs of objects in parts that somebody is reading, who opens them one after the other. They are removed when the
/// last reader is done.
final class BlobHolds: Sendable {
    private struct State {
        var counts: [BlobID: Int] = [:]
        /// Released meanwhile.
        var waiting: Set<BlobID> = []
    }

    private let state = Mutex(State())

    func hold(_ blobs: [BlobID]) -> BlobHold {
        state.withLock { state in
            for blob in blobs { state.counts[blob, default: 0] += 1 }
        }
        return BlobHold(blobs, in: self)
    }

    /// True if the blob has to wait for a reader; it then comes out of `takeReleased`.
    func postpone(_ blob: BlobID) -> Bool {
        state.withLock { state in
            guard state.counts[blob] != nil else { return false }
            state.waiting.insert(blob)
            return true
        }
    }

    /// Postponed blobs whose last reader has gone.
    func takeReleased() -> [BlobID] {
        state.withLock { state in
            let free = state.waiting.filter { state.counts[$0] == nil }
            state.waiting.subtract(free)
            return Array(free)
        }
    }

    fileprivate func release(_ blobs: [BlobID]) {
        state.withLock { state in
            for blob in blobs {
                guard let count = state.counts[blob] else { continue }
                state.counts[blob] = count == 1 ? nil : count - 1
            }
        }
    }
}

/// Held by a reader.
final class BlobHold: Sendable {
    private let blobs: [BlobID]
    private let holds: BlobHolds

    fileprivate init(_ blobs: [BlobID], in holds: BlobHolds) {
        self.blobs = blobs
        self.holds = holds
    }

    deinit { holds.release(blobs) }
}
