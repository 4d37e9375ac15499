import Glibc
import ShoalNet
import ShoalProcess
import ShoalSeeded
import ShoalWire
import Synchronization
import Testing

/// Rounds of load, SIGKILL at a random moment, and a restart on the same directory.
///
/// A failure prints its seed; `SHOAL_TEST_SEED` runs it again, as far as the scheduler allows.
@Suite(.serialized) struct `A server that is killed` {
    private static let bucket = "kill-test"
    private static let writerCount = 6
    /// Exchanges of a round, at most; the last one kills.
    private static let exchangeCountMax = 60

    @Test(arguments: [("process", 50), ("power", 12)])
    func `keeps what it acknowledged`(durability: String, roundCount: Int) throws {
        let seed = Self.seed()
        let folder = TemporaryFolder()
        let data = folder.path + "/data"
        let arguments = ["--data", data, "--bucket", Self.bucket, "--durability", durability]
        var random = SeededGenerator(seed: seed)
        let content = Content(&random)
        let writers = (0..<Self.writerCount).map { number in
            Writer(number, bucket: Self.bucket, content: content, seed: random.next())
        }
        do {
            for _ in 0..<roundCount {
                let server = try ServerProcess(arguments)
                try Self.verify(writers, server)
                try load(
                    writers.map { $0.run }, server,
                    exchangeCount: Int.random(in: 1...Self.exchangeCountMax, using: &random)
                )
                #expect(try server.child.wait().end == .signal(SIGKILL))
                try Self.checkAfterKill(data)
            }
            try Self.checkAtRest(data, arguments, writers)
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }

    private static func seed() -> UInt64 {
        let seed =
            getenv("SHOAL_TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 0...UInt64.max)
        print("kill -9 with seed \(seed)")
        return seed
    }

    /// Everything the writers know, and a listing that says the same.
    private static func verify(_ writers: [Writer], _ server: ServerProcess) throws {
        let client = server.connect()
        for writer in writers { try writer.verify(client) }
        guard let list = try client.send("GET", bucket, query: [("list-type", "2")]), list.status == 200 else {
            throw Surprise("no listing")
        }
        let listed = list.text.split(separator: "<Key>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        let stored = writers.flatMap { writer in writer.keys.filter { writer.histories[$0]?.acknowledged != nil } }
        guard listed == stored.sorted() else { throw Surprise("listed \(listed), stored \(stored.sorted())") }
    }

    /// Nothing acknowledged is missing, looked at before any start could repair it.
    private static func checkAfterKill(_ data: String) throws {
        let check = try ShoalCommand.run(["fsck", data, "--content"])
        guard check.output.contains(" 0 acknowledged but missing"), check.output.contains(" 0 altered") else {
            throw Surprise("after the kill: \(check)")
        }
    }

    /// A start sweeps beside the traffic, and a stop ends the sweep; so a few starts may pass until nothing is left.
    private static func checkAtRest(_ data: String, _ arguments: [String], _ writers: [Writer]) throws {
        var check: CommandResult
        var startCount = 0
        repeat {
            let server = try ServerProcess(arguments)
            try verify(writers, server)
            guard try server.stop() == .code(0) else { throw Surprise("no orderly end: \(server.child.errorText)") }
            check = try ShoalCommand.run(["fsck", data, "--content"])
            startCount += 1
        } while !check.succeeded && startCount < 5
        guard check.succeeded else { throw Surprise("at rest: \(check)") }
        guard File.names(in: data + "/staging").isEmpty else { throw Surprise("a file is left in staging") }
        print("at rest after \(startCount) starts: \(check.output)", terminator: "")
    }
}

/// All writers at once, until the one that begins exchange number `exchangeCount` kills the server inside it.
func load(
    _ writers: [(S3Client, _ turn: () -> Bool, _ kill: () -> Void) throws -> Void], _ server: ServerProcess,
    exchangeCount: Int
) throws {
    let begun = Atomic(0)
    let failures = Mutex<[String]>([])
    withThreads(
        writers.map { run in
            let client = server.connect()
            return {
                do {
                    try run(
                        client, { begun.add(1, ordering: .relaxed).newValue == exchangeCount },
                        { server.child.send(SIGKILL) })
                } catch {
                    failures.withLock { $0.append("\(error)") }
                    server.child.send(SIGKILL)
                }
            }
        })
    if let failure = failures.withLock({ $0.first }) { throw Surprise(failure) }
}

/// Runs every body on a thread of its own and waits for all. Each body is used by its thread alone.
func withThreads(_ bodies: [() -> Void]) {
    struct Body: @unchecked Sendable {
        // Handed from this thread to one other, and back by the join.
        let run: () -> Void
    }
    let threads = bodies.map { body in
        let body = Body(run: body)
        return Thread(name: "test") { body.run() }
    }
    for thread in threads { thread.join() }
}
