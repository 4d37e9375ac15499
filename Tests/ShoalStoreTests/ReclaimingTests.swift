import ShoalS3
import ShoalSeeded
import ShoalStore
import Synchronization
import Testing

@Suite struct `Reclaiming` {
    private func options(_ durability: Durability = .process) -> DiskStoreOptions {
        var options = DiskStoreOptions(durability: durability, laneCount: 2)
        options.segmentByteCountMax = 32 << 10
        options.segmentBodyByteCountMax = 4 << 10
        options.compactionByteCountMin = 1
        return options
    }

    private func key(_ index: Int) -> ObjectKey { ObjectKey(stored: Array("key \(index)".utf8)) }

    @Test(arguments: Durability.allCases)
    func `gives back the space of what was deleted`(durability: Durability) async throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path, options: options(durability))
        try store.createBucket(.named(photos))
        for index in 0..<200 { try await store.put([UInt8](repeating: UInt8(index), count: 2_000), as: key(index)) }
        try store.settle()
        #expect(store.statistics.liveSegmentByteCount == 400_000)
        for index in 0..<200 where index % 10 != 0 { try await store.delete(key(index)) }
        try store.settle()
        #expect(store.statistics.liveSegmentByteCount == 40_000)
        #expect(store.statistics.segmentByteCount < 100_000)
        let size = try directory.files(in: "segments").reduce(0) {
            try $0 + TemporaryDirectory.read(directory.path + "/" + $1).count
        }
        #expect(size < 110_000)
        for index in stride(from: 0, to: 200, by: 10) {
            #expect(try store.bytes(of: key(index)) == [UInt8](repeating: UInt8(index), count: 2_000))
        }
        store.close()
        #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean)
        let again = try DiskStore(directory: directory.path, options: options(durability))
        #expect(try again.walk().count == 20)
        for index in stride(from: 0, to: 200, by: 10) { try await again.delete(key(index)) }
        try again.settle()
        #expect(again.statistics.liveSegmentByteCount == 0)
    }

    private final class Flag: Sendable {
        let isOver = Atomic<Bool>(false)
    }

    /// Eight writers replace, delete and read their own keys while segments are rewritten without a pause.
    @Test func `spares what is read, overwritten and deleted meanwhile`() async throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path, options: options())
        try store.createBucket(.named(photos))
        let writing = Flag()
        let expected = try await withThrowingTaskGroup(of: [ObjectKey: [UInt8]].self) { group in
            group.addTask {
                while !writing.isOver.load(ordering: .acquiring) {
                    try store.settle()
                    await Task.yield()
                }
                return [:]
            }
            for writer in 0..<8 { group.addTask { try await churn(store, writer) } }
            var expected: [ObjectKey: [UInt8]] = [:]
            for _ in 0..<9 {
                guard let part = try await group.next() else { break }
                expected.merge(part) { $1 }
                if expected.count == 8 * 20 { writing.isOver.store(true, ordering: .releasing) }
            }
            return expected
        }
        for (key, bytes) in expected { #expect(try store.bytes(of: key) ?? [] == bytes) }
        try store.settle()
        for (key, bytes) in expected { #expect(try store.bytes(of: key) ?? [] == bytes) }
        let live = expected.values.reduce(0) { $0 + UInt64($1.count) }
        #expect(store.statistics.liveSegmentByteCount == live)
        store.close()
        let check = try StoreCheck(directory: directory.path, verifyContent: true)
        #expect(check.isClean, "\(check.findings)")
        #expect(check.byteCount == live)
    }

    /// What the writer's keys hold at the end; no bytes for a deleted one.
    private func churn(_ store: DiskStore, _ writer: Int) async throws -> [ObjectKey: [UInt8]] {
        var generator = SeededGenerator(seed: UInt64(writer))
        var expected: [ObjectKey: [UInt8]] = [:]
        for index in 0..<20 { expected[key(writer * 100 + index)] = [] }
        for _ in 0..<400 {
            let key = key(writer * 100 + Int.random(in: 0..<20, using: &generator))
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let bytes = [UInt8](
                    repeating: UInt8.random(in: 0...255, using: &generator),
                    count: Int.random(in: 1...3_000, using: &generator))
                try await store.put(bytes, as: key, lane: writer)
                expected[key] = bytes
            case 5..<7:
                try await store.delete(key)
                expected[key] = []
            default: #expect(try store.bytes(of: key) ?? [] == expected[key])
            }
        }
        return expected
    }
}
