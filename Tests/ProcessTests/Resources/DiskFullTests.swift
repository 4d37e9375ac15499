import ShoalProcess
import ShoalWire
import Testing

@Suite(.disabled(if: Tmpfs.isMissing, "\(Tmpfs.reason)")) struct `A disk that is full` {
    private static let mebibyteCount = 24

    /// The number of objects that fitted, and the answer to the first that did not.
    private func fill(_ client: S3Client, byteCount: Int) throws -> (stored: Int, refusal: WireResponse) {
        for number in 0..<(Self.mebibyteCount << 20) / byteCount + 1 {
            let body = Self.body(number, byteCount)
            let response = try #require(try client.send("PUT", "full/\(byteCount)/\(number)", body: body[...]))
            if response.status != 200 { return (number, response) }
        }
        throw Surprise("more fitted than the disk holds")
    }

    private static func body(_ number: Int, _ byteCount: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number + 1), count: byteCount)
    }

    @Test(arguments: [20_000, 1 << 20], ["process", "power"])
    func `refuses writes in words, and serves all it has, then and after a restart`(
        byteCount: Int, durability: String
    ) throws {
        let tmpfs = try Tmpfs(mebibyteCount: Self.mebibyteCount)
        let arguments = ["--data", tmpfs.path + "/data", "--bucket", "full", "--durability", durability]
        let server = try ServerProcess(arguments)
        let (stored, refusal) = try fill(server.connect(), byteCount: byteCount)
        #expect(stored > 0)
        try expectRefusal(refusal)
        try expectAll(0..<stored, byteCount, server)
        #expect(try server.connect().send("GET", "full/\(byteCount)/\(stored)")?.status == 404)
        for _ in 0..<20 {
            let body = Self.body(stored, byteCount)
            let again = try server.connect().send("PUT", "full/\(byteCount)/\(stored)", body: body[...])
            try expectRefusal(try #require(again))
        }
        #expect(
            try server.connect().send("GET", "full", query: [("list-type", "2"), ("max-keys", "1")])?.status == 200)
        #expect(server.child.errorText.contains("No space left on device"), "\(server.child.errorText)")
        #expect(try server.stop() == .code(0))

        let next = try ServerProcess(arguments)
        try expectAll(0..<stored, byteCount, next)
    }

    @Test(arguments: [20_000, 1 << 20], ["process", "power"])
    func `gets its space back by deleting, and goes on`(byteCount: Int, durability: String) throws {
        let tmpfs = try Tmpfs(mebibyteCount: Self.mebibyteCount)
        let arguments = ["--data", tmpfs.path + "/data", "--bucket", "full", "--durability", durability]
        let server = try ServerProcess(arguments)
        let (stored, refusal) = try fill(server.connect(), byteCount: byteCount)
        try expectRefusal(refusal)
        let client = server.connect()
        for number in 0..<stored {
            #expect(try client.send("DELETE", "full/\(byteCount)/\(number)")?.status == 204)
        }
        try expectSpace(byteCount, server)
        #expect(try server.stop() == .code(0))
        let check = try ShoalCommand.run(["fsck", tmpfs.path + "/data", "--content"])
        #expect(check.end == .code(0), "\(check)")
    }

    /// Space comes back in the background; each refusal meanwhile is in words. A refusal ends its connection, because
    /// the body that follows is not wanted.
    private func expectSpace(_ byteCount: Int, _ server: ServerProcess) throws {
        for _ in 0..<5_000 {
            let body = Self.body(9, byteCount)
            let response = try #require(try server.connect().send("PUT", "full/again", body: body[...]))
            if response.status == 200 { return }
            try expectRefusal(response)
        }
        Issue.record("no space came back")
    }

    private func expectRefusal(_ refusal: WireResponse) throws {
        #expect(refusal.status == 503)
        #expect(refusal.text.contains("<Code>ServiceUnavailable</Code>"), "\(refusal.text)")
        #expect(refusal.text.contains("The disk that holds this store is full."), "\(refusal.text)")
    }

    private func expectAll(_ numbers: Range<Int>, _ byteCount: Int, _ server: ServerProcess) throws {
        let client = server.connect()
        for number in numbers {
            let response = try #require(try client.send("GET", "full/\(byteCount)/\(number)"))
            #expect(
                response.status == 200 && response.body.isSame(as: Self.body(number, byteCount)), "object \(number)")
        }
    }
}
