import Synchronization

/// The segments: each lane appends to one of its own, readers share the open files.
///
/// A segment is *active* while a lane appends to it, *sealed* afterwards, and goes when nothing in it is alive. Numbers
/// are never used again, so a file held open by a reader is never another one's.
final class SegmentStore: Sendable {
    /// Open files kept for readers; a new one beyond this closes one that nobody writes to.
    static let openFileCountMax = 512

    let directory: String
    let disk: any Disk
    private let byteCountMax: UInt64
    private let lanes: [Lane]
    private let registry: Mutex<Registry>
    /// Counts how often all segments were dropped; a lane with an older one has to begin anew.
    private let generation = Atomic<UInt64>(0)

    /// The active segment of one event loop.
    private final class Lane: Sendable {
        struct State {
            var active: SegmentFile?
            var end: UInt64 = 0
            /// The store's when the segment was made active.
            var generation: UInt64 = 0
        }
        let state = Mutex(State())
    }

    fileprivate struct Registry {
        var nextNumber: UInt64
        /// Segments of an earlier run with room left, and the first byte no body reaches.
        var reusable: [(number: UInt64, end: UInt64)]
        var active: Set<UInt64> = []
        var sealed: Set<UInt64>
        var open: [UInt64: SegmentFile] = [:]
        /// A segment was made since the directory was last synced.
        var hasNewNames = false
    }

    /// `known` maps the segments of an earlier run to the first byte behind their last committed body.
    init(
        in root: String, on disk: any Disk, laneCount: Int, byteCountMax: UInt64, known: [UInt64: UInt64],
        nextNumber: UInt64
    ) {
        directory = root + "/segments"
        self.disk = disk
        self.byteCountMax = byteCountMax
        lanes = (0..<(laneCount + 1)).map { _ in Lane() }
        // A start takes over at most one segment a lane, the emptiest, and only if that saves half a file.
        let reusable = known.filter { $0.value <= byteCountMax / 2 }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            .prefix(laneCount)
        registry = Mutex(
            Registry(
                nextNumber: nextNumber, reusable: reusable.map { (number: $0.key, end: $0.value) },
                sealed: Set(known.keys).subtracting(reusable.map(\.key))))
    }

    /// The lane behind those of the event loops, for compaction.
    var compactionLane: Int { lanes.count - 1 }

    func path(_ number: UInt64) -> String { "\(directory)/\(number)" }
}

// MARK: - Writing

extension SegmentStore {
    /// Room for `size` bytes that is the caller's alone, in a segment pinned for it.
    func reserve(_ size: UInt64, lane: Int) throws(StoreError) -> (segment: SegmentFile, offset: UInt64) {
        let lane = lanes[lane == compactionLane ? lane : lane % compactionLane]
        return try lane.state.withLock { (state) throws(StoreError) in
            let isStale = state.generation != generation.load(ordering: .acquiring)
            if state.active == nil || isStale || state.end + size > byteCountMax { try activate(for: size, &state) }
            guard let segment = state.active else { preconditionFailure("a lane without a segment") }
            segment.pin()
            defer { state.end += size }
            return (segment, state.end)
        }
    }

    private func activate(for size: UInt64, _ state: inout Lane.State) throws(StoreError) {
        let (number, floor, isNew, generation) = registry.withLock { registry in
            let generation = self.generation.load(ordering: .relaxed)
            if let index = registry.reusable.firstIndex(where: { $0.end + size <= byteCountMax }) {
                let (number, end) = registry.reusable.remove(at: index)
                registry.active.insert(number)
                return (number, end, false, generation)
            }
            defer { registry.nextNumber += 1 }
            registry.active.insert(registry.nextNumber)
            return (registry.nextNumber, 0, true, generation)
        }
        do {
            let segment = isNew ? SegmentFile(number, try disk.open(path(number), .createNew)) : try segment(number)
            // Behind whatever an earlier run wrote, committed or not.
            let end = max(floor, isNew ? 0 : try disk.size(of: segment.file))
            let previous = state.generation == generation ? state.active?.number : nil
            state = Lane.State(active: segment, end: end, generation: generation)
            registry.withLock { registry in
                guard generation == self.generation.load(ordering: .relaxed) else { return }
                registry.open[number] = segment
                registry.hasNewNames = registry.hasNewNames || isNew
                if let previous { registry.seal(previous) }
            }
        } catch {
            registry.withLock { $0.seal(number) }
            throw error
        }
    }

