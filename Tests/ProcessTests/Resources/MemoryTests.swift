import Glibc
import ShoalProcess
import ShoalWire
import Testing

/// Figures are printed; bounds are generous, because a debug build and a busy machine count as well.
@Suite(.serialized) struct `The memory of a server` {
    private static let connectionCount = 5_000
    /// Both ends of each connection, and what this process has open otherwise.
    private static let descriptorCountNeeded = connectionCount + 500
    #if DEBUG
        private static let isOptimised = false
    #else
        private static let isOptimised = true
    #endif

    private static func mebibytes(_ byteCount: Int) -> String {
        let tenths = (byteCount * 10) >> 20
        return "\(tenths / 10).\(tenths % 10) MiB"
    }

    @Test(
        .disabled(
            if: ProcessFacts.raiseDescriptorLimit() < descriptorCountNeeded,
            "5,000 connections need a hard limit of open files (`ulimit -Hn`) of at least 5,500"))
    func `grows by less than 2 KiB for each idle connection`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "idle"])
        #expect(try server.connect().send("HEAD", "idle")?.status == 200)
        let before = try ProcessFacts.memory(of: server.child.pid).resident
        var clients: [WireClient] = []
        for _ in 0..<Self.connectionCount { clients.append(WireClient(port: server.port)) }
        // The connections are accepted in order: an answer on the last one means that all are there.
        let last = server.connect()
        #expect(try last.send("HEAD", "idle")?.status == 200)
        let after = try ProcessFacts.memory(of: server.child.pid).resident
        let each = (after - before) / Self.connectionCount
        print("idle: \(Self.mebibytes(before)); with 5,000 connections: \(Self.mebibytes(after)), \(each) bytes each")
        #expect(each < 2_048)
        withExtendedLifetime(clients) {}
    }

    @Test func `is the same for an upload of 1 GiB as for one of 5 MiB`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "large"])
        let idle = try ProcessFacts.memory(of: server.child.pid)
        try upload(mebibyteCount: 5, to: server)
        let small = try ProcessFacts.memory(of: server.child.pid)
        try upload(mebibyteCount: 1_024, to: server)
        let large = try ProcessFacts.memory(of: server.child.pid)
        print(
            "peak after the start: \(Self.mebibytes(idle.peak)); 5 MiB upload: \(Self.mebibytes(small.peak)); "
                + "1 GiB upload: \(Self.mebibytes(large.peak))")
        #expect(large.peak - small.peak < 8 << 20)
        #expect(large.peak < (Self.isOptimised ? 40 : 80) << 20)
    }

    @Test func `is given back by uploads that break off`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "broken"])
        try breakOff(uploadCount: 20, at: server)
        let before = try ProcessFacts.memory(of: server.child.pid).resident
        try breakOff(uploadCount: 200, at: server)
        let after = try ProcessFacts.memory(of: server.child.pid).resident
        print("after 20 broken uploads: \(Self.mebibytes(before)); after 200 more: \(Self.mebibytes(after))")
        #expect(after - before < 16 << 20)
    }

    /// Each sends 240 KiB of 2 MiB, and gets its answer to that.
    private func breakOff(uploadCount: Int, at server: ServerProcess) throws {
        for _ in 0..<uploadCount {
            let client = server.connect()
            client.wire.send(try client.head("PUT", "broken/a", bodyByteCount: 2 << 20))
            client.wire.send([UInt8](repeating: 42, count: 240 << 10))
            client.wire.finishSending()
            #expect(client.wire.receiveResponse()?.status == 400)
        }
    }

    private func upload(mebibyteCount: Int, to server: ServerProcess) throws {
        let client = server.connect()
        let piece = [UInt8](repeating: 42, count: 1 << 20)
        client.wire.send(
            try client.head("PUT", "large/\(mebibyteCount)", bodyByteCount: mebibyteCount << 20))
        for _ in 0..<mebibyteCount { try #require(client.wire.send(piece)) }
        #expect(client.wire.receiveResponse(milliseconds: 60_000)?.status == 200)
        let head = try server.connect().send("HEAD", "large/\(mebibyteCount)")
        #expect(head?["Content-Length"] == "\(mebibyteCount << 20)")
    }
}
