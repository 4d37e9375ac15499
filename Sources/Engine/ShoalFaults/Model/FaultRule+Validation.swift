extension FaultRule {
    /// A part of a rule that an error can point at.
    package enum Part: Hashable, Sendable {
        case id, note, at, actions, skip, between, every, probability, stableKey, times, budget, expires, per
        case sequence, then, schedule
        case action(Int)
        /// An action of a script's branch.
        case branch(Int, action: Int)
        case match(Matcher.Field)
        case header(String)
        case query(String)
        /// A part of the matcher that stands at this place of `any` or `not`.
        indirect case nested(Matcher.Field, Int, Part)
    }

    /// Why a rule is impossible or could never fire, in words.
    package struct Flaw: Error, Equatable, Sendable {
        package let part: Part
        package let message: String

        package init(_ part: Part, _ message: String) {
            self.part = part
            self.message = message
        }
    }

    /// Throws for what cannot happen, so that a rule that was accepted and never fires is the client's doing.
    package func validate() throws(Flaw) {
        try validateNames()
        try validateCount()
        try validateSite()
        try validateActions()
        switch site.point {
        case .listen: try validateAtListen()
        case .accept, .tlsHello, .tlsDone: try validateMatchBeforeRequest()
        default: try validateMatch()
        }
    }
}

// MARK: - Parts

extension FaultRule {
    private func validateNames() throws(Flaw) {
        if let id {
            guard Self.isName(id) else {
                throw Flaw(.id, "an id is 1 to \(Self.idByteCountMax) of letters, digits, '.', '_' and '-'")
            }
        }
        if let note, note.utf8.count > Self.noteByteCountMax {
            throw Flaw(.note, "the note is longer than \(Self.noteByteCountMax) bytes")
        }
    }

    /// Whether the text can be the id of a rule, or the name of a gate.
    static func isName(_ text: String) -> Bool {
        (1...idByteCountMax).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
    }

