import Glibc
import ShoalS3
import ShoalStore
import Testing

@Suite struct `The last part of a disk` {
    private static let mebibyte: UInt64 = 1 << 20

    /// Total and free mebibytes, the size of a body, and whether it is taken: a 64th is kept, 4 to 64 MiB.
    @Test(
        arguments: [
            (24, 5, 1 << 20, true), (24, 5, (1 << 20) + 1, false), (24, 4, 1, false), (24, 3, 1, false),
            (640, 11, 1 << 20, true), (640, 10, 1, false), (1 << 20, 65, 1 << 20, true), (1 << 20, 64, 1, false),
        ] as [(UInt64, UInt64, UInt64, Bool)])
    func `is kept free of bodies`(total: UInt64, free: UInt64, size: UInt64, isTaken: Bool) throws {
        let directory = TemporaryDirectory()
        let faults = FaultSwitch()
        let store = try DiskStore(directory: directory.path, options: options(faults))
        faults.pretend(DiskSpace(free: free * Self.mebibyte, total: total * Self.mebibyte))
        guard !isTaken else {
            try store.beginBody(size: size, lane: 0).abandon()
            return
        }
        #expect(throws: StoreError.disk(DiskFailure(.write, directory.path, number: ENOSPC))) {
            try store.beginBody(size: size, lane: 0)
        }
    }

    @Test func `takes deletions, listings and empty bodies, and bodies again when there is room`() async throws {
        let directory = TemporaryDirectory()
        let faults = FaultSwitch()
        let store = try DiskStore(directory: directory.path, options: options(faults))
        try store.createBucket(.named(photos))
        try await store.put([1, 2], as: "a")
        try await store.put([3, 4], as: "b")
        faults.pretend(DiskSpace(free: 0, total: 1 << 30))
        // More than any allowance, so that the disk is looked at.
        #expect(throws: StoreError.disk(DiskFailure(.write, directory.path, number: ENOSPC))) {
            try store.beginBody(size: 200 << 20, lane: 0)
        }
        try await store.put([], as: "empty")
        try await store.delete("a")
        #expect(try store.walk() == [Array("b".utf8), Array("empty".utf8)])
        faults.pretend(nil)
        try await store.put([5], as: "c")
        #expect(try store.bytes(of: "b") == [3, 4])
        #expect(try store.bytes(of: "c") == [5])
        store.close()
        #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean)
    }

    private func options(_ faults: FaultSwitch) -> DiskStoreOptions {
        var options = DiskStoreOptions()
        options.disk = FaultyDisk(faults: faults)
        return options
    }
}
