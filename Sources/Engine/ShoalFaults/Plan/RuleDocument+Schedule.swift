import ShoalJSON

extension RuleDocument {
    /// Why a run cannot be written down as a schedule.
    package enum ScheduleRefusal: Error, Equatable, Sendable {
        /// The events do not hold every strike of this rule.
        case incomplete(rule: String, fired: Int, found: Int)
        /// More strikes than a schedule holds.
        case tooManyStrikes(rule: String, fired: Int)
        /// Two rules that have to keep their seeds have different ones, and a document has one.
        case differentSeeds(String, String)

        package var message: String {
            switch self {
            case .incomplete(let rule, let fired, let found):
                "the rule '\(rule)' fired \(fired) times, and the journal still holds \(found) of them; "
                    + "reset the scope and run less, or read the schedule earlier"
            case .tooManyStrikes(let rule, let fired):
                "the rule '\(rule)' fired \(fired) times; a schedule holds \(FaultSchedule.placeCountMax) strikes"
            case .differentSeeds(let one, let other):
                "the rules '\(one)' and '\(other)' strike at random positions of different seeds, and a document has one"
            }
        }
    }

    /// The rules with what became of their matches, so that another run decides the same whatever chance, keys or order
    /// say there. `events` are those of the rules' scope.
    ///
    /// A rule that never fired is left out. One that strikes at random positions stays as it is, with its seed; so does one
    /// that decides itself what it strikes, and one at `listen`.
    package init(
        scheduling rules: [RuleStatus], after events: some Sequence<JournalEvent>
    ) throws(ScheduleRefusal) {
        self.init(rules: [])
        let decided = FaultSchedule.decided(in: events)
        var seeded: String?
        for status in rules where status.fired > 0 {
            let id = status.rule.id ?? ""
            if status.rule.isConditional || status.rule.site.point == .listen {
                self.rules.append(status.rule)
            } else if status.rule.site.position == .random {
                if let seeded, seed != status.seed { throw .differentSeeds(seeded, id) }
                (seeded, seed) = (id, status.seed)
                self.rules.append(status.rule)
            } else {
                self.rules.append(try Self.scheduled(status, decided[id]))
            }
        }
    }

    private static func scheduled(
        _ status: RuleStatus, _ schedule: FaultSchedule?
    ) throws(ScheduleRefusal) -> FaultRule {
        let id = status.rule.id ?? ""
        guard status.fired <= FaultSchedule.placeCountMax else {
            throw .tooManyStrikes(rule: id, fired: status.fired)
        }
        let found = schedule?.actions.count ?? 0
        guard let schedule, found == status.fired else {
            throw .incomplete(rule: id, fired: status.fired, found: found)
        }
        var rule = status.rule
        rule.actions = []
        rule.script = .schedule(schedule)
        rule.count = FaultCount(per: rule.count.per)
        return rule
    }

    /// The document as a file of rules.
    package var json: JSON {
        var members = [JSON.Member("shoal", 1)]
        if let seed { members.append(JSON.Member("seed", .integer(Int64(clamping: seed)))) }
        if let scope { members.append(JSON.Member("scope", .string(scope))) }
        return .object(members + [JSON.Member("rules", .array(rules.map(\.json)))])
    }
}

extension FaultSchedule {
    /// What the faults among `events` did, by rule; what a rule did before it was last put in force does not count.
    static func decided(in events: some Sequence<JournalEvent>) -> [String: FaultSchedule] {
        var actions: [String: [Place: [FaultAction]]] = [:]
        for event in events {
            switch event.kind {
            case .ruleAdded(let id, _, _): actions[id] = nil
            case .fault(let fault):
                // The journal writes actions as the one-line form does, which reads back.
                guard let action = FaultAction(text: fault.action) else { continue }
                let place = Place(counter: fault.counter, arrival: fault.arrival)
                actions[fault.rule, default: [:]][place, default: []].append(action)
            default: break
            }
        }
        return actions.mapValues(FaultSchedule.init)
    }
}

extension FaultAction {
    /// Reads what `text` writes; nil for anything else.
    package init?(text: String) {
        let line = Array(text.utf8)
        var reader = ActionReader(LineTokens.Word(bytes: line[...]), of: line)
        guard let reading = try? reader.read(),  // whatever is wrong, it is no action
            reading.script == nil, reading.times == nil, reading.probability == nil, reading.branches[0].count == 1
        else { return nil }
        self = reading.branches[0][0].action
    }
}
