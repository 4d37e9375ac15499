import ShoalFaults
import ShoalWire
import Testing

@Suite struct `A client that leaves in the middle of a fault` {
    @Test func `is not counted when its gate is released`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject a @commit.before pause(gate)")
        let request = try s3.request(S3Call("PUT", "photos", "a", body: "x"))
        let (staying, leaving) = (server.connection, server.connection)
        for connection in [staying, leaving] { connection.send(request.bytes) }
        _ = try admin.journal { $0.count { $0.ev == "fault" } == 2 }
        leaving.reset()
        _ = try admin.journal { $0.contains { $0.ev == "conn.close" } }
        #expect(try admin.json("POST", "/gates/gate/release")["released"]?.integer == 1)
        #expect(staying.receiveResponse()?.status == 200)
    }

    @Test func `during a hang at accept is written down`() throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        try admin.arm("@accept hang")
        var connection: WireClient? = server.connection
        _ = try admin.journal { $0.contains { $0.ev == "fault" } }
        connection?.finishSending()
        connection = nil
        let events = try admin.journal { $0.contains { $0.ev == "conn.close" } }
        #expect(events.first { $0.ev == "conn.close" }?["by"]?.string == "peer")
    }

    @Test func `with half of its body unsent still gets the answer of the rule`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("PutObject a @auth SlowDown")
        let request = try s3.request(S3Call("PUT", "photos", "a", body: pattern(2_000)))
        let connection = server.connection
        connection.send(Array(request.bytes.dropLast(1_000)))
        connection.finishSending()
        let (bytes, end) = connection.receive()
        #expect(WireResponse(parsing: bytes, isHead: false)?.code == "SlowDown")
        #expect(end == .fin)
    }
}
