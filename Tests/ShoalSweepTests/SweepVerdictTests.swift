import ShoalFaults
import ShoalS3
import Testing

@testable import ShoalSweep

@Suite struct `The outcome of a run` {
    private let photo = Story.photo

    @Test func `is that it survived, if it says so and everything is there`() throws {
        let evidence = SweepEvidence(
            ending: .exit(0), objects: [photo],
            requests: [Story.put(struckAt: .commitAfter, isCommitted: false, outcome: .fail), Story.put()])
        #expect(try Story.verdict(evidence) == SweepVerdict(.survived, "everything is stored"))
    }

    @Test func `is that it stored the same again, if it did`() throws {
        let evidence = SweepEvidence(
            ending: .exit(0), objects: [photo],
            requests: [Story.put(struckAt: .commitAfter, outcome: .info), Story.put()])
        #expect(
            try Story.verdict(evidence)
                == SweepVerdict(.rewritten, "everything is stored; once the same bytes again"))
    }

    @Test func `is that it survived under another key, if it took a new one`() throws {
        let other = SweepEvidence.StoredObject(bucket: "sweep", key: "b.jpg", size: photo.size, sha256: photo.sha256)
        let evidence = SweepEvidence(ending: .exit(0), objects: [other], requests: [Story.put(other)])
        #expect(try Story.verdict(evidence) == SweepVerdict(.survived, "everything is stored, under another key"))
    }

    @Test func `is a lie, if it says that it succeeded and the object is missing`() throws {
        let verdict = try Story.verdict(SweepEvidence(ending: .exit(0)))
        #expect(verdict == SweepVerdict(.lied, "exit code 0, and sweep/photo.jpg is missing"))
    }

    @Test func `is a lie, if other bytes are stored`() throws {
        let torn = SweepEvidence.StoredObject(bucket: "sweep", key: "photo.jpg", size: 5, sha256: "bb")
        let verdict = try Story.verdict(SweepEvidence(ending: .exit(0), objects: [torn]))
        #expect(verdict == SweepVerdict(.lied, "exit code 0, and sweep/photo.jpg is stored with other bytes"))
    }

    @Test(arguments: [SweepEvidence.Ending.exit(0), .exit(1)])
    func `is a duplicate, if one more object is there, whatever it says`(ending: SweepEvidence.Ending) throws {
        let twin = SweepEvidence.StoredObject(bucket: "sweep", key: "photo-2.jpg", size: 19_908, sha256: "aa11")
        let verdict = try Story.verdict(SweepEvidence(ending: ending, objects: [photo, twin]))
        #expect(verdict == SweepVerdict(.duplicated, "sweep/photo-2.jpg is there in addition"))
    }

    @Test func `is a duplicate, if content was changed once more than without faults`() throws {
        let evidence = SweepEvidence(
            ending: .exit(0), objects: [photo], requests: [Story.put(etag: "other"), Story.put()])
        #expect(try Story.verdict(evidence).outcome == .duplicated)
    }

    @Test(arguments: [
        ("PutObject @commit.after 1*reset", SweepOutcome.gaveUpEarly),
        ("PutObject @commit.after 2*reset", .gaveUpEarly),
        ("PutObject @commit.after reset", .gaveUp), ("PutObject @auth 1*AccessDenied", .gaveUp),
        ("PutObject @auth 1*SlowDown", .gaveUpEarly), ("PutObject @auth delay(1s)", .gaveUpEarly),
        ("PutObject @commit.after truncateHead(5)", .gaveUp), ("PutObject @auth hang(1s)", .gaveUpEarly),
    ])
    func `is that it gave up, early if a further attempt would have worked`(line: String, outcome: SweepOutcome) throws
    {
        let evidence = SweepEvidence(ending: .exit(56), requests: [Story.put(struckAt: .commitAfter, outcome: .info)])
        let verdict = try Story.verdict(evidence, line)
        #expect(verdict.outcome == outcome)
        #expect(verdict.reason == "exit code 56; sweep/photo.jpg is missing")
    }

    @Test(arguments: [
        (S3Operation.putObject, FaultPoint.responseHead, SweepOutcome.falseAlarm),
        (.putObject, .commitAfter, .gaveUpEarly), (.completeMultipartUpload, .responseEnd, .falseAlarm),
        // Its head is no success yet: an error may stand in the body.
        (.completeMultipartUpload, .responseHead, .gaveUpEarly),
    ])
    func `is a false alarm, if it was told of success`(
        operation: S3Operation, point: FaultPoint, outcome: SweepOutcome
    ) throws {
        let request = SweepEvidence.Request(
            operation, target: photo.name, struckAt: point, isCommitted: true, outcome: .ok)
        let evidence = SweepEvidence(ending: .exit(1), objects: [photo], requests: [request])
        #expect(try Story.verdict(evidence).outcome == outcome)
    }

    @Test func `is that it hung or crashed, before anything else`() throws {
        #expect(try Story.verdict(SweepEvidence(ending: .timedOut, milliseconds: 30_100)).outcome == .hung)
        #expect(try Story.verdict(SweepEvidence(ending: .signal(11))).outcome == .crashed)
        // What a shell says of a program that ended by SIGABRT.
        #expect(try Story.verdict(SweepEvidence(ending: .exit(134))).outcome == .crashed)
        #expect(try Story.verdict(SweepEvidence(ending: .exit(130))).outcome == .gaveUpEarly)
    }

    @Test func `is grey or unsteady, if nothing was struck`() throws {
        let fine = SweepEvidence(ending: .exit(0), firings: 0, objects: [photo], requests: [Story.put()])
        #expect(try Story.verdict(fine).outcome == .notStruck)
        #expect(try Story.verdict(SweepEvidence(ending: .exit(1), firings: 0)).outcome == .unsteady)
    }

    @Test func `is a broken check, if an upload stays open whose id was told`() throws {
        func evidence(_ point: FaultPoint?, _ outcome: Attempt.Outcome) -> SweepEvidence {
            SweepEvidence(
                ending: .exit(0), objects: [photo], openUploadCount: 1,
                requests: [
                    .init(
                        .createMultipartUpload, target: photo.name, struckAt: point, isCommitted: true,
                        outcome: outcome), Story.put(),
                ])
        }
        let told = try Story.verdict(evidence(nil, .ok))
        #expect(told == SweepVerdict(.brokeCheck, "left an upload in parts open"))
        // Nobody can abort what he was never told, and the id stands in the answer's body.
        #expect(try Story.verdict(evidence(.commitAfter, .info)).outcome == .survived)
        #expect(try Story.verdict(evidence(.responseHead, .ok)).outcome == .survived)
        // Nor where nobody comes through to abort.
        #expect(try Story.verdict(evidence(nil, .ok), "OptionsPreflight @auth reset").outcome == .survived)
        #expect(try Story.verdict(evidence(nil, .ok), "OptionsPreflight @auth 1*reset").outcome == .brokeCheck)
    }

    @Test(arguments: [
        ("backoff min=1s", SweepEvidence.Ending.exit(1), SweepOutcome.brokeCheck),
        ("one-commit", .exit(1), .gaveUpEarly), ("one-commit", .exit(0), .brokeCheck),
    ])
    func `is a broken check, unless that demands the success of a command that gave up`(
        check: String, ending: SweepEvidence.Ending, outcome: SweepOutcome
    ) throws {
        let evidence = SweepEvidence(
            ending: ending, objects: [photo], requests: [Story.put(struckAt: .commitAfter, outcome: .info)],
            findings: [.init(check: check, outcome: .fail, reason: "no")])
        #expect(try Story.verdict(evidence).outcome == outcome)
    }

    @Test func `has a colour, and giving up early is red for a client that must survive`() {
        #expect(SweepOutcome.gaveUpEarly.colour(mustSurvive: false) == .yellow)
        #expect(SweepOutcome.gaveUpEarly.colour(mustSurvive: true) == .red)
        #expect(SweepOutcome.gaveUp.colour(mustSurvive: true) == .green)
        #expect(Set(SweepOutcome.allCases.map(\.symbol)).count == SweepOutcome.allCases.count)
    }
}

