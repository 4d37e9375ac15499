import ShoalFaults
import ShoalHTTP
import ShoalJSON
import ShoalLog
import ShoalS3
import Testing

extension Journal.Clock {
    /// 2026-02-03T04:05:06.789Z, and 5 s on the monotonic clock.
    static let standing = Journal.Clock(
        wallMilliseconds: { 1_770_091_506_789 }, monotonicNanoseconds: { 5_000_000_000 })
}

extension Journal.Page {
    var lines: [String] {
        events.map { event in
            var bytes: [UInt8] = []
            event.appendJSON(to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    var notes: [String] {
        events.compactMap { event in
            guard case .note(let text) = event.kind else { return nil }
            return text
        }
    }
}

@Suite struct `A journal` {
    @Test func `tells an exchange line by line, each with its own time`() throws {
        let journal = Journal(clock: .standing)
        var trace = ExchangeTrace(scope: JournalScope("default"), connection: 7, exchange: 2)
        trace.identify(OperationIdentity(header: Array("photo \"7\"".utf8)[...]))
        trace.record(
            .requestHead(
                .init(
                    method: "PUT", operation: .putObject, bucket: "photos", key: ObjectKey("ü.jpg".utf8),
                    contentLength: 3,
                    isPresigned: true, isConnectionReused: true, expectsContinue: true, sdkAttempt: 2, partNumber: 4)),
            at: 4_000_000_000)
        trace.record(.continueSent, at: 4_500_000_000)
        trace.record(.auth(.init(.refused, code: .accessDenied, diagnosis: "expired", scopeTime: 0)), at: 4_600_000_000)
        trace.record(.body(.init(bytes: 3, firstAt: 1, lastAt: 2)), at: 4_700_000_000)
        trace.record(
            .store(.init(.committed, size: 3, etag: "e", versionID: "v", sha256: [0xAB, 0x01])), at: 5_000_000_000)
        trace.record(.responseHead(.init(.ok)), at: 5_000_000_000)
        journal.publish(&trace)
        journal.publish(&trace)
        trace.record(.responseEnd(bytes: 0), at: 5_000_000_000)
        journal.publish(&trace)
        let begin = #""scope":"default","conn":7,"exchange":2,"op":"photo \"7\"","attempt":1,"#
        #expect(
            journal.read(scope: nil, since: 0, limit: 100).lines == [
                #"{"seq":1,"t":"2026-02-03T04:05:05.789Z","mono":4000000000,"# + begin
                    + #""ev":"request.head","method":"PUT","operation":"PutObject","bucket":"photos","key":"ü.jpg","partNumber":4,"#
                    + #""contentLength":3,"presigned":true,"connection":"reused","expectContinue":true,"sdkAttempt":2,"#
                    + #""opSource":"x-shoal-op"}"#,
                #"{"seq":2,"t":"2026-02-03T04:05:06.289Z","mono":4500000000,"# + begin + #""ev":"continue.sent"}"#,
                #"{"seq":3,"t":"2026-02-03T04:05:06.389Z","mono":4600000000,"# + begin
                    + #""ev":"auth","verdict":"refused","code":"AccessDenied","diagnosis":"expired","clock":"1970-01-01T00:00:00.000Z"}"#,
                #"{"seq":4,"t":"2026-02-03T04:05:06.489Z","mono":4700000000,"# + begin
                    + #""ev":"body","bytes":3,"firstMono":1,"lastMono":2}"#,
                #"{"seq":5,"t":"2026-02-03T04:05:06.789Z","mono":5000000000,"# + begin
                    + #""ev":"store","change":"committed","size":3,"etag":"e","versionId":"v","sha256":"ab01"}"#,
                #"{"seq":6,"t":"2026-02-03T04:05:06.789Z","mono":5000000000,"# + begin
                    + #""ev":"response.head","status":200}"#,
                #"{"seq":7,"t":"2026-02-03T04:05:06.789Z","mono":5000000000,"# + begin
                    + #""ev":"response.end","bytes":0}"#,
            ])
    }

    @Test func `tells faults, connections, rules, the clock, gates and notes`() throws {
        let journal = Journal(clock: .standing)
        let scope = JournalScope("t")
        let plan = try FaultPlan("any @body(50%) delay(1s)->reset id=x")
        let faults = try #require(plan.begin(TestRequest()))
        #expect(faults.bodyPositions == [500])
        var trace = ExchangeTrace(scope: scope, connection: 1, exchange: 1)
        trace.record(try #require(faults.strike(at: .bodyAt, offset: 500)), bodyBytesTaken: 512)
        journal.publish(&trace)
        let connection = ExchangeNumber(connection: 1, exchange: 0)
        journal.append(.connectionOpened(peer: "127.0.0.1:5"), in: scope, exchange: connection)
        journal.append(.connectionClosed(.init(by: .shoal, .rst, unreadBytes: 9)), in: scope, exchange: connection)
        journal.append(.ruleAdded(id: "x", line: "any @auth reset"), in: scope)
        journal.append(.ruleAdded(id: "y", line: "any @auth 1%reset", seed: 42), in: scope)
        journal.append(.ruleRemoved(id: "x"), in: scope)
        journal.append(.clockSet(scopeTime: 1_000, isFrozen: true), in: scope)
        journal.append(.gateReleased(name: "g", resumed: 2), in: scope)
        journal.append(.responseHead(.init(HTTPStatus(503), code: .slowDown)), in: scope)
        journal.append(.note("tapped\n\"send\""), in: scope)
        let begin = #""t":"2026-02-03T04:05:06.789Z","mono":5000000000,"scope":"t","#
        let lines = journal.read(scope: scope, since: 0, limit: 100).lines
        let fault = #""conn":1,"exchange":1,"ev":"fault","rule":"x","point":"body.at","action":"#
        let place = #","n":1,"counter":1,"arrival":1,"offset":500,"bodyBytesTaken":512}"#
        #expect(lines[0].hasSuffix(fault + #""delay(1s)""# + place), "\(lines[0])")
        #expect(lines[1].hasSuffix(fault + #""reset""# + place))
        #expect(
            lines.dropFirst(2) == [
                #"{"seq":3,\#(begin)"conn":1,"ev":"conn.open","peer":"127.0.0.1:5"}"#,
                #"{"seq":4,\#(begin)"conn":1,"ev":"conn.close","by":"shoal","how":"rst","unread":9}"#,
                #"{"seq":5,\#(begin)"ev":"rule.added","rule":"x","line":"any @auth reset"}"#,
                #"{"seq":6,\#(begin)"ev":"rule.added","rule":"y","line":"any @auth 1%reset","seed":42}"#,
                #"{"seq":7,\#(begin)"ev":"rule.removed","rule":"x"}"#,
                #"{"seq":8,\#(begin)"ev":"clock.set","clock":"1970-01-01T00:00:01.000Z","frozen":true}"#,
                #"{"seq":9,\#(begin)"ev":"gate.released","gate":"g","resumed":2}"#,
                #"{"seq":10,\#(begin)"ev":"response.head","status":503,"code":"SlowDown"}"#,
                #"{"seq":11,\#(begin)"ev":"note","text":"tapped\n\"send\""}"#,
            ])
        for line in lines { _ = try JSONParser.parse(line) }
    }

    @Test func `tells which upload, which key of a form, why an answer is no, and what broke off`() throws {
        let journal = Journal(clock: .standing)
        let scope = JournalScope("t")
        var trace = ExchangeTrace(scope: scope, connection: 1, exchange: 1)
        trace.record(
            .requestHead(
                .init(
                    method: "PUT", operation: .uploadPart, partNumber: 2, uploadID: Array("u1".utf8), signatureHash: 5,
                    isConditional: true, asksForChecksum: true)))
        trace.record(.formKey(try #require(ObjectKey("a \"b\"".utf8))))
        trace.record(.body(.init(bytes: 3, firstAt: 1, lastAt: 2, isCut: true)))
        trace.record(.store(.init(.repeated)))
        trace.record(.responseHead(.init(HTTPStatus(403), code: .accessDenied, retryAfter: 7, isExpired: true)))
        trace.record(.connectionClosed(.init(by: .peer, .fin, sentBytes: 12)))
        journal.publish(&trace)
        let lines = journal.read(scope: scope, since: 0, limit: 100).lines
        let ends = [
            #""operation":"UploadPart","uploadId":"u1","partNumber":2,"presigned":false,"connection":"fresh","#
                + #""url":"sig-0000000000000005","conditional":true,"checksumAsked":true}"#,
            #""ev":"form.key","key":"a \"b\""}"#, #""bytes":3,"firstMono":1,"lastMono":2,"cut":true}"#,
            #""ev":"store","change":"repeated"}"#,
            #""status":403,"code":"AccessDenied","retryAfter":7,"expired":true}"#,
            #""by":"peer","how":"fin","sent":12}"#,
        ]
        #expect(lines.count == ends.count)
        for (line, end) in zip(lines, ends) { #expect(line.hasSuffix(end), "\(line)") }
    }

    /// As the process does that takes the place of one that a rule has crashed.
    @Test func `goes on from the lines of another, and ends what that had under way`() throws {
        let (first, scope) = (Journal(clock: .standing), JournalScope("t"))
        let identity = OperationIdentity(signature: Array("0123".utf8)[...])
        var trace = ExchangeTrace(scope: scope, connection: 7, exchange: 2)
        trace.begin()
        trace.identify(identity)
        trace.record(
            .requestHead(
                .init(
                    method: "PUT", operation: .putObject, bucket: "photos", key: ObjectKey("a".utf8), contentLength: 3,
                    isPresigned: true, isConnectionReused: true, expectsContinue: true, sdkAttempt: 2)))
        trace.record(.auth(.init(.refused, code: .accessDenied, diagnosis: "late", scopeTime: 1_000)))
        trace.record(.body(.init(bytes: 3, firstAt: 1, lastAt: 2)))
        trace.record(.store(.init(.committed, size: 3, etag: "e", versionID: "v", sha256: [0x0A, 0xFF])))
        trace.record(
            .fault(
                .init(
                    rule: "r", point: .commitAfter, action: "crash(2s)", n: 2, counter: 3, arrival: 4,
                    u: 2_277_375_790_844_960_561, offset: 9, bodyBytesTaken: 3)))
        first.publish(&trace)
        first.append(.ruleAdded(id: "r", line: "any @auth reset", seed: 42), in: scope)
        first.append(.clockSet(scopeTime: 1_000, isFrozen: true), in: scope)
        first.append(.note("tapped"), in: scope)
        let lines = first.read(scope: scope, since: 0, limit: 100).lines

        let (second, heir) = (Journal(clock: .standing), JournalScope("t"))
        let last = second.resume(Array(lines.joined(separator: "\n").utf8)) { $0 == "t" ? heir : nil }
        #expect(last == 7)
        let taken = second.read(scope: heir, since: 0, limit: 100).lines
        #expect(Array(taken.prefix(lines.count)) == lines)
        #expect(taken.count == lines.count + 1)
        #expect(taken.last?.hasSuffix(#""attempt":1,"ev":"conn.close","by":"shoal","how":"rst"}"#) == true, "\(taken)")
        #expect(heir.nextAttempt(of: identity) == 2)
    }

    @Test func `knows how many exchanges are under way, whether or not they were published`() {
        let scope = JournalScope("t")
        var one = ExchangeTrace(scope: scope, connection: 1, exchange: 1)
        var two = ExchangeTrace(scope: scope, connection: 2, exchange: 1)
        one.begin()
        one.begin()
        two.begin()
        #expect(scope.exchangesInFlight == 2)
        one.finish()
        one.finish()
        #expect(scope.exchangesInFlight == 1)
        two.finish()
        #expect(scope.exchangesInFlight == 0)
    }

    @Test func `counts the attempts of an operation`() {
        let scope = JournalScope("t")
        func attempt(_ operation: String) -> UInt32 {
            var trace = ExchangeTrace(scope: scope, connection: 1, exchange: 1)
            trace.identify(OperationIdentity(invocation: Array(operation.utf8)[...]))
            return trace.number.attempt
        }
        #expect(["a", "a", "b", "a"].map(attempt) == [1, 2, 1, 3])
        Journal().reset(scope)
        #expect(attempt("a") == 1)
    }

    @Test func `is read page by page, scope by scope`() {
        let journal = Journal()
        let (one, two) = (JournalScope("one"), JournalScope("two"))
        for index in 0..<10 { journal.append(.note("\(index)"), in: index % 2 == 0 ? one : two) }
        var page = journal.read(scope: one, since: 0, limit: 2)
        #expect(page.notes == ["0", "2"] && page.next == 3 && page.isComplete)
        page = journal.read(scope: one, since: page.next, limit: 100)
        #expect(page.notes == ["4", "6", "8"] && page.next == 10)
        #expect(journal.read(scope: one, since: page.next, limit: 100).notes == [])
        #expect(journal.read(scope: nil, since: 7, limit: 2).notes == ["7", "8"])
        #expect(journal.read(scope: two, since: 99, limit: 2).next == 99)
    }

    @Test func `gives part of what was appended together`() {
        let journal = Journal()
        let scope = JournalScope("t")
        var trace = ExchangeTrace(scope: scope, connection: 1, exchange: 1)
        for index in 0..<5 { trace.record(.note("\(index)")) }
        journal.publish(&trace)
        #expect(journal.read(scope: scope, since: 1, limit: 2).notes == ["1", "2"])
        #expect(journal.read(scope: scope, since: 1, limit: 2).next == 3)
        #expect(journal.read(scope: scope, since: 3, limit: 9).notes == ["3", "4"])
    }

    @Test func `hides what came before a reset, of that scope alone`() {
        let journal = Journal()
        let (one, two) = (JournalScope("one"), JournalScope("two"))
        journal.append(.note("a"), in: one)
        journal.append(.note("b"), in: two)
        journal.reset(one)
        journal.append(.note("c"), in: one)
        #expect(journal.read(scope: one, since: 0, limit: 9).notes == ["c"])
        #expect(journal.read(scope: two, since: 0, limit: 9).notes == ["b"])
        #expect(journal.lastSeq == 3)
    }

    @Test func `keeps the newest events within its bounds and says what is missing`() {
        var bounds = Journal.Bounds()
        bounds.eventCountMax = 100
        let journal = Journal(bounds: bounds)
        let (busy, quiet) = (JournalScope("busy"), JournalScope("quiet"))
        for index in 0..<1_000 { journal.append(.note("\(index)"), in: busy) }
        journal.append(.note("q"), in: quiet)
        let page = journal.read(scope: busy, since: 0, limit: 10_000)
        #expect(page.notes == (901..<1_000).map(String.init) && !page.isComplete)
        #expect(journal.read(scope: busy, since: 901, limit: 1).isComplete)
        #expect(journal.read(scope: quiet, since: 0, limit: 1).isComplete)
        #expect(!journal.read(scope: nil, since: 0, limit: 1).isComplete)
    }

    @Test func `is bounded in bytes as well`() {
        var bounds = Journal.Bounds()
        bounds.byteCountMax = 100_000
        let journal = Journal(bounds: bounds)
        let scope = JournalScope("t")
        for _ in 0..<100 { journal.append(.note(String(repeating: "x", count: 10_000)), in: scope) }
        #expect((5...9).contains(journal.read(scope: scope, since: 0, limit: 1_000).events.count))
    }

    @Test func `tells whoever follows it, once for each wait`() {
        let journal = Journal()
        let (one, two) = (JournalScope("one"), JournalScope("two"))
        let told = Tally()
        #expect(journal.whenAppended(since: 0, scope: one, resume: told.add) != nil)
        journal.append(.note("not mine"), in: two)
        #expect(told.count == 0)
        journal.append(.note("mine"), in: one)
        journal.append(.note("mine"), in: one)
        #expect(told.count == 1)
        #expect(journal.whenAppended(since: 2, scope: one, resume: told.add) == nil)
        #expect(told.count == 2)
        let waiter = journal.whenAppended(since: 3, scope: nil, resume: told.add)
        if let waiter { journal.cancel(waiter) }
        journal.append(.note("unheard"), in: one)
        #expect(told.count == 2)
    }

    @Test func `gives a follower every event once, in order, while many append`() async {
        let journal = Journal()
        let scope = JournalScope("t")
        let (ready, readiness) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        async let followed: [UInt64] = {
            var seen: [UInt64] = []
            var next: UInt64 = 0
            _ = journal.whenAppended(since: 0, scope: scope) { readiness.yield() }
            for await _ in ready {
                let page = journal.read(scope: scope, since: next, limit: 1_000)
                seen += page.events.map(\.seq)
                next = page.next
                if seen.count == 4_000 { break }
                _ = journal.whenAppended(since: next, scope: scope) { readiness.yield() }
            }
            return seen
        }()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<1_000 { journal.append(.continueSent, in: scope) } } }
        }
        #expect(await followed == Array(1...4_000))
    }
}
