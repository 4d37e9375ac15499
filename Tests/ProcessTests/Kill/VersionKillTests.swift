import Glibc
import ShoalProcess
import ShoalSeeded
import ShoalWire
import Testing

/// The same with a bucket that keeps versions: writes, delete markers and removals of single versions.
@Suite(.serialized) struct `A server with versions that is killed` {
    private static let bucket = "kill-test"
    private static let writerCount = 6

    @Test(arguments: [("process", 20), ("power", 6)])
    func `keeps every version it acknowledged, and none it removed`(durability: String, roundCount: Int) throws {
        let seed =
            getenv("SHOAL_TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 0...UInt64.max)
        print("kill -9 of versions with seed \(seed)")
        let folder = TemporaryFolder()
        let arguments = ["--data", folder.path + "/data", "--bucket", Self.bucket, "--durability", durability]
        var random = SeededGenerator(seed: seed)
        let writers = (0..<Self.writerCount).map {
            VersionWriter($0, bucket: Self.bucket, seed: random.next())
        }
        do {
            for round in 0..<roundCount {
                let server = try ServerProcess(arguments)
                if round == 0 { try Self.keepVersions(server) }
                try Self.verify(writers, server)
                try load(writers.map { $0.run }, server, exchangeCount: Int.random(in: 1...60, using: &random))
                #expect(try server.child.wait().end == .signal(SIGKILL))
            }
            let server = try ServerProcess(arguments)
            try Self.verify(writers, server)
            #expect(try server.stop() == .code(0))
            let check = try ShoalCommand.run(["fsck", folder.path + "/data", "--content"])
            #expect(check.output.contains(" 0 acknowledged but missing") && check.output.contains(" 0 altered"))
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }

    private static func keepVersions(_ server: ServerProcess) throws {
        let body = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
        let answer = try server.connect().send(
            "PUT", bucket, query: [("versioning", "")], body: Array(body.utf8)[...])
        guard answer?.status == 200 else { throw Surprise("no versions") }
    }

    private static func verify(_ writers: [VersionWriter], _ server: ServerProcess) throws {
        let client = server.connect()
        for writer in writers { try writer.verify(client) }
    }
}