@Suite struct `What a sweep expects to be stored` {
    private func object(_ key: String, _ sha256: String, size: UInt64 = 5) -> SweepEvidence.StoredObject {
        .init(bucket: "b", key: key, size: size, sha256: sha256)
    }

    private func run(_ objects: [SweepEvidence.StoredObject]) -> SweepEvidence {
        SweepEvidence(ending: .exit(0), firings: 0, objects: objects)
    }

    @Test func `is as exact as two runs without faults agree`() {
        let same = SweepExpectation(run([object("a", "1")]), run([object("a", "1")]))
        #expect(same.precision == .objects)
        let moved = SweepExpectation(run([object("a", "1")]), run([object("b", "1")]))
        #expect(moved.precision == .contents)
        let changing = SweepExpectation(run([object("a", "1")]), run([object("a", "2")]))
        #expect(changing.precision == .counts)
    }

    @Test func `compares bytes alone where keys differ`() {
        let moved = SweepExpectation(run([object("a", "1")]), run([object("b", "1")]))
        #expect(moved.difference([object("c", "1")]).isEmpty)
        let wrong = moved.difference([object("c", "2")])
        #expect(wrong.surplus == ["b/c"] && wrong.missing.count == 1)
    }

    @Test func `compares numbers alone where bytes differ`() {
        let changing = SweepExpectation(run([object("a", "1")]), run([object("a", "2")]))
        #expect(changing.difference([object("x", "3")]).isEmpty)
        #expect(changing.difference([]).words == "1 of the objects in b is missing")
        #expect(!changing.difference([object("x", "3"), object("y", "3")]).isEmpty)
    }

    @Test func `does not blame a run for what is left open without faults`() throws {
        let leaky = SweepEvidence(
            ending: .exit(0), firings: 1, openUploadCount: 1,
            requests: [.init(.createMultipartUpload, target: "b/a", isCommitted: true)])
        let verdict = SweepVerdict(on: leaky, of: try Story.cell(), expecting: SweepExpectation(leaky, leaky))
        #expect(verdict.outcome == .survived)
    }
}
