import ShoalFaults
import ShoalJSON
import ShoalWire
import Testing

@Suite struct `A rule at listen` {
    /// Events of the rule, as `what action`, once there are so many.
    private func events(of rule: String, _ admin: AdminClient, count: Int) throws -> [String] {
        let isMeant = { (event: JSON) in
            event["rule"]?.string == rule && ["fault", "fault.end"].contains(event.ev)
        }
        return try admin.journal { $0.count(where: isMeant) >= count }.filter(isMeant).map {
            #expect($0["point"]?.string == "listen")
            return "\($0.ev) \($0["action"]?.string ?? "")"
        }
    }

    @Test(arguments: [(FaultAction.Name.refuse, ConnectionAttempt.Outcome.refused), (.connectHang, .silence)])
    func `strikes whoever connects from when it is in force until it is removed`(
        action: FaultAction.Name, outcome: ConnectionAttempt.Outcome
    ) throws {
        let server = try TestServer()
        let scope = try TestScope(server, port: true)
        let port = try #require(scope.port)
        let kept = scope.s3.connection
        #expect(try scope.s3.send(scope.s3.request(S3Call("GET", "photos", "a")), on: kept).status == 404)
        let rule = try scope.admin.arm("@listen \(action.rawValue)")
        for _ in 0..<3 { #expect(ConnectionAttempt.outcome(port: port) == outcome) }
        // Nobody else notices, nor does a connection that stands.
        #expect(try scope.s3.send(scope.s3.request(S3Call("GET", "photos", "a")), on: kept).status == 404)
        #expect(try S3Client(server).put("a", "x").status == 200)
        let status = try scope.admin.json("GET", "/rules/\(rule)")
        #expect(status["fired"]?.integer == 1 && status["matched"]?.integer == 1)
        _ = try scope.admin.send("DELETE", "/rules/\(rule)")
        #expect(try scope.s3.put("a", "x").status == 200)
        #expect(
            try events(of: rule, scope.admin, count: 2) == ["fault \(action.rawValue)", "fault.end \(action.rawValue)"])
        #expect(try scope.end().neverFired.isEmpty)
    }

    @Test(arguments: [("refuse", ConnectionAttempt.Outcome.refused), ("connectHang", .silence)])
    func `ends by itself after its time, and not before`(action: String, outcome: ConnectionAttempt.Outcome) throws {
        let server = try TestServer()
        let scope = try TestScope(server, port: true)
        let start = ContinuousClock.now
        let rule = try scope.admin.arm("@listen \(action)(150ms)")
        #expect(
            try events(of: rule, scope.admin, count: 2) == ["fault \(action)(150ms)", "fault.end \(action)(150ms)"])
        #expect(ContinuousClock.now - start >= .milliseconds(150))
        #expect(try scope.s3.put("a", "x").status == 200)
        // The rule is there, and has run.
        #expect(try scope.admin.json("GET", "/rules/\(rule)")["remaining"] == nil)
    }

    @Test func `does one thing after the other`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, port: true)
        let rule = try scope.admin.arm("@listen delay(50ms)->refuse(50ms)->connectHang")
        let begun = try events(of: rule, scope.admin, count: 4)
        #expect(
            begun == ["fault delay(50ms)", "fault refuse(50ms)", "fault.end refuse(50ms)", "fault connectHang"])
        #expect(ConnectionAttempt.outcome(port: try #require(scope.port)) == .silence)
        #expect(try scope.admin.firings(of: rule) == 1)
    }

    @Test func `that hangs lets in whoever still tries when it ends`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, port: true)
        let rule = try scope.admin.arm("@listen connectHang")
        let port = try #require(scope.port)
        let late = ConnectionAttempt(port: port)
        #expect(late.outcome(milliseconds: 50) == .silence)
        _ = try scope.admin.send("DELETE", "/rules/\(rule)")
        // The kernel sends a SYN again after a second.
        #expect(late.outcome(milliseconds: 10_000) == .connected)
        #expect(try scope.s3.put("a", "x").status == 200)
    }

    @Test func `gives way to the one before it, and follows when that is gone`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, port: true)
        let port = try #require(scope.port)
        let first = try scope.admin.arm("@listen refuse")
        try scope.admin.arm("@listen connectHang")
        #expect(ConnectionAttempt.outcome(port: port) == .refused)
        _ = try scope.admin.send("DELETE", "/rules/\(first)")
        #expect(ConnectionAttempt.outcome(port: port) == .silence)
        try scope.admin.json("PUT", "/rules", "@listen refuse")
        #expect(ConnectionAttempt.outcome(port: port) == .refused)
        #expect(try scope.admin.send("POST", "/reset").status == 200)
        #expect(ConnectionAttempt.outcome(port: port, milliseconds: 10_000) == .connected)
    }

    @Test func `resets connections that nobody has accepted, and keeps the number from others`() throws {
        let server = try TestServer()
        let scope = try TestScope(server, port: true)
        let port = try #require(scope.port)
        try scope.admin.arm("@listen refuse")
        // Whoever lets the kernel choose never gets it.
        let others = (0..<200).map { _ in LoopbackPort() }
        #expect(!others.map(\.number).contains(port))
        try scope.admin.json("PUT", "/rules", "@listen connectHang")
        try scope.admin.json("PUT", "/rules", "@listen refuse")
        #expect(ConnectionAttempt.outcome(port: port) == .refused)
        _ = try scope.admin.send("DELETE", "/rules")
        #expect(try scope.s3.put("a", "x").status == 200)
    }

    @Test func `is refused without a port, and the answer says how to get one`() throws {
        let server = try TestServer()
        let scope = try TestScope(server)
        for admin in [scope.admin, AdminClient(server)] {
            let answer = try admin.send("POST", "/rules", "@listen refuse(5s)")
            #expect(answer.status == 400)
            #expect(
                answer.text.contains("this scope has none of its own; make one that has: `shoal scope new NAME --port`")
            )
            #expect(try admin.json("GET", "/rules")["rules"]?.elements.isEmpty == true)
        }
    }

    @Test(arguments: [
        ("@listen refuse client=10.*", "nothing is known"),
        ("@listen refuse skip=1", "'skip' has no meaning"), ("@listen 2*refuse", "'times' has no meaning"),
        ("@listen 10%refuse", "'probability' has no meaning"),
        ("@listen refuse expires=5s", "'expires' has no meaning"),
        ("@listen refuse,connectHang", "'sequence' has no meaning"),
        ("@listen refuse per=client", "counting is per rule"),
        ("@listen refuse->connectHang", "nothing can follow 'refuse' without a time"),
        ("@listen refuse(8d)", "'refuse' lasts from 1 ms to 7 days"),
        ("@listen refuse(5s)->delay(1s)", "'delay' at 'listen' goes before"),
    ])
    func `that has no meaning is refused in words`(line: String, detail: String) throws {
        let server = try TestServer()
        let scope = try TestScope(server, port: true)
        let answer = try scope.admin.send("POST", "/rules", line)
        #expect(answer.status == 400 && answer.text.contains(detail), "\(answer.text)")
        #expect(ConnectionAttempt.outcome(port: try #require(scope.port), milliseconds: 10_000) == .connected)
    }
}
