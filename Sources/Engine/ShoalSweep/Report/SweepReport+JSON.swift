import ShoalJSON

extension SweepReport {
    /// `{"shoal":1,"command":[…],"summary":{…},"runs":[…]}`
    package var json: JSON {
        var members: [JSON.Member] = [
            .init("shoal", 1), .init("command", .array(command.map { .string($0) })),
            .init("expectation", .string(expectation)), .init("planned", .integer(Int64(plannedCount))),
            .init("complete", .bool(isComplete)), .init("mustSurvive", .bool(mustSurvive)),
        ]
        if let seed { members.append(.init("seed", .integer(Int64(clamping: seed)))) }
        let colours: [SweepOutcome.Colour] = [.green, .yellow, .red, .grey]
        members.append(
            .init("summary", .object(colours.map { .init($0.rawValue, .integer(Int64(count($0)))) })))
        members.append(.init("notes", .array(notes.map { .string($0) })))
        members.append(.init("runs", .array(runs.map(json))))
        return .object(members)
    }

    private func json(_ run: Run) -> JSON {
        let (cell, evidence) = (run.cell, run.evidence)
        return [
            "run": .integer(Int64(cell.number)), "operation": .string(cell.operation), "point": .string(cell.site),
            "action": .string(cell.action), "attempts": .string(cell.variant.words), "rule": .string(cell.rule.line),
            "outcome": .string(run.verdict.outcome.rawValue), "colour": .string(colour(run).rawValue),
            "reason": .string(run.verdict.reason), "ending": .string(evidence.endingText),
            "ms": .integer(evidence.milliseconds), "fired": .integer(Int64(evidence.firings)),
            "requests": .integer(Int64(evidence.requests.count)),
            "commits": .integer(Int64(evidence.commits.all)),
            "checks": .array(
                evidence.findings.map {
                    [
                        "check": .string($0.check), "outcome": .string($0.outcome.rawValue),
                        "reason": .string($0.reason),
                    ]
                }),
            "timeline": .array(evidence.timeline.map { .string($0) }), "output": .string(evidence.output),
        ]
    }
}
