import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalWire
import Testing

/// What the store does wrong, at every point at which it can be told to.
@Suite struct `A store that` {
    private static let body = pattern(WireStrike.size)

    /// The journal's last word about the store.
    private func change(_ struck: StruckExchange) throws -> String? {
        let events = try struck.admin.journal { $0.contains { $0.ev == "response.head" } }
        return events.last { $0.ev == "store" }?["change"]?.string
    }

    @Test(arguments: WireStrike.possible(.loseWrite))
    func `loses a write answers as if it had it`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 200)
        #expect(answer["ETag"] == etag(of: Self.body))
        #expect(try change(struck) == "lost")
        try struck.expect(stored: false)
    }

    @Test(arguments: WireStrike.possible(.tornWrite))
    func `tears a write keeps its beginning under the tag of the whole`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let tag = try struck.finish()["ETag"]
        #expect(tag == etag(of: Self.body))
        let read = try struck.s3.get("a")
        #expect(read.body == Array(Self.body.prefix(WireStrike.half)))
        #expect(read["ETag"] == tag)
        #expect(try struck.admin.firings(of: struck.rule) == 1)
    }

    @Test(arguments: WireStrike.possible(.corruptStored))
    func `corrupts what it stores changes one bit and keeps the tag`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let tag = try struck.finish()["ETag"]
        let read = try struck.s3.get("a")
        var expected = Self.body
        expected[WireStrike.half] ^= 1
        #expect(read.body == expected)
        #expect(read["ETag"] == tag)
    }

    @Test(arguments: WireStrike.possible(.corruptRead))
    func `corrupts what it reads does so on the way out alone`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        var expected = Self.body
        expected[WireStrike.half] ^= 1
        #expect(try struck.finish().body == expected)
        #expect(try struck.s3.get("a").body == Self.body)
    }

    @Test(arguments: WireStrike.possible(.duplicate))
    func `duplicates a write commits it as often as it was told`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        #expect(try struck.finish().status == 200)
        let events = try struck.admin.journal { $0.contains { $0.ev == "response.head" } }
        #expect(events.count { $0.ev == "store" && $0["change"]?.string == "committed" } == 3)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.visibility))
    func `hides a write shows it once its time is over`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        #expect(try struck.finish().status == 200)
        #expect(try struck.s3.get("a").status == 404)
        #expect(try struck.s3.send(S3Call("HEAD", "photos", "a")).status == 404)
        #expect(try !struck.s3.send(S3Call("GET", "photos", query: [("list-type", "2")])).text.contains("<Key>a</Key>"))
        // Ground truth is never hidden.
        #expect(try struck.admin.json("GET", "/objects")["objects"]?.elements.count == 1)
        _ = try struck.admin.json("PUT", "/clock", #"{"advance":"3s"}"#)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.staleRead))
    func `reads what is stale finds the version before`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        // What was written before the rule came is not noted, so that the first read finds it as it is.
        #expect(try struck.finish().body == Self.body)
        try struck.s3.put("a", "second")
        let again = try struck.admin.arm("GetObject a @\(strike.point.rawValue) staleRead per=rule")
        try struck.s3.put("a", "third")
        #expect(try struck.s3.get("a").text == "second")
        #expect(try struck.admin.firings(of: again) == 1)
        #expect(try struck.admin.send("DELETE", "/rules").status == 204)
        #expect(try struck.s3.get("a").text == "third")
    }

    @Test(arguments: WireStrike.possible(.diskFull))
    func `has a full disk says so and keeps nothing`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 503)
        #expect(answer.text.contains("<Code>ServiceUnavailable</Code>"))
        try struck.expect(stored: false)
        #expect(try change(struck) != "committed")
    }

    @Test(arguments: WireStrike.possible(.ioError).filter(\.isUpload))
    func `cannot write says InternalError and keeps nothing`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 500)
        #expect(answer.text.contains("<Code>InternalError</Code>"))
        try struck.expect(stored: false)
    }

    @Test(arguments: WireStrike.possible(.ioError).filter { !$0.isUpload })
    func `cannot read breaks off, and can the next time`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let (bytes, ending) = struck.connection.receive()
        #expect(ending != .silence)
        let end = String(decoding: bytes, as: UTF8.self).firstRange(of: "\r\n\r\n")?.upperBound
        #expect(end.map { bytes.count == String(decoding: bytes, as: UTF8.self)[..<$0].utf8.count } ?? true)
        #expect(try struck.s3.get("a").body == Self.body)
    }

    @Test(arguments: WireStrike.possible(.slowDisk))
    func `is slow answers as usual, and later`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        let answer = try struck.finish()
        #expect(answer.status == 200)
        if !strike.isUpload { #expect(answer.body == Self.body) }
        let events = try struck.admin.journal { events in
            events.drop { $0.ev != "fault" }.contains { $0.ev == "response.end" }
        }
        let struckAt = try #require(events.first { $0.ev == "fault" }?["mono"]?.integer)
        let answeredAt = try #require(events.last { $0.ev == "response.head" }?["mono"]?.integer)
        // The loop's clock is that of its last turn.
        #expect(answeredAt - struckAt >= 100_000_000)
        try struck.expect(stored: true)
    }

    @Test(arguments: WireStrike.possible(.zombie))
    func `commits late lets the connection go, and the older bytes win in the end`(strike: WireStrike) throws {
        let struck = try StruckExchange(strike)
        #expect(struck.connection.receive() == ([], .reset))
        #expect(try struck.s3.get("a").status == 404)
        try struck.s3.put("a", "newer")
        let events = try struck.admin.journal { events in
            events.count { $0.ev == "store" && $0["change"]?.string == "committed" } == 2
        }
        #expect(events.last { $0.ev == "store" }?["size"]?.integer == Int64(WireStrike.size))
        try struck.expect(stored: true)
    }
}
