import ShoalFaults
import ShoalJSON
import ShoalWire
import Testing

@Suite struct `A limit of connections` {
    private func request(_ s3: S3Client) throws -> WireRequest { try s3.request(S3Call("GET", "photos", "a")) }

    /// Two connections that have carried a request, so that they count.
    private func two(_ s3: S3Client) throws -> [WireClient] {
        try (0..<2).map { _ in
            let connection = s3.connection
            let answer = try s3.send(request(s3), on: connection)
            #expect(answer.status == 404)
            return connection
        }
    }

    @Test(
        arguments: [("connectionLimit(2)", WireClient.End.reset), ("connectionLimit(2,close)", .fin)], [true, false])
    func `ends what is above it`(limit: (action: String, end: WireClient.End), hasPort: Bool) throws {
        let server = try TestServer()
        let scope = hasPort ? try TestScope(server, port: true) : nil
        let (s3, admin) = (scope?.s3 ?? S3Client(server), scope?.admin ?? AdminClient(server))
        let rule = try admin.arm("@accept \(limit.action)")
        let open = try two(s3)
        #expect(try admin.firings(of: rule) == 0)
        for _ in 0..<2 { #expect(s3.connection.receive() == ([], limit.end)) }
        #expect(try admin.firings(of: rule) == 2)
        #expect(try s3.send(request(s3), on: open[0]).status == 404)
        withExtendedLifetime(open) {}
    }

    @Test func `answers 503 in S3's form and ends the connection`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let rule = try admin.arm("@accept connectionLimit(2,then=503)")
        let open = try two(s3)
        let third = s3.connection
        let answer = try s3.send(s3.request(S3Call("PUT", "photos", "a", body: "x")), on: third)
        #expect(answer.status == 503 && answer.code == "ServiceUnavailable" && answer["Connection"] == "close")
        #expect(answer["x-shoal-fault"] == "\(rule) at accept")
        #expect(third.receive().end == .fin)
        #expect(try s3.send(request(s3), on: open[0]).status == 404)
        let head = try admin.exchange { $0["method"]?.string == "PUT" }
        #expect(head.contains { $0.ev == "response.head" && $0["status"]?.integer == 503 })
        withExtendedLifetime(open) {}
    }

    @Test func `lets others wait in their order until one ends`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let rule = try admin.arm("@accept connectionLimit(2,queue)")
        var open = try two(s3)
        let waiting = try (0..<3).map { number in
            let connection = s3.connection
            connection.send(try request(s3).bytes)
            _ = try admin.journal { $0.count { $0.ev == "fault" } == number + 1 }
            return connection
        }
        for connection in waiting { #expect(connection.receive(milliseconds: 50).end == .silence) }
        open.removeFirst()
        #expect(waiting[0].receiveResponse()?.status == 404)
        for connection in waiting[1...] { #expect(connection.receive(milliseconds: 50).end == .silence) }
        // The rule goes, and nobody waits any more.
        _ = try admin.send("DELETE", "/rules/\(rule)")
        for connection in waiting[1...] { #expect(connection.receiveResponse()?.status == 404) }
        withExtendedLifetime(open) {}
    }

    @Test func `counts again those that have ended`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        let rule = try admin.arm("@accept connectionLimit(2)")
        let open = try two(s3)
        #expect(s3.connection.receive().end == .reset)
        for connection in open { connection.reset() }
        // The server learns of an end in its own time.
        let status = try (0..<1_000).lazy.map { _ in
            let connection = s3.connection
            connection.send(try request(s3).bytes)
            return connection.receiveResponse()?.status
        }.first { $0 != nil }
        #expect(status == 404)
        #expect(try admin.firings(of: rule) ?? 0 >= 1)
    }

    @Test func `ends with the server though connections wait`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("@accept connectionLimit(2,queue)")
        let open = try two(s3)
        let waiting = s3.connection
        _ = try admin.journal { $0.contains { $0.ev == "fault" } }
        server.stop()
        #expect(waiting.receive().end != .silence)
        withExtendedLifetime(open) {}
    }

    @Test(arguments: [
        ("@accept connectionLimit", "'connectionLimit' needs its parameter"),
        ("@accept connectionLimit(0)", "lets 1 to 65535 connections be open"),
        ("@accept connectionLimit(2,then=drop)", "no end of 'connectionLimit' is called 'drop'"),
        ("@accept connectionLimit(2),pass", "is no step of a sequence"),
        ("@accept connectionLimit(2,queue)->connectionLimit(3)", "both say what the rule strikes"),
        ("any @auth connectionLimit(2)", "which is 'accept', not 'auth'"),
    ])
    func `that has no meaning is refused in words`(line: String, detail: String) throws {
        let answer = try AdminClient(try TestServer()).send("POST", "/rules", line)
        #expect(answer.status == 400 && answer.text.contains(detail), "\(answer.text)")
    }
}
