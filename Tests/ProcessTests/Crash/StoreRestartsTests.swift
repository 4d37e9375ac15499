import ShoalProcess
import ShoalWire
import Testing

/// The preset that takes the process with it.
@Suite struct `The preset store-restarts` {
    @Test(arguments: ["commit.after", "commit.before"], [true, false])
    func `passes an app that looks, and fails one that does not`(point: String, looks: Bool) throws {
        let server = try ServerProcess(["--ephemeral", "--supervise", "--bucket", "photos"])
        let environment = ["SHOAL_ENDPOINT": server.endpoint]
        let applied = try ShoalCommand.run(
            ["preset", "apply", "store-restarts", "away=10ms", "point=\(point)"], environment: environment)
        try #require(applied.succeeded, "\(applied)")
        #expect(try server.connect().send("PUT", "photos/a.jpg", body: [1]) == nil)
        #expect(server.child.readLine() == "shoal: listening on \(server.endpoint)")

        let isStored = looks ? try server.connect().send("HEAD", "photos/a.jpg")?.status == 200 : false
        #expect(!looks || isStored == (point == "commit.after"))
        if !isStored { #expect(try server.connect().send("PUT", "photos/a.jpg", body: [1])?.status == 200) }
        let verdict = try ShoalCommand.run(["verify", "--preset", "store-restarts"], environment: environment)
        #expect(verdict.end == .code(looks ? 0 : 1), "\(verdict)")
        try server.stop()
    }
}
