import ShoalFaults
import ShoalJSON
import ShoalServer
import Testing

@Suite struct `Faults of chance on the wire` {
    /// Uploads 40 keys, each with a signature of its own, from so many connections at a time; which were struck.
    private static func strikes(seed: UInt64, document: String, connectionCount: Int) throws -> [Bool] {
        let server = try TestServer { $0.rngSeed = seed }
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.json("POST", "/rules", document)
        var statuses: [Int: Int] = [:]
        for batch in stride(from: 0, to: 40, by: connectionCount) {
            let connections = try (batch..<min(batch + connectionCount, 40)).reversed().map { number in
                let connection = server.connection
                connection.send(try CountingTests.upload(s3, "k\(number)", seconds: .random(in: 60...600)).bytes)
                return (number, connection)
            }
            for (number, connection) in connections {
                statuses[number] = try #require(connection.receiveResponse()).status
            }
        }
        return (0..<40).map { statuses[$0] == 503 }
    }

    @Test func `strike the same uploads for the same seed, however they arrive`() throws {
        let rule = "PutObject @auth 30%SlowDown id=dice"
        let first = try Self.strikes(seed: 42, document: rule, connectionCount: 1)
        #expect(first.contains(true) && first.contains(false))
        #expect(try Self.strikes(seed: 42, document: rule, connectionCount: 4) == first)
        #expect(try Self.strikes(seed: 42, document: rule, connectionCount: 16) == first)
        #expect(try Self.strikes(seed: 43, document: rule, connectionCount: 4) != first)
        // A document's own seed comes before the server's.
        let file = #"{"shoal":1,"seed":42,"rules":["\#(rule)"]}"#
        #expect(try Self.strikes(seed: 7, document: file, connectionCount: 4) == first)
    }

    @Test func `tell their seed at the start and with the rule, and what was drawn with the strike`() throws {
        let server = try TestServer { $0.rngSeed = 4_711 }
        let (s3, admin) = (S3Client(server), AdminClient(server))
        #expect(server.log.contains("seed=4711"), "\(server.log)")
        let id = try admin.arm("PutObject @auth 100%SlowDown")
        #expect(!CountingTests.isAnswered(s3, try CountingTests.upload(s3, "a")))
        let events = try admin.journal { $0.contains { $0.ev == "fault" } }
        #expect(events.first { $0.ev == "rule.added" }?["seed"] == 4_711)
        let fault = try #require(events.first { $0.ev == "fault" })
        guard case .number(let u) = fault["u"] else {
            Issue.record("\(fault.text)")
            return
        }
        #expect(u >= 0 && u < 1)
        #expect(fault["counter"] == 1 && fault["arrival"] == 1)
        #expect(try admin.json("GET", "/rules/\(id)")["seed"] == 4_711)
    }

    @Test func `have a seed of their own where none was given`() throws {
        let servers = try (0..<2).map { _ in try TestServer() }
        let seeds = servers.compactMap { $0.log.firstMatch(of: #/seed=(\d+)/#)?.output.1 }
        #expect(seeds.count == 2 && seeds[0] != seeds[1])
    }

    @Test func `draw delays and positions, and show them`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject @body.at(random) delay(uniform,min=1ms,max=20ms)->reset")
        let request = try s3.request(
            S3Call("PUT", "photos", "a", body: pattern(100_000)), .presigned(seconds: 60))
        #expect(!CountingTests.isAnswered(s3, request))
        let faults = try admin.journal { events in events.count { $0.ev == "fault" } == 2 }.filter { $0.ev == "fault" }
        let offset = try #require(faults[0]["offset"]?.integer)
        #expect(offset >= 0 && offset < 100_000)
        #expect(faults[1]["offset"]?.integer == offset && faults[1]["action"]?.string == "reset")
        #expect(faults[0]["action"]?.string?.wholeMatch(of: #/delay\(\d+ms\)/#) != nil, "\(faults[0].text)")
    }
}
