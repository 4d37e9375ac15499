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

    @Test func `while its change waits for the disk does not hide the change`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.arm("CreateBucket @commit.before delay(1ms)")
        // Diagnoses keep the threads busy that make the bucket, so that the client is gone before it is there.
        var stranger = s3
        stranger.secret = "wrong"
        let refused = try stranger.request(S3Call("GET", "photos", "a"))
        let strangers = (0..<8).map { _ in server.connection }
        for connection in strangers { connection.send(refused.bytes) }
        let connection = server.connection
        connection.send(try s3.request(S3Call("PUT", "trips")).bytes)
        _ = try admin.journal { $0.contains { $0.ev == "fault" } }
        _ = connection.receive(milliseconds: 5)
        connection.reset()
        for connection in strangers { #expect(connection.receiveResponse()?.status == 403) }
        guard try s3.send(S3Call("HEAD", "trips")).status == 200 else { return }
        _ = try admin.journal { $0.contains { $0.ev == "store" && $0["change"]?.string == "committed" } }
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
