import ShoalTesting
import ShoalWire
import Testing

/// What a user of the library writes: one server for all tests of a file, a scope for each.
private let shoal = Result { try Shoal.start() }

/// Sends one request to a presigned URL on a connection of its own; nil if it was not answered.
func send(
    _ method: String, to link: (url: String, headers: [(name: String, value: String)]), _ body: String = "",
    _ shoal: Shoal
) throws -> WireResponse? {
    let connection = WireClient(port: shoal.port)
    connection.send(try request(method, to: link, body))
    return connection.receiveResponse()
}

/// The request on the wire.
func request(
    _ method: String, to link: (url: String, headers: [(name: String, value: String)]), _ body: String
) throws -> String {
    let address = link.url.dropFirst("http://".count)
    let slash = try #require(address.firstIndex(of: "/"))
    var text = "\(method) \(address[slash...]) HTTP/1.1\r\nHost: \(address[..<slash])\r\n"
    for header in link.headers where header.name.lowercased() != "host" {
        text += "\(header.name): \(header.value)\r\n"
    }
    return text + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

@Suite struct `A Shoal in a test process` {
    @Test func `speaks TLS with an authority that a test can trust`() throws {
        let shoal = try Shoal.start(tls: true)
        #expect(shoal.endpoint == "https://127.0.0.1:\(shoal.port)")
        let scope = try shoal.scope(buckets: ["photos"])
        try scope.fault("PutObject @commit.after 1*tls.truncate")
        let link = try scope.presign("PUT", "photos", "a.jpg")
        #expect(link.url.hasPrefix("https://127.0.0.1:"))
        let connection = WireClient(port: shoal.port, tls: WireTLS.Trust(shoal.authorityPEM))
        let plain = (url: "http" + link.url.dropFirst("https".count), headers: link.headers)
        connection.send(try request("PUT", to: plain, "x"))
        #expect(connection.receive().end == .fin)
        #expect(try scope.objects().map(\.key) == ["a.jpg"])
        shoal.stop()
    }

    @Test func `breaks an upload after it was stored, and says what was stored`() throws {
        let shoal = try shoal.get()
        let scope = try shoal.scope(buckets: ["photos"])
        let rule = try #require(try scope.fault("PutObject @commit.after 1*reset").first)
        let link = try scope.presign("PUT", "photos", "a.jpg", headers: [("content-type", "image/jpeg")])
        #expect(try send("PUT", to: link, "x", shoal) == nil)
        #expect(try scope.objects().map(\.key) == ["a.jpg"])
        #expect(try send("PUT", to: link, "xy", shoal)?.status == 200)
        let object = try #require(try scope.objects(in: "photos").first)
        #expect(object.size == 2 && object.contentType == "image/jpeg")
        #expect(try scope.rules().map(\.fired) == [1])
        let events = try scope.journal()
        #expect(events.filter { $0.kind == "fault" }.map { $0["rule"] } == [rule.id])
        #expect(events.count { $0.kind == "store" && $0["change"] == "committed" } == 2)
        let last = events.last?.sequence ?? 0
        #expect(try scope.journal(since: last).allSatisfy { $0.sequence > last })
        let report = try scope.end()
        #expect(report.neverFired.isEmpty && report.openUploads.isEmpty)
    }

    @Test(arguments: 0..<8)
    func `keeps tests apart that run beside each other (fail-rs#24, fail-rs#80)`(number: Int) throws {
        let shoal = try shoal.get()
        let scope = try shoal.scope("beside-\(number)", buckets: ["photos"])
        if number % 2 == 0 { try scope.fault("PutObject @auth respond(SlowDown)") }
        let link = try scope.presign("PUT", "photos", "a")
        #expect(try send("PUT", to: link, "\(number)", shoal)?.status == (number % 2 == 0 ? 503 : 200))
        #expect(try scope.objects().count == number % 2)
        try scope.end()
    }

    @Test func `mints links that have their accident in them`() throws {
        var options = Shoal.Options()
        options.allowsRequestFaults = true
        let shoal = try Shoal.start(options)
        let scope = try shoal.scope(buckets: ["photos"])
        let link = try scope.presign("PUT", "photos", "a", fault: "commit.after 1*reset")
        #expect(try send("PUT", to: link, "x", shoal) == nil)
        #expect(try scope.objects().map(\.key) == ["a"])
        #expect(try send("PUT", to: link, "x", shoal)?.status == 200)
    }

    @Test func `gives a scope a port of its own`() throws {
        let shoal = try shoal.get()
        let scope = try shoal.scope(buckets: ["photos"], port: true)
        let port = try #require(scope.port)
        #expect(scope.endpoint == "http://127.0.0.1:\(port)" && port != shoal.port)
        #expect(try scope.presign("GET", "photos", "a").url.hasPrefix(scope.endpoint))
        try scope.fault("@accept reset")
        #expect(WireClient(port: port).receive().end == .reset)
        try scope.end()
    }

    @Test func `moves the time of links`() throws {
        let shoal = try shoal.get()
        let scope = try shoal.scope(buckets: ["photos"])
        try scope.freeze(at: "2030-01-01T00:00:00Z")
        #expect(try scope.now() == "2030-01-01T00:00:00.000Z")
        let link = try scope.presign("PUT", "photos", "a", expires: 60)
        #expect(try send("PUT", to: link, "x", shoal)?.status == 200)
        try scope.advance(by: .seconds(61))
        #expect(try send("PUT", to: link, "x", shoal)?.text.contains("Request has expired") == true)
        try scope.setClock(aheadBy: .zero)
        try scope.resume()
        try scope.reset()
        #expect(try scope.objects().isEmpty && scope.rules().isEmpty)
        try scope.end()
    }

    @Test func `judges a client that sends again without looking, and one that looks`() throws {
        let shoal = try shoal.get()
        let scope = try shoal.scope(buckets: ["photos"])
        try scope.fault("PutObject @commit.after 1*reset")
        let link = try scope.presign("PUT", "photos", "a")
        #expect(try send("PUT", to: link, "x", shoal) == nil)
        #expect(try scope.verify("verified-after-unknown").isGood)
        #expect(try send("PUT", to: link, "x", shoal)?.status == 200)
        try scope.note("told the backend")
        let good = try scope.verify("attempts min=2 max=2", "notified-after-commit note=told*")
        #expect(good.isGood, "\(good)")
        let bad = try scope.verify("one-commit key=a", "verified-after-unknown")
        #expect(bad.results.map(\.outcome) == [.fail, .fail, .pass] && !bad.isGood)
        #expect(bad.description.contains("rule: PutObject @commit.after 1*reset"), "\(bad)")
        #expect(try scope.wait(until: "attempts min=2", timeout: .zero))
        #expect(try !scope.wait(until: "attempts min=3", timeout: .milliseconds(1)))
        #expect(try scope.verify("quiet for=1ms").isGood)
        #expect(throws: ShoalError.self) { try scope.verify("one-comit") }
        try scope.end()
    }

    @Test func `knows scenes by their names, and what to ask of an app in them`() throws {
        let shoal = try shoal.get()
        let scope = try shoal.scope(buckets: ["photos"])
        let rules = try scope.preset("lost-answer", ["times": "1", "key": "*.jpg"])
        #expect(rules.map(\.line) == ["PutObject *.jpg @commit.after 1*reset per=key id=lost-answer"])
        let link = try scope.presign("PUT", "photos", "a.jpg")
        #expect(try send("PUT", to: link, "x", shoal) == nil)
        let good = try scope.verify(preset: "lost-answer", ["key": "*.jpg"])
        #expect(good.isGood && good.results.count == 3, "\(good)")
        #expect(try send("PUT", to: link, "x", shoal)?.status == 200)
        #expect(try !scope.verify(preset: "lost-answer").isGood)
        let error = #expect(throws: ShoalError.self) { try scope.preset("lost-anser") }
        #expect(error?.description.contains("'lost-answer'") == true)
        #expect(throws: ShoalError.self) { try scope.verify(preset: "lost-answer", ["kex": "a"]) }
        try scope.end()
    }

    @Test func `takes a rule that never struck for a failure, unless that is fine`() throws {
        let scope = try shoal.get().scope(buckets: ["photos"])
        try scope.fault("PutObject @auth reset")
        #expect(try !scope.verify().isGood)
        #expect(try scope.verify(silentRulesAreFine: true).isGood)
        try scope.end()
    }

    @Test func `holds a request at a gate until it is released`() throws {
        let shoal = try shoal.get()
        let scope = try shoal.scope(buckets: ["photos"])
        let rules = try scope.fault("PutObject @auth pause(door)\nGetObject @auth reset")
        #expect(rules.count == 2)
        let link = try scope.presign("PUT", "photos", "a")
        let connection = WireClient(port: shoal.port)
        connection.send(try request("PUT", to: link, "x"))
        var released = 0
        for _ in 0..<100_000 where released == 0 { released = try scope.release(gate: "door") }
        #expect(released == 1)
        #expect(connection.receiveResponse()?.status == 200)
        try scope.removeRule(rules[1].id)
        try scope.clearFaults()
        #expect(try scope.rules().isEmpty)
        try scope.end()
    }

    @Test func `says in words what cannot be`() throws {
        let shoal = try shoal.get()
        let scope = try shoal.scope("twice")
        #expect(throws: ShoalError.self) { try shoal.scope("twice") }
        #expect(throws: ShoalError.self) { try shoal.main.end() }
        #expect(throws: ShoalError.self) { try scope.presign("PUT", "P", "a") }
        let text = "column 12: no point is called 'comit.after'; the nearest is 'commit.after'"
        do {
            try scope.fault("PutObject @comit.after reset")
            Issue.record("the rule was taken")
        } catch let error as ShoalError {
            #expect(error.description.contains(text), "\(error)")
        }
        try scope.end()
        #expect(throws: ShoalError.self) { try scope.rules() }
    }

    @Test func `is as many as there are tests, each with a port and a directory of its own`() throws {
        var options = Shoal.Options()
        options.buckets = ["photos"]
        (options.accessKeyId, options.secretAccessKey) = ("mine", "my-secret")
        let (one, two) = (try Shoal.start(options), try Shoal.start(options))
        #expect(one.port != two.port)
        #expect(one.main.accessKeyId == "mine" && one.main.name == "default")
        let link = try one.main.presign("PUT", "photos", "a")
        #expect(try send("PUT", to: link, "x", one)?.status == 200)
        #expect(try two.main.objects().isEmpty)
        #expect(try one.main.openUploads().isEmpty)
        try one.reset()
        #expect(try one.main.objects().isEmpty)
        one.stop()
        one.stop()
        options.port = two.port
        #expect(throws: ShoalError.self) { try Shoal.start(options) }
        options.buckets = ["P"]
        #expect(throws: ShoalError.self) { try Shoal.start(options) }
    }
}