    /// Ends the segments that lanes append to; each lane begins a new one with its next body.
    func sealActive() {
        for lane in lanes {
            lane.state.withLock { state in
                guard let active = state.active else { return }
                registry.withLock { registry in
                    guard state.generation == generation.load(ordering: .relaxed) else { return }
                    registry.seal(active.number)
                }
                state = Lane.State()
            }
        }
    }

    /// Syncs the directory if a segment was made since.
    func synchronizeNames() throws(StoreError) {
        let isNeeded = registry.withLock { registry in
            defer { registry.hasNewNames = false }
            return registry.hasNewNames
        }
        guard isNeeded else { return }
        do {
            try disk.synchronizeDirectory(directory)
        } catch {
            registry.withLock { $0.hasNewNames = true }
            throw error
        }
    }
}

extension SegmentStore.Registry {
    fileprivate mutating func seal(_ number: UInt64) {
        active.remove(number)
        sealed.insert(number)
    }
}

// MARK: - Reading

extension SegmentStore {
    func open(_ number: UInt64, offset: UInt64, length: UInt64) throws(StoreError) -> DiskBodyFile {
        DiskBodyFile(try segment(number).file, offset: offset, length: length)
    }

    /// The open file, opened if need be. The descriptor is made outside of the lock; if two do it, one is closed again.
    func segment(_ number: UInt64) throws(StoreError) -> SegmentFile {
        if let segment = registry.withLock({ $0.open[number] }) { return segment }
        let opened = SegmentFile(number, try disk.open(path(number), .update))
        return registry.withLock { registry in
            if let segment = registry.open[number] { return segment }
            registry.makeRoom()
            registry.open[number] = opened
            return opened
        }
    }

    /// Pins a segment for a body that the log names and the catalogue does not yet.
    func pin(_ number: UInt64) throws(StoreError) -> SegmentFile {
        let segment = try segment(number)
        segment.pin()
        return segment
    }
}

extension SegmentStore.Registry {
    fileprivate mutating func makeRoom() {
        guard open.count >= SegmentStore.openFileCountMax else { return }
        let idle = open.first { !active.contains($0.key) && !$0.value.isPinned }
        if let idle { open[idle.key] = nil }
    }
}

// MARK: - Reclaiming

extension SegmentStore {
    /// The sealed segments whose bodies the catalogue knows all: no body can be added to them any more.
    func settled() -> Set<UInt64> {
        registry.withLock { registry in
            registry.sealed.filter { registry.open[$0]?.isPinned != true }
        }
    }

    /// Removes the file of a settled segment; readers that hold it open keep it.
    func remove(_ number: UInt64) throws(StoreError) {
        try disk.removeIfPresent(path(number))
        registry.withLock { registry in
            registry.sealed.remove(number)
            registry.open[number] = nil
        }
    }

    /// Brings the bytes of a segment to the device.
    func synchronize(_ number: UInt64) throws(StoreError) { try disk.synchronize(try segment(number).file) }

    /// Drops every segment there is, for a store that becomes empty; bodies being written go to files without a name,
    /// and lanes begin new ones.
    func removeAll() throws(StoreError) {
        let end = registry.withLock { registry in
            generation.wrappingAdd(1, ordering: .releasing)
            registry.reusable = []
            registry.active = []
            registry.sealed = []
            registry.open = [:]
            return registry.nextNumber
        }
        for number in try disk.names(in: directory).compactMap({ UInt64($0) }) where number < end {
            try disk.removeIfPresent(path(number))
        }
    }
}
