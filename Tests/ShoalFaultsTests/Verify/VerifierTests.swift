import ShoalFaults
import ShoalS3
import Testing

@Suite struct `A verdict` {
    @Test(arguments: CheckCase.all)
    func `passes a journal that keeps the promise`(check: CheckCase) throws {
        let story = Story()
        try check.passes(story)
        let verdict = try story.verdict(check.line)
        #expect(verdict.outcome == .pass)
        #expect(verdict.results.map(\.outcome) == [.pass], "\(verdict.results)")
        #expect(verdict.results[0].timeline.isEmpty && verdict.results[0].wouldPass == nil)
    }

    @Test(arguments: CheckCase.all)
    func `fails a journal that breaks it, and says why and what would have passed`(check: CheckCase) throws {
        let story = Story()
        try check.fails(story)
        let verdict = try story.verdict(check.line)
        #expect(verdict.outcome == .fail)
        let result = try #require(verdict.results.first)
        #expect(result.outcome == .fail)
        #expect(result.reason.contains(check.reason), "\(result.reason)")
        #expect(result.wouldPass == check.wouldPass, "\(result)")
        // What is offered in the form of a check really passes.
        guard let right = result.wouldPass, (try? Check(line: right)) != nil else { return }
        #expect(try story.verdict(right).outcome == .pass, "\(right)")
    }

    @Test(arguments: CheckCase.all.filter(\.isSilentWhenEmpty))
    func `of an empty journal is that nothing happened`(check: CheckCase) throws {
        let verdict = try Story().verdict(check.line)
        #expect(verdict.results.map(\.outcome) == [.notApplicable], "\(verdict.results)")
        #expect(verdict.outcome == .pass)
    }

    @Test func `is tried for every check there is`() throws {
        let tried = try Set(CheckCase.all.map { try Check(line: $0.line).name })
        #expect(tried == Set(CheckName.allCases))
    }

    /// A rule that never struck is found without being asked for.
    @Test func `asks whether every rule struck, unless told not to`() throws {
        let story = Story()
        try story.rules("GetObject @auth reset id=silent")
        story.put(at: 0)
        let verdict = try story.verdict("one-commit", allFired: true)
        #expect(verdict.outcome == .fail && verdict.onlyMissesFirings)
        #expect(verdict.results.map(\.check.line) == ["one-commit", "all-fired"])
        #expect(verdict.results[1].rules == ["GetObject @auth reset id=silent"])
        #expect(try story.verdict("one-commit").outcome == .pass)
        #expect(try story.verdict("no-commit", allFired: true).onlyMissesFirings == false)
    }

    @Test func `over a journal with a gap is never a pass`() throws {
        let story = Story(eventCountMax: 20)
        for at in 0..<10 { story.put(at: at * 100) }
        let verdict = try story.verdict("attempts max=100", "no-orphan-upload", allFired: true)
        #expect(verdict.outcome == .incomplete)
        #expect(verdict.results.map(\.outcome) == [.incomplete, .notApplicable, .notApplicable])
        #expect(verdict.results[0].reason.contains("dropped from the journal"))
        #expect(try story.verdict().outcome == .incomplete)
        story.facts.openUploads = [.init(bucket: "photos", key: "b", uploadID: "u")]
        #expect(try story.verdict("no-orphan-upload").outcome == .fail)
    }

    @Test func `shows the attempts it rests on, and the rules that struck them`() throws {
        let story = Story()
        try story.rules("PutObject @commit.after 1*reset id=lost")
        story.loseAnswer()
        story.put(at: 90, stores: "e2")
        let result = try #require(try story.verdict("one-commit").results.first)
        #expect(result.rules == ["PutObject @commit.after 1*reset id=lost"])
        #expect(
            result.timeline == [
                "photos/a.jpg",
                "  #1  first  [=*                      ]  fresh  commit.after  5 bytes  stored  reset by lost  no answer  info",
                "  #2  +85ms  [                     =*=]  fresh  response.end  5 bytes  stored                 200        ok",
            ])
    }

    /// A failed run of chance can be repeated from its seed, though the rule be gone.
    @Test func `tells the seed of a rule that left something to chance`() throws {
        let story = Story()
        story.journal.append(
            .ruleAdded(id: "lost", line: "PutObject @commit.after 50%*reset", seed: 42), in: story.scope)
        story.loseAnswer()
        let result = try #require(try story.verdict("no-commit").results.first)
        #expect(result.rules == ["PutObject @commit.after 50%*reset (seed 42)"])
    }

    @Test func `counts further failures of the same kind`() throws {
        let story = Story()
        for key in ["a", "b", "c"] { story.add { ($0.key, $0.status) = (key, nil) } }
        let result = try #require(try story.verdict("one-commit").results.first)
        #expect(result.reason == "photos/a was never committed; 2 more like it")
        #expect(try story.verdict("one-commit key=b").results.first?.reason == "photos/b was never committed")
    }

    @Test func `names the nearest operation, rule and note when it knows no such one`() throws {
        let story = Story()
        story.add { ($0.name, $0.stores) = ("photo 7", "e") }
        story.note("told the backend", at: 100)
        try story.rules("PutObject @auth reset id=busy")
        let verdict = try story.verdict(
            "no-overlap op=\"photo 8\"", "fired rule=bussy", "notified-after-commit note=\"told the bakend\"")
        #expect(
            verdict.results.map(\.reason) == [
                "no operation is called 'photo 8'; the nearest is 'photo 7'",
                "no rule has the id 'bussy'; the nearest is 'busy'",
                "no such note was written; the nearest is 'told the backend'",
            ])
    }

    /// A silent resend on a kept connection and one of the app under way together are two attempts, whatever the client saw.
    @Test func `tells attempts that are still under way`() throws {
        let story = Story()
        story.add { ($0.status, $0.isOpen) = (nil, true) }
        story.put(at: 500)
        #expect(try story.verdict("no-overlap").results[0].reason == "#1 and #2 were under way together for 10ms")
        #expect(try story.verdict("quiet for=1s").results[0].reason == "PutObject photos/a.jpg is still under way")
    }
}
