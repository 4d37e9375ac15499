import ShoalFaults
import ShoalHTTP
import ShoalJSON
import ShoalS3
import Testing

@Suite struct `The history of an operation` {
    /// A new signed URL for the same key is the same upload: the journal knows two names, the history one.
    @Test func `links a new signed URL to the upload it is for`() throws {
        let story = Story()
        story.refuse(at: 0, 403, .accessDenied, expired: true, signature: "one")
        story.add { ($0.at, $0.signature, $0.key) = (50, "other", "b.jpg") }
        story.add { ($0.at, $0.signature, $0.stores) = (1_010, "two", "e") }
        story.put(at: 2_000)
        let history = story.history
        #expect(history.operations.map(\.title) == ["PutObject photos/a.jpg", "PutObject photos/b.jpg"])
        let operation = history.operations[0]
        #expect(operation.attempts.map(\.ordinal) == [1, 2, 3])
        #expect(operation.attempts.map(\.gap) == [nil, 1_000_000_000, 980_000_000])
        #expect(operation.id.hasPrefix("obj-"))
        #expect(operation.aliases.count == 2 && operation.aliases.allSatisfy { $0.hasPrefix("sig-") })
        #expect(history.operation(called: operation.aliases[1])?.id == operation.id)
        #expect(history.operation(called: "sig-none") == nil)
        #expect(Set(operation.attempts.map(\.signatureHash)).count == 3)
    }

    @Test func `keeps together what the client gave one name, and apart what has another part or upload`() {
        let story = Story()
        for (at, part) in [1, 2, 1].enumerated() { story.putPart(UInt32(part), at: at * 20) }
        story.add { ($0.operation, $0.part, $0.upload, $0.at) = (.uploadPart, 1, "u2", 100) }
        for (at, key) in ["x", "y"].enumerated() {
            story.add { ($0.name, $0.key, $0.at) = ("photo 7", key, 200 + at * 20) }
        }
        #expect(story.history.operations.map(\.attempts.count) == [2, 1, 1, 2])
        #expect(story.history.operations.map(\.partNumber) == [1, 2, 1, nil])
        #expect(story.history.operations.last?.id == "photo 7")
    }

    /// What a client can know, by the point at which it was cut off; a read that broke off has failed wherever that was.
    @Test(arguments: FaultPoint.allCases.filter { $0 > .requestLine && $0 != .continueDue })
    func `says what the client can know of an attempt that was cut off`(point: FaultPoint) throws {
        for operation in [S3Operation.putObject, .getObject] {
            let story = Story()
            story.add {
                $0.operation = operation
                $0.stores = point.isStored && operation.isWrite ? "e" : nil
                $0.byteCount = 0
                $0.status = point.isAfterResponseBegan ? 200 : nil
                $0.fault = ("r", point, "reset")
            }
            let attempt = try #require(story.history.attempts.first)
            let isAnswered = point.isAfterResponseBegan
            #expect(attempt.reached == (isAnswered ? max(point, .responseEnd) : point))
            #expect(attempt.outcome == (isAnswered ? .ok : operation.isWrite ? point.clientKnowledge : .fail))
            #expect((attempt.commit != nil) == (point.isStored && operation.isWrite))
        }
    }

    @Test func `takes a whole answer as what the client knows`() {
        let story = Story()
        story.put(at: 0)
        story.refuse(at: 20, 503, .slowDown)
        // A 200 with an error in its document is a failure.
        story.add { ($0.at, $0.code) = (40, .internalError) }
        story.add { ($0.at, $0.status, $0.bodyIsCut) = (60, nil, true) }
        story.add { ($0.at, $0.status) = (80, nil) }
        let attempts = story.history.attempts
        #expect(attempts.map(\.outcome) == [.ok, .fail, .fail, .fail, .info])
        #expect(attempts.map(\.reached) == [.responseEnd, .responseEnd, .responseEnd, .bodyAt, .bodyEnd])
        #expect(attempts.map { $0.answer?.code } == [nil, .slowDown, .internalError, nil, nil])
    }

    /// A large answer is under way long after it was made, and one that a rule holds up too.
    @Test func `ends an attempt when the client can have known of it`() throws {
        func end(_ strike: FaultPoint?, bytes: UInt64) throws -> UInt64? {
            let story = Story()
            var trace = ExchangeTrace(scope: story.scope, connection: 1, exchange: 1)
            trace.identify(OperationIdentity(header: Array("x".utf8)[...]))
            trace.record(.requestHead(.init(method: "GET", operation: .getObject, bucket: "photos")), at: 100)
            trace.record(.responseHead(.init(.ok)), at: 200)
            if let strike { trace.record(.fault(.init(rule: "r", point: strike, action: "delay(1s)")), at: 250) }
            trace.record(.responseEnd(bytes: bytes), at: 300)
            story.journal.publish(&trace)
            return story.history.attempts.first?.end
        }
        #expect(try end(nil, bytes: 100) == 200)
        #expect(try end(nil, bytes: 1 << 20) == 300)
        #expect(try end(.responseHead, bytes: 100) == 300)
    }

