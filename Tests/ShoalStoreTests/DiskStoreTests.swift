import Glibc
import ShoalCrypto
import ShoalS3
import ShoalSQLite
import ShoalStore
import Synchronization
import Testing

@Suite struct `A store on disk` {
    /// A store whose catalogue lags behind for as long as a test takes.
    private func lagging(_ durability: Durability = .process) -> DiskStoreOptions {
        var options = DiskStoreOptions(durability: durability)
        options.applyDelayMilliseconds = 3_600_000
        return options
    }

    // MARK: Crashes

    @Test(arguments: Durability.allCases)
    func `has everything acknowledged after a crash with the log unapplied`(durability: Durability) async throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path, options: lagging(durability))
        try store.createBucket(.named(photos))
        let big = [UInt8](repeating: 7, count: 300_000)
        for index in UInt8(0)..<50 { try await store.put([index], as: ObjectKey(stored: [97, index])) }
        try await store.put(big, as: "big")
        try await store.put([1], as: "overwritten")
        try await store.put([2], as: "overwritten")
        try await store.put(big, as: "replaced")
        try await store.put([3], as: "replaced")
        try await store.put([4], as: "deleted")
        try await store.delete("deleted")
        #expect(store.statistics.pendingChangeCount > 50)
        let copy = try TemporaryDirectory.copy(of: directory.path)
        #expect(try StoreCheck(directory: copy.path, verifyContent: true).missingCount == 0)
        let again = try DiskStore(directory: copy.path)
        for index in UInt8(0)..<50 { #expect(try again.bytes(of: ObjectKey(stored: [97, index])) == [index]) }
        #expect(try again.bytes(of: "big") == big)
        #expect(try again.bytes(of: "overwritten") == [2])
        #expect(try again.bytes(of: "replaced") == [3])
        #expect(try again.bytes(of: "deleted") == nil)
        #expect(try again.walk().count == 53)
        #expect(try again.walk() == store.walk())
        // The sweep finds what was replaced before the crash; a close may come before it.
        try again.settle()
        again.close()
        let check = try StoreCheck(directory: copy.path, verifyContent: true)
        #expect(check.isClean, "\(check.findings)")
        #expect(check.objectCount == 53)
    }

    /// Cuts the log all over its last two records: whole records count, the torn one does not.
    @Test func `ignores the torn tail of its log`() async throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path, options: lagging())
        try store.createBucket(.named(photos))
        let log = directory.path + "/log/1"
        try await store.put([1], as: "a")
        let firstEnd = try TemporaryDirectory.read(log).count
        try await store.put([2], as: "a")
        let secondEnd = try TemporaryDirectory.read(log).count
        try await store.put([3], as: "a")
        let whole = try TemporaryDirectory.read(log)
        let copy = try TemporaryDirectory.copy(of: directory.path)
        for cut in Set(stride(from: firstEnd, to: whole.count, by: 5)).union([secondEnd - 1, secondEnd, whole.count]) {
            try TemporaryDirectory.write(Array(whole[..<cut]), to: copy.path + "/log/1")
            let expected: UInt8 = cut == whole.count ? 3 : cut >= secondEnd ? 2 : 1
            let trial = try TemporaryDirectory.copy(of: copy.path)
            let again = try DiskStore(directory: trial.path, options: lagging())
            #expect(try again.bytes(of: "a") == [expected], "cut to \(cut) of \(whole.count) bytes")
            try await again.put([9], as: "a")
            again.close()
            #expect(try DiskStore(directory: trial.path).bytes(of: "a") == [9])
        }
        // A flipped bit is a torn record, too.
        for index in stride(from: secondEnd, to: whole.count, by: 3) {
            var damaged = whole
            damaged[index] ^= 0x10
            try TemporaryDirectory.write(damaged, to: copy.path + "/log/1")
            let trial = try TemporaryDirectory.copy(of: copy.path)
            #expect(
                try DiskStore(directory: trial.path, options: lagging()).bytes(of: "a") == [2], "bit of byte \(index)")
        }
    }

    @Test func `sweeps what a crash left behind and says what it took away`() async throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path)
        try store.createBucket(.named(photos))
        let big = [UInt8](repeating: 7, count: 300_000)
        try await store.put(big, as: "kept")
        try await store.put(big, as: "lost")
        store.close()
        let blobs = try directory.files(in: "blobs")
        #expect(blobs.count == 2)
        let orphan = String(repeating: "0", count: 32)
        try TemporaryDirectory.write([1], to: directory.path + "/staging/" + orphan)
        _ = try SystemDisk().makeDirectory(directory.path + "/blobs/00")
        try TemporaryDirectory.write([1], to: directory.path + "/blobs/00/" + orphan)
        let lost = try #require(try blobOf("lost", in: directory))
        try SystemDisk().remove(lost)
        let check = try StoreCheck(directory: directory.path)
        #expect(check.missingCount == 1)
        #expect(check.unknownCount == 2)
        #expect(check.findings.contains(.missing(bucket: "photos", key: "lost", path: lost)))

        let incidents = Mutex<[StoreIncident]>([])
        var options = DiskStoreOptions()
        options.report = { incident in incidents.withLock { $0.append(incident) } }
        let again = try DiskStore(directory: directory.path, options: options)
        try again.settle()
        // Once by the sweep of the start and once by that of `settle`.
        #expect(Set(incidents.withLock { $0.map(\.detail) }) == ["an object names \(lost), which is missing"])
        #expect(throws: StoreError.bodyMissing(path: lost)) { try again.openObject(path("lost")) }
        #expect(try again.bytes(of: "kept") == big)
        again.close()
        let after = try StoreCheck(directory: directory.path)
        #expect(after.unknownCount == 0)
        #expect(after.missingCount == 1)
    }

    /// A sweep once ran between the making of a staging file and the note that somebody is writing it.
    @Test func `does not sweep away a body whose file was made this moment`() async throws {
        let directory = TemporaryDirectory()
        let faults = FaultSwitch()
        var options = lagging()
        options.disk = FaultyDisk(faults: faults)
        let store = try DiskStore(directory: directory.path, options: options)
        try store.createBucket(.named(photos))
        faults.whenOpened { path in
            guard path.contains("/staging/") else { return }
            do { try store.settle() } catch { Issue.record(error) }
        }
        let big = [UInt8](repeating: 7, count: 300_000)
        try await store.put(big, as: "a")
        faults.whenOpened(nil)
        #expect(try store.bytes(of: "a") == big)
    }

    private func blobOf(_ key: String, in directory: TemporaryDirectory) throws -> String? {
        let connection = try Connection(directory.path + "/shoal.sqlite", .readWrite)
        let statement = try connection.prepare("SELECT blob FROM objects WHERE key = CAST(?1 AS BLOB)")
        statement.bind(key, at: 1)
        guard try statement.step() else { return nil }
        let name = Hexadecimal.string(statement.bytes(0))
        return "\(directory.path)/blobs/\(name.prefix(2))/\(name)"
    }

    // MARK: Opening

    @Test func `is refused while another one holds the directory, which is named`() throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path)
        let locked = StoreError.locked(path: directory.path, holder: getpid())
        #expect(throws: locked) { try DiskStore(directory: directory.path) }
        #expect(throws: locked) { try StoreCheck(directory: directory.path) }
        #expect(locked.description.contains("process \(getpid())"))
        store.close()
        try TemporaryDirectory.write(Array("999999\n".utf8), to: directory.path + "/LOCK")
        try DiskStore(directory: directory.path).close()
    }

    /// As a child does that another thread has just forked and that did not get to its exec yet.
    @Test func `is free once it is closed, whoever still has a copy of its descriptors`() throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path)
        let descriptor = try #require(Self.descriptor(of: directory.path + "/LOCK"))
        let copy = dup(descriptor)
        defer { close(copy) }
        store.close()
        try DiskStore(directory: directory.path).close()
    }

    private static func descriptor(of path: String) -> Int32? {
        (0..<Int32(4_096)).first { number in
            var target = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/fd/\(number)", &target, target.count)
            return count > 0 && String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) == path
        }
    }

    @Test func `refuses a catalogue of a newer Shoal and one that is not Shoal's`() throws {
        let directory = TemporaryDirectory()
        try DiskStore(directory: directory.path).close()
        let database = directory.path + "/shoal.sqlite"
        try Connection(database, .readWrite).execute("PRAGMA user_version = 4711")
        let error = #expect(throws: StoreError.self) { try DiskStore(directory: directory.path) }
        #expect(try #require(error).description.contains("has format 4711"))
        #expect(throws: StoreError.self) { try StoreCheck(directory: directory.path) }

        let stranger = TemporaryDirectory()
        try Connection(stranger.path + "/shoal.sqlite", .create).execute("CREATE TABLE theirs(a)")
        let other = #expect(throws: StoreError.self) { try DiskStore(directory: stranger.path) }
        #expect(try #require(other).description.contains("not Shoal's"))
    }

    @Test func `makes the folders above its own`() throws {
        let directory = TemporaryDirectory()
        try DiskStore(directory: directory.path + "/a/b/c").close()
        #expect(try directory.files() == ["a/b/c/LOCK", "a/b/c/shoal.sqlite"])
    }

    @Test func `leaves no file of a body that was abandoned or refused`() async throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path)
        try store.createBucket(.named(photos))
        let big = [UInt8](repeating: 1, count: 300_000)
        do {
            let writer = try store.beginBody(size: UInt64(big.count), lane: 0)
            try big[..<1_000].withUnsafeBytes { try writer.write($0) }
            #expect(try directory.files(in: "staging").count == 1)
            writer.abandon()
        }
        #expect(try directory.files(in: "staging").isEmpty)
        _ = try store.beginBody(size: UInt64(big.count), lane: 0)
        #expect(try directory.files(in: "staging").isEmpty)
        await #expect(throws: StoreError.noSuchObject) { try await store.put(big, as: "a", if: .ifMatchAny) }
        await #expect(throws: StoreError.noSuchBucket) {
            try await store.put(big, as: "a", in: BucketName(good: "absent"))
        }
        #expect(try directory.files(in: "staging").isEmpty)
        #expect(try directory.files(in: "blobs").isEmpty)
        try await store.put(big, as: "a")
        try await store.put(big, as: "a")
        try await store.delete("a")
        try store.settle()
        #expect(try directory.files(in: "blobs").isEmpty)
    }

    @Test func `keeps the log until the catalogue has it, and not longer`() async throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path, options: lagging())
        try store.createBucket(.named(photos))
        let attributes = [UInt8](repeating: 0, count: 100_000)
        for index in UInt8(0)..<200 {
            try await store.put([index], as: ObjectKey(stored: [97, index]), attributes: attributes)
        }
        #expect(try directory.files(in: "log") == ["log/1", "log/2", "log/3"])
        try store.settle()
        #expect(try directory.files(in: "log") == ["log/3"])
        let copy = try TemporaryDirectory.copy(of: directory.path)
        #expect(try DiskStore(directory: copy.path).walk().count == 200)
        store.close()
        #expect(try directory.files() == ["LOCK", "segments/1", "shoal.sqlite"])
    }

    @Test func `finds the body that was altered on the disk`() async throws {
        let directory = TemporaryDirectory()
        let store = try DiskStore(directory: directory.path)
        try store.createBucket(.named(photos))
        try await store.put([1, 2, 3], as: "good")
        try await store.put([4, 5, 6], as: "bad")
        try await store.put([7, 8, 9], as: "cut")
        store.close()
        let segment = directory.path + "/segments/1"
        #expect(try TemporaryDirectory.read(segment) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        try TemporaryDirectory.write([1, 2, 3, 4, 0, 6, 7, 8], to: segment)
        let quick = try StoreCheck(directory: directory.path)
        #expect(quick.findings == [.missing(bucket: "photos", key: "cut", path: segment)])
        let whole = try StoreCheck(directory: directory.path, verifyContent: true)
        #expect(whole.alteredCount == 1)
        #expect(whole.findings.contains(.altered(bucket: "photos", key: "bad", path: segment)))
        #expect(whole.objectCount == 3)
    }
}