    /// What ids and gates are made of: they stand in URLs.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private func validateSite() throws(Flaw) {
        let point = site.point
        switch site.position {
        case nil where point.takesPosition:
            throw Flaw(.at, "'\(point.rawValue)' needs a position, such as \(point.rawValue)(50%)")
        case .some where !point.takesPosition:
            let names = FaultPoint.allCases.filter(\.takesPosition).map(\.rawValue)
            throw Flaw(.at, "'\(point.rawValue)' takes no position; only \(names.joined(separator: ", ")) do")
        case let position?:
            if let reason = position.flaw { throw Flaw(.at, reason) }
        case nil: break
        }
    }

    private func validateActions() throws(Flaw) {
        guard let script else { return try validate(actions, at: FaultRule.Part.action) }
        guard actions.isEmpty else {
            throw Flaw(.actions, "a rule has either actions of its own or a sequence or schedule of them")
        }
        try validate(script)
        for (number, branch) in script.branches.enumerated() where !branch.isEmpty {
            try validate(branch) { .branch(number, action: $0) }
            if let index = branch.firstIndex(where: \.isConditional) {
                throw Flaw(
                    .branch(number, action: index),
                    "'\(branch[index].name.rawValue)' decides itself what it strikes, so it is no step of a sequence or "
                        + "schedule")
            }
        }
    }

    private func validate(_ script: FaultScript) throws(Flaw) {
        switch script {
        case .sequence(let sequence):
            guard (2...FaultSequence.stepCountMax).contains(sequence.steps.count) else {
                throw Flaw(
                    .sequence,
                    "a sequence has 2 to \(FaultSequence.stepCountMax) steps; what is always the same needs none")
            }
            guard sequence.steps.contains(where: { !$0.isEmpty }) else {
                throw Flaw(.sequence, "every step of the sequence is 'pass', so the rule would never fire")
            }
        case .schedule(let schedule):
            guard (1...FaultSchedule.placeCountMax).contains(schedule.actions.count) else {
                throw Flaw(.schedule, "a schedule has 1 to \(FaultSchedule.placeCountMax) places")
            }
            guard schedule.actions.values.allSatisfy({ !$0.isEmpty }) else {
                throw Flaw(.schedule, "a place of the schedule has no action; what is not listed passes")
            }
            guard site.position != .random else {
                throw Flaw(.at, "a schedule repeats what chance decided, and 'random' would decide anew")
            }
        }
    }

    private func validate(_ actions: [FaultAction], at part: (Int) -> Part) throws(Flaw) {
        guard !actions.isEmpty else { throw Flaw(.actions, "a rule needs at least one action") }
        guard actions.count <= Self.actionCountMax else {
            throw Flaw(.actions, "there are more than \(Self.actionCountMax) actions")
        }
        for (index, action) in actions.enumerated() {
            if index < actions.count - 1 && action.endsExchange {
                let isForever = [.hang(nil), .refuse(nil), .connectHang(nil)].contains(action)
                let forever = isForever ? " without a time" : ""
                throw Flaw(
                    part(index + 1), "nothing can follow '\(action.name.rawValue)'\(forever): the exchange is over")
            }
            let isLast = index == actions.count - 1
            let atListen = site.point == .listen ? flaw(atListenOf: action, isLast: isLast) : nil
            if let reason = atListen ?? flaw(of: action) ?? conflict(of: action, with: actions[..<index]) {
                throw Flaw(part(index), reason)
            }
        }
    }

    /// Durations of an action: up to a week, which is how long a phone's system repeats an upload.
    static let waitMax = Duration.seconds(7 * 24 * 3_600)

    private func flaw(of action: FaultAction) -> String? {
        let (name, point) = (action.name.rawValue, site.point)
        switch action {
        case .refuse(let wait), .connectHang(let wait): return flaw(ofPortAction: name, lasting: wait)
        case .connectionLimit(let limit):
            return point == .accept
                ? limit.flaw
                : "'connectionLimit' counts connections as they come, which is 'accept', not '\(point.rawValue)'"
        case .hang(let wait?), .delay(let wait):
            return wait > .zero && wait <= Self.waitMax ? nil : "'\(name)' lasts from 1 ms to 7 days"
        case .drawnDelay(let distribution): return distribution.flaw
        case .pause(let gate):
            return Self.isName(gate)
                ? nil : "a gate's name is 1 to \(Self.idByteCountMax) of letters, digits, '.', '_' and '-'"
        case .respond(let answer): return flaw(ofAnswering: name) ?? answer.flaw
        case .respondEarly(let answer): return flaw(ofAnsweringEarly: answer)
        case .foreignPage(let page): return flaw(ofAnswering: name) ?? page.flaw
        case .redirect(let redirect): return flaw(ofAnswering: name) ?? redirect.flaw
        case .expire:
            return point == .auth
                ? nil : "'expire' acts where expiry is judged, which is 'auth', not '\(point.rawValue)'"
        case .revoke, .pin, .quota: return flaw(ofJudging: action)
        case .halfClose(.in):
            return point.precedesRequest || point == .requestLine
                ? "'halfClose(in)' at '\(point.rawValue)' leaves nothing of a request; 'close' ends the connection"
                : nil
        case .closeIdle(let wait, let announces): return flaw(ofIdle: wait, announces)
        case .noContinue(let wait): return flaw(ofWithholding: wait)
        case .pace(let pacing): return flaw(ofPacing: pacing) ?? pacing.flaw
        case .edit(let edit): return flaw(ofEditing: name) ?? edit.flaw
        case .store(let fault): return flaw(of: fault)
        case .zombie(let wait): return flaw(ofPostponing: wait)
        case .crash(let restart, _): return flaw(ofCrashing: restart)
        case .tls(let action): return flaw(ofTLS: action)
        case .reset, .close, .hang, .blackhole, .halfClose(.out), .abandon, .dropAll: return nil
        }
    }

    private func flaw(ofEditing name: String) -> String? {
        let point = site.point
        if let lack = point.requestLack { return "'\(name)' changes an answer, and at '\(point.rawValue)' \(lack)" }
        guard point.isAfterResponseBegan else { return nil }
        return "'\(name)' cannot change the answer at '\(point.rawValue)': it is already on its way; "
            + "the last point that can is 'commit.after'"
    }

    /// Why the action cannot be there beside those before it.
    private func conflict(of action: FaultAction, with earlier: ArraySlice<FaultAction>) -> String? {
        if action.isConditional, let other = earlier.first(where: \.isConditional) {
            return
                "'\(other.name.rawValue)' and '\(action.name.rawValue)' both say what the rule strikes; one of them can"
        }
        guard case .edit(let edit) = action, edit.decidesFraming else { return nil }
        for case .edit(let other) in earlier where other.decidesFraming {
            return "'\(edit.name.rawValue)' and '\(other.name.rawValue)' both say how the answer ends; one of them can"
        }
        return nil
    }
}
