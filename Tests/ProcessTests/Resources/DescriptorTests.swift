import ShoalProcess
import ShoalWire
import Testing

@Suite struct `A server without file descriptors` {
    private static let descriptorCountMax = 64

    @Test func `refuses connections in its log, keeps the ones it has, and goes on when some are free`() throws {
        let server = try ServerProcess(
            ["--ephemeral", "--bucket", "narrow"], descriptorCountMax: Self.descriptorCountMax)
        let first = server.connect()
        #expect(try first.send("PUT", "narrow/a", body: [1, 2, 3])?.status == 200)

        var open: [S3Client] = []
        var isRefused = false
        while !isRefused && open.count < 2 * Self.descriptorCountMax {
            let client = server.connect()
            isRefused = try client.send("HEAD", "narrow") == nil
            if !isRefused { open.append(client) }
        }
        #expect(isRefused)
        #expect(open.count > Self.descriptorCountMax / 4)
        #expect(server.child.errorText.contains("no file descriptor is left"), "\(server.child.errorText)")
        #expect(try first.send("GET", "narrow/a")?.body == [1, 2, 3])

        // A large body needs a file of its own, and there is none left for it.
        let large = [UInt8](repeating: 5, count: 1 << 20)
        let refusal = try #require(try first.send("PUT", "narrow/large", body: large[...]))
        #expect(refusal.status == 503)
        #expect(refusal.text.contains("The server has no file descriptors left."), "\(refusal.text)")

        open = []
        let later = try #require(try stored(large, server))
        #expect(later == 200)
        #expect(try server.connect().send("GET", "narrow/large")?.body.isSame(as: large) == true)
        #expect(try server.stop() == .code(0))
    }

    @Test func `makes no scope with a port, says why, and makes it later`() throws {
        let server = try ServerProcess(["--ephemeral"], descriptorCountMax: Self.descriptorCountMax)
        let admin = server.connect()
        func make(_ name: String) throws -> WireResponse? {
            try admin.send("POST", "_shoal/v1/scopes", body: Array(#"{"name":"\#(name)","port":true}"#.utf8)[...])
        }
        var names: [String] = []
        var refusal: WireResponse?
        while refusal == nil, names.count < 2 * Self.descriptorCountMax {
            let name = "s\(names.count)"
            let answer = try #require(try make(name))
            if answer.status == 201 { names.append(name) } else { refusal = answer }
        }
        #expect(refusal?.status == 503)
        #expect(refusal?.text.contains("no file descriptor is left") == true, "\(refusal?.text ?? "")")
        #expect(try admin.send("DELETE", "_shoal/v1/scopes/\(names[0])")?.status == 200)
        #expect(try make("s\(names.count)")?.status == 201)
        #expect(try server.stop() == .code(0))
    }

    /// The server learns of closed connections in its own time, so a few attempts may still find it short.
    private func stored(_ body: [UInt8], _ server: ServerProcess) throws -> Int? {
        var status: Int?
        for _ in 0..<100 where status != 200 {
            status = try server.connect().send("PUT", "narrow/large", body: body[...])?.status ?? status
        }
        return status
    }
}
