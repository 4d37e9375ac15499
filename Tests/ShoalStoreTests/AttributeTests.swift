import ShoalS3
import ShoalStore
import Testing

@Suite struct `The attributes of an object` {
    @Test(arguments: StoreKind.all)
    func `change while everything else stays, across a crash`(kind: StoreKind) async throws {
        let directory = TemporaryDirectory()
        var store = try kind.open(directory)
        try store.createBucket(.named(photos))
        #expect(try store.updateAttributes(of: path("a"), version: nil) { _ in [1] } == nil)
        let before = try await store.put([1, 2, 3], as: "a", attributes: [5])
        let after = try #require(try store.updateAttributes(of: path("a"), version: nil) { $0.attributes + [6] })
        #expect(after.attributes == [5, 6] && after.etag == before.etag && after.lastModified == before.lastModified)
        #expect(try store.record(of: path("a")) == after)
        let crash = try TemporaryDirectory.copy(of: directory.path)
        store = try kind.open(crash)
        #expect(try store.record(of: path("a")) == after)
        #expect(try store.bytes(of: "a") == [1, 2, 3])
        try await store.put([4], as: "a")
        #expect(try store.record(of: path("a"))?.attributes == [])
    }
}
