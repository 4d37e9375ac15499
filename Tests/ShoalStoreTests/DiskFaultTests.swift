import Glibc
import ShoalS3
import ShoalStore
import Synchronization
import Testing

@Suite struct `A store on a failing disk` {
    private static let steps: Set<DiskFailure.Step> = [
        .open, .write, .truncate, .sync, .syncDirectory, .rename, .makeDirectory,
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        let durability: Durability
        let size: Int
        let number: Int32
        var testDescription: String { "\(durability), \(size) bytes, \(String(cString: strerror(number)))" }
    }

    static let cases = Durability.allCases.flatMap { durability in
        [100, 300_000].flatMap { size in
            [ENOSPC, EIO, EMFILE].map { Case(durability: durability, size: size, number: $0) }
        }
    }

    /// Background work is kept out, so that the steps counted are those of the commit.
    private func options(_ durability: Durability, _ disk: any Disk) -> DiskStoreOptions {
        var options = DiskStoreOptions(durability: durability)
        options.applyDelayMilliseconds = 3_600_000
        options.disk = disk
        return options
    }

    /// Fails the 1st disk step, then the 2nd, and so on, until a run meets no fault.
    @Test(arguments: cases)
    func `keeps the old bytes or the new ones, whichever step of a commit fails`(given: Case) async throws {
        let old = [UInt8](repeating: 1, count: given.size)
        let new = [UInt8](repeating: 2, count: given.size)
        var step = 1
        while true {
            let directory = TemporaryDirectory()
            let faults = FaultSwitch()
            let options = options(given.durability, FaultyDisk(faults: faults))
            let store = try DiskStore(directory: directory.path, options: options)
            try store.createBucket(.named(photos))
            try await store.put(old, as: "a")
            let fault = FailNth(step, of: Self.steps, given.number)
            faults.arm(fault)
            let stored = (try? await store.put(new, as: "a", lane: 1)) != nil
            faults.arm(nil)
            let expected = stored ? new : old
            #expect(try store.bytes(of: "a") == expected, "after failing disk step \(step)")
            #expect(stored != fault.fired, "step \(step) failed and the client was told otherwise")
            // What a SIGKILL at this moment would leave.
            let copy = try TemporaryDirectory.copy(of: directory.path)
            #expect(try DiskStore(directory: copy.path).bytes(of: "a") == expected, "after failing disk step \(step)")
            try await store.put([3], as: "b")
            #expect(try store.walk() == [[UInt8(ascii: "a")], [UInt8(ascii: "b")]])
            store.close()
            #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean)
            if !fault.fired { break }
            step += 1
        }
        #expect(step > 2, "no step was ever failed")
    }

    @Test func `tells what failed, where and why`() async throws {
        let directory = TemporaryDirectory()
        let faults = FaultSwitch()
        let store = try DiskStore(directory: directory.path, options: options(.process, FaultyDisk(faults: faults)))
        try store.createBucket(.named(photos))
        faults.arm(FailNth(1, of: [.write], ENOSPC))
        let error = await #expect(throws: StoreError.self) { try await store.put([1], as: "a") }
        guard case .disk(let failure) = error else {
            Issue.record("\(String(describing: error)) is no failure of the disk")
            return
        }
        #expect(failure.kind == .full)
        #expect(failure.number == ENOSPC)
        #expect(failure.path == directory.path + "/segments/1")
        #expect(failure.description == "write \(directory.path)/segments/1: No space left on device")
    }

    /// Upkeep may fail at any step; what it keeps is tried again, and nothing is lost.
    @Test func `loses nothing when a step of reclaiming fails`() async throws {
        var step = 1
        // The housekeeper's first round may come late and do the work before the fault is armed: a step is only held to
        // be absent if several runs do not meet it.
        var missCount = 0
        while true {
            let directory = TemporaryDirectory()
            let faults = FaultSwitch()
            let incidents = Mutex<[StoreIncident]>([])
            var options = options(.process, FaultyDisk(faults: faults))
            options.segmentByteCountMax = 4_000
            options.compactionByteCountMin = 1
            options.report = { incident in incidents.withLock { $0.append(incident) } }
            let store = try DiskStore(directory: directory.path, options: options)
            try store.createBucket(.named(photos))
            for index in UInt8(0)..<40 { try await store.put([UInt8](repeating: index, count: 500), as: key(index)) }
            try store.settle()
            for index in UInt8(0)..<40 where index % 8 != 0 { try await store.delete(key(index)) }
            _ = try store.walk()
            let fault = FailNth(step, of: Self.steps.union([.remove, .read]), EIO)
            faults.arm(fault)
            try store.settle()
            faults.arm(nil)
            #expect(fault.fired == !incidents.withLock { $0.isEmpty }, "step \(step) failed without a word")
            for index in stride(from: UInt8(0), to: 40, by: 8) {
                #expect(try store.bytes(of: key(index)) == [UInt8](repeating: index, count: 500), "step \(step)")
            }
            try store.settle()
            #expect(store.statistics.liveSegmentByteCount == 2_500)
            #expect(store.statistics.segmentByteCount <= 8_000, "step \(step)")
            store.close()
            #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean, "step \(step)")
            missCount = fault.fired ? 0 : missCount + 1
            if missCount == 3 { break }
            if fault.fired { step += 1 }
        }
        #expect(step > 5, "reclaiming had hardly a step")
    }

    private func key(_ index: UInt8) -> ObjectKey { ObjectKey(stored: Array("key \(index)".utf8)) }

    @Test(arguments: [(EACCES, "may not write"), (EROFS, "read-only"), (ENOSPC, "is full")])
    func `refuses a directory it cannot use in words`(number: Int32, words: String) throws {
        let directory = TemporaryDirectory()
        for step in [DiskFailure.Step.makeDirectory, .open] {
            let faults = FaultSwitch()
            faults.arm(FailNth(1, of: [step], number))
            let error = #expect(throws: StoreError.self) {
                try DiskStore(
                    directory: directory.path + "/store", options: options(.process, FaultyDisk(faults: faults)))
            }
            #expect(try #require(error).description.contains(words))
        }
    }

    @Test func `refuses a directory of another user in words`() throws {
        let directory = TemporaryDirectory()
        let owner = try SystemDisk().owner(of: directory.path)
        let disk = FaultyDisk(faults: FaultSwitch(effectiveUser: owner + 4_711))
        let error = #expect(throws: StoreError.self) {
            try DiskStore(directory: directory.path, options: options(.process, disk))
        }
        #expect(try #require(error).description.contains("belongs to user \(owner)"))
    }
}
