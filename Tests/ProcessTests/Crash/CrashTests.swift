import Glibc
import ShoalFaults
import ShoalProcess
import ShoalWire
import Testing

/// The fault `crash`, which needs a process of its own: the server ends as by SIGKILL and is started again.
@Suite struct `A server that a rule crashes` {
    private static let body = [UInt8](repeating: 0x61, count: 100_000)

    private static func server(_ arguments: String...) throws -> ServerProcess {
        try ServerProcess(["--ephemeral", "--supervise", "--bucket", "photos"] + arguments)
    }

    private static func run(_ words: String..., on server: ServerProcess) throws -> CommandResult {
        try ShoalCommand.run(words + ["--endpoint", server.endpoint])
    }

    private static func arm(_ line: String, on server: ServerProcess) throws {
        let result = try run("fault", "add", line, on: server)
        try #require(result.succeeded, "\(result)")
    }

    /// Returns when requests are accepted again, on the same port.
    private static func waitForRestart(_ server: ServerProcess) throws {
        #expect(server.child.readLine() == "shoal: listening on \(server.endpoint)")
    }

    private static func rule(at point: FaultPoint, isUpload: Bool) -> String {
        let site =
            switch point {
            case .responseHeadAt: "\(point.rawValue)(17)"
            default: point.takesPosition ? "\(point.rawValue)(50%)" : point.rawValue
            }
        return point.precedesRequest
            ? "@\(point.rawValue) 1*crash(10ms)"
            : "\(isUpload ? "PutObject" : "GetObject") a @\(site) 1*crash(10ms) per=rule"
    }

    @Test(arguments: FaultPoint.allCases.filter { $0 != .listen })
    func `keeps what it had stored, and is there again`(point: FaultPoint) throws {
        let isUpload = ![.readOpen, .readAt, .responseAt].contains(point)
        let usesTLS = point == .tlsHello || point == .tlsDone
        let server = try Self.server("--admin-listen", "127.0.0.1:0", usesTLS ? "--tls" : "--log=text")
        let admin = try #require(server.child.readLine()?.split(separator: " ").last.map(String.init))
        if !isUpload { #expect(try server.connect().send("PUT", "photos/a", body: Self.body[...])?.status == 200) }
        let added = try ShoalCommand.run(
            ["fault", "add", Self.rule(at: point, isUpload: isUpload), "--endpoint", admin])
        try #require(added.succeeded, "\(added)")

        let client = server.connect()
        let expects = point == .continueDue ? [("Expect", "100-continue")] : []
        client.wire.send(
            try client.head(
                isUpload ? "PUT" : "GET", "photos/a", headers: expects, bodyByteCount: isUpload ? Self.body.count : 0))
        if isUpload, point != .continueDue { client.wire.send(Self.body) }
        #expect(client.wire.receive().end != .silence)

        #expect(server.child.readLine() == "shoal: listening on \(server.endpoint)")
        if usesTLS { #expect(server.child.readLine()?.hasPrefix("shoal: clients have to trust ") == true) }
        #expect(server.child.readLine() == "shoal: admin API on \(admin)")
        let answer = try #require(try server.connect().send("GET", "photos/a"))
        #expect(answer.status == (point.isStored || !isUpload ? 200 : 404))
        if answer.status == 200 { #expect(answer.body.isSame(as: Self.body)) }
        let journal = try ShoalCommand.run(["journal", "--endpoint", admin])
        #expect(journal.output.contains("point=\(point.rawValue) action=crash(10ms)"))
        try server.stop()
    }

    @Test func `goes on with its rules, clocks, scopes and attempts, and judges over the crash`() throws {
        let server = try Self.server("--rng-seed", "7")
        try Self.arm("PutObject a @commit.after 1*crash(10ms)", on: server)
        try Self.arm("PutObject b @auth 2*SlowDown", on: server)
        #expect(try Self.run("clock", "+1m", on: server).succeeded)
        let scope = try Self.run("scope", "new", "other", "--bucket", "photos", on: server)
        #expect(scope.succeeded)

        #expect(try server.connect().send("PUT", "photos/b", body: [1])?.status == 503)
        #expect(try server.connect().send("PUT", "photos/a", body: Self.body[...]) == nil)
        try Self.waitForRestart(server)

        #expect(try server.connect().send("PUT", "photos/b", body: [1])?.status == 503)
        #expect(try server.connect().send("PUT", "photos/b", body: [1])?.status == 200)
        #expect(try server.connect().send("HEAD", "photos/a")?.status == 200)
        #expect(try Self.run("clock", on: server).output.contains("1m ahead"))
        #expect(try Self.run("scope", "ls", on: server).output.contains("other"))
        let verdict = try Self.run(
            "verify", "one-commit key=a", "attempts key=b min=3 max=3", "fired rule=r1 n=1", on: server)
        #expect(verdict.succeeded, "\(verdict)")
        let rules = try Self.run("fault", "ls", "--json", on: server)
        #expect(rules.output.contains("\"fired\":2"))
        try server.stop()
    }

    @Test func `forgets what nobody has synced, and only that of the scope`() throws {
        let server = try Self.server()
        let client = server.connect()
        #expect(try client.send("PUT", "photos/kept", body: [1])?.status == 200)
        #expect(try client.send("PUT", "photos/changed", body: [1])?.status == 200)
        try Self.arm("PutObject last @commit.before 1*crash(10ms,forgetUnsynced=true)", on: server)
        #expect(try client.send("PUT", "photos/new", body: [2])?.status == 200)
        #expect(try client.send("PUT", "photos/changed", body: [2, 2])?.status == 200)
        #expect(try client.send("PUT", "photos/last", body: [3]) == nil)
        try Self.waitForRestart(server)
        let again = server.connect()
        #expect(try again.send("GET", "photos/kept")?.body == [1])
        #expect(try again.send("GET", "photos/changed")?.body == [1])
        #expect(try again.send("GET", "photos/new")?.status == 404)
        #expect(try again.send("GET", "photos/last")?.status == 404)
        try server.stop()
    }

    @Test func `forgets nothing where each commit is synced`() throws {
        let server = try Self.server("--durability", "power")
        try Self.arm("PutObject last @commit.after 1*crash(10ms,forgetUnsynced=true)", on: server)
        #expect(try server.connect().send("PUT", "photos/new", body: [2])?.status == 200)
        #expect(try server.connect().send("PUT", "photos/last", body: [3]) == nil)
        try Self.waitForRestart(server)
        #expect(try server.connect().send("GET", "photos/new")?.body == [2])
        #expect(try server.connect().send("GET", "photos/last")?.body == [3])
        try server.stop()
    }

    @Test func `comes back after any other SIGKILL as well, and stops when it is told to`() throws {
        let server = try Self.server()
        #expect(try server.connect().send("PUT", "photos/a", body: [1])?.status == 200)
        let children = try File.text("/proc/\(server.child.pid)/task/\(server.child.pid)/children")
        let child = try #require(pid_t(children.filter(\.isNumber)))
        kill(child, SIGKILL)
        try Self.waitForRestart(server)
        #expect(try server.connect().send("GET", "photos/a")?.body == [1])
        #expect(try server.stop() == .code(0))
    }

    @Test func `ends with the status of SIGKILL if nobody watches over it`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        try Self.arm("PutObject a @auth crash", on: server)
        #expect(try server.connect().send("PUT", "photos/a", body: [1]) == nil)
        #expect(try server.child.wait().end == .code(137))
    }
}
