import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

@Suite struct `The scope's clock` {
    static let instant = Timestamp(seconds: 1_750_000_000)

    @Test func `is what Date, Last-Modified and expiry follow (aws-cli#1065)`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.freeze(at: Self.instant)
        let put = try s3.send(S3Call("PUT", "photos", "a", body: "x"), at: Self.instant)
        #expect(put["Date"] == Self.instant.httpDate)
        let get = try s3.request(S3Call("GET", "photos", "a"), .presigned(seconds: 60), at: Self.instant)
        #expect(try s3.send(get)["Last-Modified"] == Self.instant.httpDate)
        let later = try admin.json("PUT", "/clock", #"{"advance":"61s"}"#)
        #expect(later["now"]?.string == Self.instant.adding(seconds: 61).iso8601)
        #expect(later["frozen"] == true)
        let expired = try s3.send(get)
        #expect(expired.status == 403)
        #expect(expired["Date"] == Self.instant.adding(seconds: 61).httpDate)
    }

    @Test(
        arguments: [
            (#"{"offset":"+20m"}"#, 1_200_000), (#"{"offset":-90000}"#, -90_000), (#"{"advance":"1h30m"}"#, 5_400_000),
            (#"{"offset":0}"#, 0),
        ] as [(String, Int64)])
    func `runs apart from the real time by what it is told`(body: String, milliseconds: Int64) throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        let reading = try admin.json("PUT", "/clock", body)
        // Two readings of the machine's clock may lie a few milliseconds apart.
        #expect(try abs(#require(reading["offsetMs"]?.integer) - milliseconds) <= 1_000)
        #expect(reading["frozen"] == false)
        let date = try #require(S3Client(server).get("a")["Date"].flatMap { Timestamp(httpDate: $0) })
        #expect(abs(date.seconds - S3Client.now.seconds - milliseconds / 1_000) <= 10)
    }

    @Test func `refuses a phone whose own clock is off, and the answer tells it the time`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try AdminClient(server).json("PUT", "/clock", #"{"offset":"+20m"}"#)
        let answer = try s3.get("a")
        #expect(answer.code == "RequestTimeTooSkewed")
        let date = try #require(answer["Date"].flatMap { Timestamp(httpDate: $0) })
        #expect(try s3.send(S3Call("GET", "photos", "a"), at: date).status == 404)
    }

    @Test func `stands where it is told and goes on from there`() throws {
        let server = try TestServer()
        let admin = AdminClient(server)
        #expect(try admin.json("PUT", "/clock", #"{"freeze":true}"#)["frozen"] == true)
        try admin.freeze(at: Self.instant)
        #expect(try admin.json("GET", "/clock")["now"]?.string == Self.instant.iso8601)
        let running = try admin.json("PUT", "/clock", #"{"freeze":false}"#)
        #expect(running["frozen"] == false)
        let now = try #require(running["now"]?.string.flatMap { Timestamp(iso8601: $0) })
        #expect(now >= Self.instant && now < Self.instant.adding(seconds: 60))
        let set = try admin.json("PUT", "/clock", #"{"now":"2030-01-01T00:00:00Z"}"#)
        #expect(set["now"]?.string?.hasPrefix("2030-01-01T00:00:0") == true)
        let events = try admin.journal { events in events.count { $0.ev == "clock.set" } == 4 }
        #expect(events.filter { $0.ev == "clock.set" }.map { $0["frozen"] } == [true, true, false, false])
    }

    @Test(arguments: [
        ("{}", "one of 'offset', 'now', 'freeze' and 'advance'"), (#"{"offset":1,"now":"x"}"#, "one of 'offset'"),
        (#"{"now":"yesterday"}"#, "an instant is due here"), (#"{"offset":"soon"}"#, "a span is due here"),
        ("[", "at byte"),
        (#"{"ofset":1}"#, "offset"),
    ])
    func `says what is wrong with a change`(body: String, detail: String) throws {
        let server = try TestServer()
        let answer = try AdminClient(server).send("PUT", "/clock", body)
        #expect(answer.status == 400)
        #expect(try JSONParser.parse(answer.body)["detail"]?.string?.contains(detail) == true, "\(answer.text)")
    }

    /// texera#3837: expiry is judged when the head is complete.
    @Test func `lets an upload end that began before its URL expired`() throws {
        let server = try TestServer()
        let (s3, admin) = (S3Client(server), AdminClient(server))
        try admin.freeze(at: Self.instant)
        let call = S3Call("PUT", "photos", "a", unsigned: [("Expect", "100-continue")], body: "hello")
        let request = try s3.request(call, .presigned(seconds: 60), at: Self.instant)
        let connection = server.connection
        connection.send(request.head)
        #expect(connection.receiveResponse()?.status == 100)
        try admin.freeze(at: Self.instant.adding(seconds: 3_600))
        connection.send(request.body)
        #expect(connection.receiveResponse()?.status == 200)
        #expect(try s3.send(request).element("Message") == "Request has expired")
    }
}
