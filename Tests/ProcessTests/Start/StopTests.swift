import Glibc
import ShoalProcess
import ShoalWire
import Testing

@Suite struct `A stop` {
    /// A server, a PUT that is half sent, and a connection between two exchanges.
    private struct Scene {
        let folder = TemporaryFolder()
        let server: ServerProcess
        let busy: S3Client
        let idle: S3Client
        let body = [UInt8](repeating: 7, count: 400_000)

        var arguments: [String] { ["--data", folder.path, "--bucket", "stopped"] }

        init() throws {
            server = try ServerProcess(["--data", folder.path, "--bucket", "stopped"])
            busy = server.connect()
            idle = server.connect()
            // 100 Continue is the proof that the exchange has begun.
            busy.wire.send(
                try busy.head("PUT", "stopped/a", headers: [("expect", "100-continue")], bodyByteCount: body.count))
            #expect(busy.wire.receiveResponse()?.status == 100)
            busy.wire.send(Array(body[..<1_000]))
            #expect(try idle.send("HEAD", "stopped")?.status == 200)
        }

        /// Sends the signal and returns when the server is about to stop: idle connections are closed then.
        func stop(_ signal: Int32) {
            server.child.send(signal)
            #expect(idle.wire.receive().end == .fin)
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `finishes the exchange in flight and ends with 0`(signal: Int32) throws {
        let scene = try Scene()
        scene.stop(signal)
        scene.busy.wire.send(Array(scene.body[1_000...]))
        let response = try #require(scene.busy.wire.receiveResponse())
        #expect(response.status == 200)
        #expect(response["ETag"] == scene.body.quotedETag)
        #expect(scene.busy.wire.receive().end == .fin)
        #expect(try scene.server.child.wait().end == .code(0))

        let next = try ServerProcess(scene.arguments)
        #expect(try next.connect().send("GET", "stopped/a")?.body.isSame(as: scene.body) == true)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `is cut short by a second signal`(signal: Int32) throws {
        let scene = try Scene()
        scene.stop(signal)
        scene.server.child.send(signal)
        // Without the second signal it would wait ten seconds for the rest of the body.
        #expect(try scene.server.child.wait(milliseconds: 5_000).end == .code(128 + signal))

        let next = try ServerProcess(scene.arguments)
        #expect(try next.connect().send("HEAD", "stopped/a")?.status == 404)
    }

    @Test func `does not wait for those who follow the journal`() throws {
        let server = try ServerProcess(["--ephemeral"])
        let follower = server.connect().wire
        follower.send("GET /_shoal/v1/scopes/default/journal/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        _ = follower.receive { statuses(in: $0) == [200] }
        #expect(try server.connect().send("GET", "")?.status == 200)
        server.child.send(SIGTERM)
        // Half of the ten seconds that exchanges in flight are given.
        #expect(try server.child.wait(milliseconds: 5_000).end == .code(0))
        #expect(follower.receive().end == .fin)
    }

    @Test func `removes an ephemeral directory`() throws {
        let folder = TemporaryFolder()
        let server = try ServerProcess(["--ephemeral", "--bucket", "gone"], environment: ["TMPDIR": folder.path])
        #expect(try server.connect().send("PUT", "gone/a", body: [1, 2, 3])?.status == 200)
        #expect(File.names(in: folder.path).count == 1)
        #expect(try server.stop() == .code(0))
        #expect(File.names(in: folder.path) == [])
    }

    @Test func `leaves a directory without logs, which the next start opens as it is`() throws {
        let folder = TemporaryFolder()
        let server = try ServerProcess(["--data", folder.path, "--bucket", "left"])
        #expect(try server.connect().send("PUT", "left/a", body: [1, 2, 3])?.status == 200)
        #expect(try server.stop() == .code(0))
        #expect(File.names(in: folder.path + "/log") == [])
        #expect(File.names(in: folder.path + "/staging") == [])
        #expect(!File.exists(folder.path + "/shoal.sqlite-wal"))
    }
}