    @Test func `is drawn along the time it took`() {
        let story = Story()
        story.refuse(at: 0, 403, .accessDenied, expired: true, signature: "one")
        story.refuse(at: 1_000, 503, .slowDown, retryAfter: 2, signature: "two")
        story.add { ($0.at, $0.length, $0.stores, $0.ordinal, $0.connection) = (3_100, 400, "e", 2, 9) }
        story.note("told\u{1B}[2J", at: 3_400)
        let history = story.history
        let lines = Timeline(history.operations[0], notes: history.notes).lines
        #expect(
            lines == [
                "PutObject photos/a.jpg (\(history.operations[0].id)): 3 attempts, 1 commit",
                "  #1    first    [=                       ]  fresh     response.end                     403 AccessDenied expired     fail",
                "  #2    +990ms   [      =                 ]  fresh     response.end  5 bytes            503 SlowDown retry after 2s  fail",
                "  #3    +2s90ms  [                     =*=]  reused    response.end  5 bytes  stored    200                          ok",
                "  note           [                       !]  told?[2J",
            ])
    }

    @Test func `counts a strike of several steps once, and keeps the lines of rules that are gone`() throws {
        let story = Story()
        try story.rules("PutObject @auth delay(1ms)->reset id=x")
        let faults = try #require(story.plan.begin(TestRequest()))
        var trace = ExchangeTrace(scope: story.scope, connection: 1, exchange: 1)
        trace.record(.requestHead(.init(method: "PUT", operation: .putObject)))
        trace.record(try #require(faults.strike(at: .auth)))
        story.journal.publish(&trace)
        try story.plan.remove("x")
        #expect(story.history.firings == ["x": 1])
        // The same firing of two operations' own counters is two.
        story.loseAnswer(at: 50)
        story.loseAnswer(at: 100)
        #expect(story.history.firings == ["x": 1, "lost": 2])
        #expect(story.history.ruleLines == ["x": "PutObject @auth delay(1ms)->reset id=x"])
        #expect(try story.verdict("fired rule=x n=1").outcome == .pass)
    }
}

@Suite struct `A rule that never struck` {
    @Test(
        arguments: [
            ("PutObject b.jpg @auth reset", "PutObject photos/a.jpg came closest: key is a.jpg, not b.jpg", ["key"]),
            (
                "GetObject b* @auth reset bucket=films",
                "PutObject photos/a.jpg came closest: op is PutObject, not GetObject and bucket is photos, not films and key is "
                    + "a.jpg, not b*", ["op", "bucket", "key"]
            ),
            (
                "PutObject @auth reset size=>5 connection=reused",
                "PutObject photos/a.jpg came closest: size is 5, not >5 and connection is fresh, not reused",
                ["size", "connection"]
            ),
            (
                "UploadPart *#2 @auth reset",
                "PutObject photos/a.jpg came closest: op is PutObject, not UploadPart and partNumber is absent, not 2",
                ["op", "partNumber"]
            ),
            (
                "PutObject @commit.after reset",
                "PutObject photos/a.jpg fits, and ended at body.at, so that commit.after was not reached", []
            ),
            (
                "PutObject @auth reset header.x-a=1",
                "all fits but perhaps header, of which the journal does not know enough", []
            ),
        ] as [(String, String, [String])])
    func `names the request that came closest and the fields that differ`(
        line: String, reason: String, fields: [String]
    ) throws {
        let story = Story()
        story.add { $0.key = "before the rule" }
        try story.rules(line + " id=x")
        story.add { ($0.operation, $0.key, $0.at) = (.deleteBucket, nil, 10) }
        story.add { ($0.at, $0.bodyIsCut, $0.status) = (20, true, nil) }
        let miss = try #require(NearMiss.of(story.plan.list(), in: story.history).first)
        #expect(miss.reason == reason)
        #expect(miss.differences.map(\.field) == fields)
        #expect(miss.attempt?.key?.description == "a.jpg" && miss.id == "x")
    }

    @Test func `says so when its count let all pass, or nothing came`() throws {
        let story = Story()
        story.put(at: 0)
        try story.rules("PutObject @auth reset skip=3 id=late", "PutObject @auth reset id=x", struck: "late", "x")
        let misses = NearMiss.of(story.plan.list(), in: story.history)
        #expect(misses.map(\.id) == ["late"])
        #expect(misses[0].reason == "no request came since the rule is in force" && misses[0].attempt == nil)
        story.put(at: 100)
        #expect(
            NearMiss.of(story.plan.list(), in: story.history)[0].reason
                == "2 requests arrived at its point, and its count let them pass")
    }
}

@Suite struct `An HTTP archive` {
    @Test func `holds each exchange with its times and what Shoal knows of it`() throws {
        let story = Story()
        story.loseAnswer(signature: "one")
        story.add { ($0.operation, $0.key, $0.part, $0.upload, $0.at) = (.uploadPart, "ü b/c", 2, "u+1", 100) }
        let log = try #require(HTTPArchive.document(story.history, base: "http://127.0.0.1:9000", version: "1")["log"])
        #expect(log["version"] == "1.2" && log["creator"]?["name"] == "shoal")
        guard case .array(let entries)? = log["entries"] else { return #expect(Bool(false)) }
        #expect(entries.count == 2)
        #expect(entries[0]["request"]?["url"] == "http://127.0.0.1:9000/photos/a.jpg")
        #expect(entries[0]["response"]?["status"] == 0 && entries[0]["_outcome"] == "info")
        #expect(entries[0]["_faults"] == ["lost: reset at commit.after"] && entries[0]["_committed"] == true)
        #expect(entries[0]["startedDateTime"] == "2026-02-03T04:05:06.789Z")
        #expect(entries[0]["time"] == .number(5))
        let url = "http://127.0.0.1:9000/photos/%C3%BC%20b/c?partNumber=2&uploadId=u%2B1"
        #expect(entries[1]["request"]?["url"] == .string(url))
        #expect(entries[1]["response"]?["statusText"] == "OK" && entries[1]["request"]?["bodySize"] == 5)
    }
}
