import ShoalCrypto
import ShoalS3
import ShoalStore
import Testing

/// Directories that an older Shoal left.
@Suite struct `A store of an older format` {
    private static let fixtures =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/fixtures/store"

    private func directory(_ format: Int) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory.copy(of: "\(Self.fixtures)/format-\(format)")
        // Left out of the fixture for its size: 300,000 times the letter x.
        for folder in ["blobs", "blobs/00"] { _ = try SystemDisk().makeDirectory(directory.path + "/" + folder) }
        try TemporaryDirectory.write(
            [UInt8](repeating: UInt8(ascii: "x"), count: 300_000),
            to: directory.path + "/blobs/00/00d0f934d0ff3400d300000000000000")
        return directory
    }

    @Test func `opens with all it has and takes what the new one can do`() async throws {
        let directory = try directory(1)
        let store = try DiskStore(directory: directory.path)
        #expect(store.buckets().map(\.name.text) == ["photos"])
        #expect(try store.walk() == ["large.txt", "small.txt"].map { Array($0.utf8) })
        #expect(try store.bytes(of: "small.txt") == Array("small and old".utf8))
        #expect(try store.bytes(of: "large.txt")?.count == 300_000)
        #expect(try store.record(of: path("small.txt"))?.upload == nil)
        let upload = try store.begin("small.txt")
        try await store.putPart([1, 2], 1, of: upload)
        try store.complete(upload, "small.txt", [1])
        #expect(try store.contents(of: "small.txt") == [1, 2])
        store.close()
        #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean)
    }

    /// The server was killed: its log holds what the catalogue has not.
    @Test func `opens with its versions and with what only its log holds`() async throws {
        let directory = try TemporaryDirectory.copy(of: "\(Self.fixtures)/format-3")
        for folder in ["blobs", "staging"] { _ = try SystemDisk().makeDirectory(directory.path + "/" + folder) }
        let store = try DiskStore(directory: directory.path)
        #expect(store.buckets().map(\.name.text) == ["films", "photos"])
        #expect(try store.walk() == ["a.txt", "b.txt", "c.txt"].map { Array($0.utf8) })
        #expect(try store.bytes(of: "a.txt") == Array("the second".utf8))
        #expect(try store.bytes(of: "c.txt") == Array("only in the log too".utf8))
        #expect(try store.record(of: path("a.txt"))?.attributes.isEmpty == false)
        let page = try store.listVersions(photos, VersionQuery())
        #expect(page.entries.count == 6)
        #expect(try store.current(path("gone.txt"))?.isDeleteMarker == true)
        #expect(try store.outboxCounts().isEmpty)
        store.close()
        #expect(try StoreCheck(directory: directory.path, verifyContent: true).isClean)
    }

    @Test func `is not checked before it is brought up to date, and says so`() throws {
        let directory = try directory(1)
        let error = #expect(throws: StoreError.self) { try StoreCheck(directory: directory.path) }
        #expect(error?.description.contains("starting Shoal once brings it up to date") == true)
    }
}
