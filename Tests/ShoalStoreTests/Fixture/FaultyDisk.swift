import Glibc
import ShoalStore
import Synchronization

/// Fails one step of a disk, counted from 1, with an error number; every other step passes.
final class FailNth: Sendable {
    private let countdown: Mutex<Int?>
    private let steps: Set<DiskFailure.Step>
    let number: Int32
    /// The step was reached.
    var fired: Bool { countdown.withLock { $0 == nil } }

    init(_ nth: Int, of steps: Set<DiskFailure.Step>, _ number: Int32) {
        countdown = Mutex(nth)
        self.steps = steps
        self.number = number
    }

    func strike(_ step: DiskFailure.Step, _ path: String) throws(StoreError) {
        guard steps.contains(step) else { return }
        let isHit = countdown.withLock { countdown in
            guard let left = countdown else { return false }
            countdown = left == 1 ? nil : left - 1
            return left == 1
        }
        if isHit { throw .disk(DiskFailure(step, path, number: number)) }
    }
}

/// Lets the steps of another disk fail when a switch is on.
struct FaultyDisk: Disk {
    let base: any Disk = SystemDisk()
    let faults: FaultSwitch

    var effectiveUser: UInt32 { faults.effectiveUser ?? base.effectiveUser }

    func open(_ path: String, _ access: FileAccess) throws(StoreError) -> DiskFile {
        try faults.strike(.open, path)
        let file = try base.open(path, access)
        faults.opened(path)
        return file
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: DiskFile, at offset: UInt64) throws(StoreError) {
        do {
            try faults.strike(.write, file.path)
        } catch {
            // A full disk takes the first half.
            try base.write(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]), to: file, at: offset)
            throw error
        }
        try base.write(bytes, to: file, at: offset)
    }

    func read(_ file: DiskFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int
    {
        try faults.strike(.read, file.path)
        return try base.read(file, at: offset, into: buffer)
    }

    func size(of file: DiskFile) throws(StoreError) -> UInt64 {
        try faults.strike(.inspect, file.path)
        return try base.size(of: file)
    }

    func space(of path: String) throws(StoreError) -> DiskSpace {
        try faults.strike(.inspect, path)
        if let space = faults.space { return space }
        return try base.space(of: path)
    }

    func truncate(_ file: DiskFile, to size: UInt64) throws(StoreError) {
        try faults.strike(.truncate, file.path)
        try base.truncate(file, to: size)
    }

    func synchronize(_ file: DiskFile) throws(StoreError) {
        try faults.strike(.sync, file.path)
        try base.synchronize(file)
    }

    func synchronizeDirectory(_ path: String) throws(StoreError) {
        try faults.strike(.syncDirectory, path)
        try base.synchronizeDirectory(path)
    }

    func rename(_ old: String, to new: String) throws(StoreError) {
        try faults.strike(.rename, old)
        try base.rename(old, to: new)
    }

    func remove(_ path: String) throws(StoreError) {
        try faults.strike(.remove, path)
        try base.remove(path)
    }

    func makeDirectory(_ path: String) throws(StoreError) -> Bool {
        try faults.strike(.makeDirectory, path)
        return try base.makeDirectory(path)
    }

    func names(in directory: String) throws(StoreError) -> [String] {
        try faults.strike(.list, directory)
        return try base.names(in: directory)
    }

    func owner(of path: String) throws(StoreError) -> UInt32 { try base.owner(of: path) }
}

/// The faults in force on a `FaultyDisk`.
final class FaultSwitch: Sendable {
    let effectiveUser: UInt32?
    private let faults = Mutex<FailNth?>(nil)
    private let roomLeft = Mutex<DiskSpace?>(nil)
    private let whenOpened = Mutex<(@Sendable (String) -> Void)?>(nil)

    init(effectiveUser: UInt32? = nil) { self.effectiveUser = effectiveUser }

    func arm(_ faults: FailNth?) { self.faults.withLock { $0 = faults } }

    /// What the disk claims to have, instead of the truth.
    var space: DiskSpace? { roomLeft.withLock { $0 } }

    func pretend(_ space: DiskSpace?) { roomLeft.withLock { $0 = space } }

    /// Calls `hook` with the path between the opening of a file and the return to the store.
    func whenOpened(_ hook: (@Sendable (String) -> Void)?) { whenOpened.withLock { $0 = hook } }

    func opened(_ path: String) { whenOpened.withLock { $0 }?(path) }

    func strike(_ step: DiskFailure.Step, _ path: String) throws(StoreError) {
        try faults.withLock { $0 }?.strike(step, path)
    }
}
