import ShoalS3

extension FaultRule {
    /// A part of a rule that an error can point at.
    package enum Part: Hashable, Sendable {
        case id, note, at, actions, skip, times, per
        case action(Int)
        case match(Matcher.Field)
        case header(String)
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
        try validateMatch()
    }
}

// MARK: - Parts

extension FaultRule {
    private func validateNames() throws(Flaw) {
        if let id {
            guard (1...Self.idByteCountMax).contains(id.utf8.count), id.utf8.allSatisfy(Self.isNameByte) else {
                throw Flaw(.id, "an id is 1 to \(Self.idByteCountMax) of letters, digits, '.', '_' and '-'")
            }
        }
        if let note, note.utf8.count > Self.noteByteCountMax {
            throw Flaw(.note, "the note is longer than \(Self.noteByteCountMax) bytes")
        }
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

    private func validateCount() throws(Flaw) {
        if let times = count.times, !(1...FaultCount.numberMax).contains(times) {
            throw Flaw(
                .times, "times is \(times), so the rule would never fire; 1 to \(FaultCount.numberMax) are possible")
        }
        guard (0...FaultCount.numberMax).contains(count.skip) else {
            throw Flaw(.skip, "skip is not between 0 and \(FaultCount.numberMax)")
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
        guard !actions.isEmpty else { throw Flaw(.actions, "a rule needs at least one action") }
        guard actions.count <= Self.actionCountMax else {
            throw Flaw(.actions, "there are more than \(Self.actionCountMax) actions")
        }
        for (index, action) in actions.enumerated() {
            if index < actions.count - 1 && action.endsExchange {
                let forever = action == .hang(nil) ? " without a time" : ""
                throw Flaw(
                    .action(index + 1), "nothing can follow '\(action.name.rawValue)'\(forever): the exchange is over")
            }
            if let reason = flaw(of: action) ?? conflict(of: action, with: actions[..<index]) {
                throw Flaw(.action(index), reason)
            }
        }
    }

    /// Durations of an action: up to a week, which is how long a phone's system repeats an upload.
    static let waitMax = Duration.seconds(7 * 24 * 3_600)

    private func flaw(of action: FaultAction) -> String? {
        let (name, point) = (action.name.rawValue, site.point)
        switch action {
        case .hang(let wait?), .delay(let wait):
            return wait > .zero && wait <= Self.waitMax ? nil : "'\(name)' lasts from 1 ms to 7 days"
        case .pause(let gate):
            let isName = (1...Self.idByteCountMax).contains(gate.utf8.count) && gate.utf8.allSatisfy(Self.isNameByte)
            return isName
                ? nil : "a gate's name is 1 to \(Self.idByteCountMax) of letters, digits, '.', '_' and '-'"
        case .respond(let answer): return flaw(ofAnswering: name) ?? answer.flaw
        case .respondEarly(let answer): return flaw(ofAnsweringEarly: answer)
        case .foreignPage(let page): return flaw(ofAnswering: name) ?? page.flaw
        case .redirect(let redirect): return flaw(ofAnswering: name) ?? redirect.flaw
        case .expire:
            return point == .auth
                ? nil : "'expire' acts where expiry is judged, which is 'auth', not '\(point.rawValue)'"
        case .halfClose(.in):
            return point == .accept
                ? "'halfClose(in)' at 'accept' leaves nothing of a request; 'close' ends the connection" : nil
        case .closeIdle(let wait, let announces): return flaw(ofIdle: wait, announces)
        case .noContinue(let wait): return flaw(ofWithholding: wait)
        case .pace(let pacing): return flaw(ofPacing: pacing) ?? pacing.flaw
        case .edit(let edit): return flaw(ofEditing: name) ?? edit.flaw
        case .reset, .close, .hang, .blackhole, .halfClose(.out), .abandon, .dropAll: return nil
        }
    }

    private func flaw(ofEditing name: String) -> String? {
        let point = site.point
        if point == .accept { return "'\(name)' changes an answer, and at 'accept' there is no request yet" }
        guard point.isAfterResponseBegan else { return nil }
        return "'\(name)' cannot change the answer at '\(point.rawValue)': it is already on its way; "
            + "the last point that can is 'commit.after'"
    }

    /// Why the action cannot be there beside those before it.
    private func conflict(of action: FaultAction, with earlier: ArraySlice<FaultAction>) -> String? {
        guard case .edit(let edit) = action, edit.decidesFraming else { return nil }
        for case .edit(let other) in earlier where other.decidesFraming {
            return "'\(edit.name.rawValue)' and '\(other.name.rawValue)' both say how the answer ends; one of them can"
        }
        return nil
    }

    private func validateMatch() throws(Flaw) {
        if site.point == .accept { return try validateMatchAtAccept() }
        let operations = match.operationSet
        try refuse(
            operations.allSatisfy { !$0.takesBody }, site.point == .bodyAt || site.point == .bodyEnd,
            "has no request body, so '\(site.point.rawValue)' is never reached")
        try refuse(
            operations.allSatisfy { !$0.takesBody }, site.point == .continueDue,
            "has no request body, so 'continue' is never due")
        try refuse(
            operations.allSatisfy { !$0.isWrite }, site.point == .commitBefore || site.point == .commitAfter,
            "stores nothing, so '\(site.point.rawValue)' is never reached")
        try refuse(
            operations.allSatisfy { !$0.answersWithBody }, site.point == .responseAt,
            "has an answer without a body, so 'response.at' is never reached")
        if match.key != nil && operations.allSatisfy({ !$0.takesKey }) {
            throw Flaw(.match(.key), "\(operationText) names no key")
        }
        if match.partNumber != nil && operations.allSatisfy({ !$0.takesPartNumber }) {
            throw Flaw(.match(.partNumber), "\(operationText) has no part number")
        }
        try validateNumbers()
        try validateHeaders()
    }

    private func refuse(_ isImpossible: Bool, _ isConcerned: Bool, _ reason: String) throws(Flaw) {
        if isImpossible && isConcerned { throw Flaw(.at, "\(operationText) \(reason)") }
    }

    private var operationText: String { match.operations.map(\.text).joined(separator: ",") }

    private func validateMatchAtAccept() throws(Flaw) {
        let reason = "nothing is known about a request at 'accept', so it cannot be matched"
        if !match.operations.isEmpty { throw Flaw(.match(.operation), reason) }
        var rest = match
        rest.operations = []
        if !rest.isUnconditional { throw Flaw(.match(rest.firstField ?? .operation), reason) }
        if count.per == .operation || count.per == .key {
            throw Flaw(
                .per, "at 'accept' counting is per rule or per connection: no \(count.per.rawValue) is known yet")
        }
    }

    private func validateNumbers() throws(Flaw) {
        for (field, pattern) in [
            (Matcher.Field.partNumber, match.partNumber), (.size, match.size), (.exchange, match.exchange),
        ] where pattern?.isEmpty == true {
            throw Flaw(.match(field), "no number fits '\(field.rawValue)'")
        }
    }

    /// Headers whose values are secrets, which must not stand in a rule that anybody can list.
    private static let secretHeaders = [
        "authorization", "cookie", "x-amz-security-token", "x-amz-server-side-encryption-customer-key",
        "x-amz-copy-source-server-side-encryption-customer-key",
    ]

    private func validateHeaders() throws(Flaw) {
        guard match.headers.count <= InjectedAnswer.fieldCountMax else {
            throw Flaw(.match(.header), "there are more than \(InjectedAnswer.fieldCountMax) headers")
        }
        for (index, header) in match.headers.enumerated() {
            guard InjectedAnswer.isFieldName(header.name) else {
                throw Flaw(.header(header.name), "'\(header.name)' is no header name")
            }
            guard !Self.secretHeaders.contains(header.name) else {
                throw Flaw(.header(header.name), "'\(header.name)' holds a secret, so rules cannot match it")
            }
            guard !match.headers[..<index].contains(where: { $0.name == header.name }) else {
                throw Flaw(.header(header.name), "'\(header.name)' is given twice")
            }
        }
    }
}

extension Matcher {
    /// The first field that is set, operations aside.
    fileprivate var firstField: Field? {
        let fields: [(Field, Bool)] = [
            (.bucket, bucket != nil), (.key, key != nil), (.uploadId, uploadId != nil),
            (.partNumber, partNumber != nil), (.size, size != nil), (.presigned, presigned != nil),
            (.header, !headers.isEmpty), (.connection, connection != nil), (.exchange, exchange != nil),
        ]
        return fields.first { $0.1 }?.0
    }
}
