/// How a `DiskStore` keeps its directory.
package struct DiskStoreOptions: Sendable {
    package var durability: Durability
    /// Event loops that write bodies; a lane above shares with a lower one.
    package var laneCount: Int
    /// Bodies up to this size stand in segments, larger ones in files of their own.
    package var segmentBodyByteCountMax: UInt64 = 256 << 10
    /// A segment takes no further body beyond this size.
    package var segmentByteCountMax: UInt64 = 64 << 20
    /// Segments that are more than half dead are rewritten once that frees as many bytes.
    package var compactionByteCountMin: UInt64 = 16 << 20
    /// How long an acknowledged change may stay out of the catalogue, unless a listing asks for it earlier. Long enough
    /// for a batch to write each page of the catalogue once.
    package var applyDelayMilliseconds: Int32 = 500
    /// Changes waiting for the catalogue that end the delay.
    package var applyCount = 16_384
    /// Changes waiting for the catalogue beyond which commits wait.
    package var pendingCountMax = 32_768
    package var disk: any Disk = SystemDisk()
    /// Called from background threads with what went wrong there; must not call the store.
    package var report: @Sendable (StoreIncident) -> Void = { _ in }
    /// Called when messages were committed, with their destinations, on the thread that did it; must not call the store.
    package var outboxFilled: @Sendable (Set<String>) -> Void = { _ in }

    package init(durability: Durability = .process, laneCount: Int = 4) {
        self.durability = durability
        self.laneCount = laneCount
    }
}
