/// What a store holds and what it still has to do.
package struct StoreStatistics: Sendable, Equatable {
    package let bucketCount: Int
    /// Acknowledged changes that the catalogue does not have yet.
    package let pendingChangeCount: Int
    package let segmentCount: Int
    /// Bytes of segments up to the last body committed to each.
    package let segmentByteCount: UInt64
    /// Bytes of bodies in segments that objects name.
    package let liveSegmentByteCount: UInt64
    /// Pages in SQLite's write-ahead log.
    package let writeAheadFrameCount: Int
}

extension DiskStore {
    package var statistics: StoreStatistics {
        let spaces = applier.spaces.values
        return StoreStatistics(
            bucketCount: registry.all.count, pendingChangeCount: overlay.pendingCount, segmentCount: spaces.count,
            segmentByteCount: spaces.reduce(0) { $0 + $1.end },
            liveSegmentByteCount: spaces.reduce(0) { $0 + $1.live },
            writeAheadFrameCount: applier.writeAheadFrameCount)
    }

    /// Brings everything acknowledged into the catalogue, does the upkeep that is due, and sweeps. Blocking; the
    /// background does the same by itself. What fails besides the first is reported and not thrown.
    package func settle() throws(StoreError) {
        try applier.applyAll()
        upkeep.removeReleasedBlobs()
        _ = upkeep.run()
        upkeep.sweep { false }
    }
}
