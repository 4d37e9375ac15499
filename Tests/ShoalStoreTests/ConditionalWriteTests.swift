import ShoalCrypto
import ShoalS3
import ShoalStore
import Synchronization
import Testing

@Suite struct `A conditional write` {
    private static let present = ETag(md5: Digest.of([1], .md5))
    private static let other = ETag(md5: Digest.of([2], .md5))

    @Test(
        arguments: [
            (.ifNoneMatchAny, false, nil),
            (.ifNoneMatchAny, true, .preconditionFailed),
            (.ifMatchAny, false, .noSuchObject),
            (.ifMatchAny, true, nil),
            (.ifMatch(present), false, .noSuchObject),
            (.ifMatch(present), true, nil),
            (.ifMatch(other), true, .preconditionFailed),
        ] as [(WriteCondition, Bool, StoreError?)], StoreKind.all)
    func `is judged by the current object`(row: (WriteCondition, Bool, StoreError?), kind: StoreKind) async throws {
        let (condition, isPresent, refusal) = row
        for isApplied in [false, true] {
            let directory = TemporaryDirectory()
            let store = try kind.open(directory)
            try store.createBucket(.named(photos))
            if isPresent { try await store.put([1], as: "a") }
            if isApplied { _ = try store.list(photos, ListQuery()) }
            if let refusal {
                await #expect(throws: refusal) { try await store.put([9], as: "a", if: condition) }
                await #expect(throws: refusal) { try await store.delete("a", if: condition) }
                #expect(try store.bytes(of: "a") == (isPresent ? [1] : nil))
            } else {
                try await store.put([9], as: "a", if: condition)
                #expect(try store.bytes(of: "a") == [9])
            }
        }
    }

    @Test(arguments: StoreKind.all)
    func `is won by exactly one of 64 racing writers`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try kind.open(directory)
        try store.createBucket(.named(photos))
        for round in 0..<10 {
            let key = ObjectKey(stored: Array("key \(round)".utf8))
            let winners = await withTaskGroup(of: UInt8?.self) { group in
                for writer in UInt8(0)..<64 {
                    group.addTask {
                        let record = try? await store.put([writer], as: key, if: .ifNoneMatchAny, lane: Int(writer))
                        return record == nil ? nil : writer
                    }
                }
                return await group.reduce(into: [UInt8]()) { winners, winner in if let winner { winners.append(winner) }
                }
            }
            #expect(winners.count == 1)
            #expect(try store.bytes(of: key) == winners)
        }
    }

    @Test(arguments: StoreKind.all)
    func `never loses an update of a counter guarded by its tag`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try kind.open(directory)
        try store.createBucket(.named(photos))
        try await store.put([0], as: "counter")
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    for _ in 0..<10 { await increment(in: store, lane: lane) }
                }
            }
        }
        #expect(try store.bytes(of: "counter") == [80])
    }

    private func increment(in store: any ObjectStore, lane: Int) async {
        while true {
            // A refusal means that another writer was quicker, which the loop is for.
            guard let value = try? store.bytes(of: "counter")?.first else { continue }
            let tag = ETag(md5: Digest.of([value], .md5))
            if (try? await store.put([value + 1], as: "counter", if: .ifMatch(tag), lane: lane)) != nil { return }
        }
    }

    @Test(arguments: StoreKind.all)
    func `sees what was enqueued before it in the same turn`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        let store = try kind.open(directory)
        try store.createBucket(.named(photos))
        let results = Mutex<[Result<ObjectRecord, StoreError>]>([])
        await withCheckedContinuation { continuation in
            for value in UInt8(0)..<3 {
                guard let body = try? store.stage([value]) else { continue }
                let record = ObjectRecord(
                    key: "a", etag: ETag(md5: Digest.of([value], .md5)), size: 1, lastModified: Timestamp(seconds: 0))
                store.commitPut(record, in: photos, body: body, condition: .ifNoneMatchAny) { result in
                    if results.withLock({
                        $0.append(result); return $0.count
                    }) == 3 {
                        continuation.resume()
                    }
                }
            }
            store.flush()
        }
        let outcomes = results.withLock { $0 }
        #expect(outcomes.map { (try? $0.get()) != nil } == [true, false, false])
        #expect(outcomes[1] == .failure(.preconditionFailed))
        #expect(try store.bytes(of: "a") == [0])
    }
}
