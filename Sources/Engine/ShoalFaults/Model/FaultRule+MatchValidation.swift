import ShoalS3

extension FaultRule {
    func validateMatch() throws(Flaw) {
        let operations = match.operationSet
        guard !operations.isEmpty else {
            throw Flaw(
                .match(match.alternatives.isEmpty ? .not : .any), "no operation fits all of 'op', 'any' and 'not'")
        }
        try refuse(
            operations.allSatisfy { !$0.takesBody }, site.point == .bodyAt || site.point == .bodyEnd,
            "has no request body, so '\(site.point.rawValue)' is never reached")
        try refuse(
            operations.isDisjoint(with: [.putObject, .uploadPart]), site.point == .storeWrite,
            "writes no body of a known length, so 'store.write' is never reached")
        try refuse(
            operations.allSatisfy { !$0.takesBody }, site.point == .continueDue,
            "has no request body, so 'continue' is never due")
        try refuse(
            operations.allSatisfy { !$0.isWrite }, site.point == .commitBefore || site.point == .commitAfter,
            "stores nothing, so '\(site.point.rawValue)' is never reached")
        try refuse(
            operations.allSatisfy { !$0.readsObject }, site.point == .readOpen || site.point == .readAt,
            "reads no object, so '\(site.point.rawValue)' is never reached")
        try refuse(
            operations.allSatisfy { !$0.answersWithBody }, site.point == .responseAt || site.point == .readAt,
            "has an answer without a body, so '\(site.point.rawValue)' is never reached")
        if site.point == .continueDue, match.expectContinue == false {
            throw Flaw(.match(.expectContinue), "'continue' is due only where a request expects it")
        }
        if site.point == .requestLine { try validateMatchAtRequestLine(operations) }
        guard match.nestedCount <= Matcher.nestedCountMax else {
            throw Flaw(.match(.any), "there are more than \(Matcher.nestedCountMax) matchers in 'any' and 'not'")
        }
        let waitsForItself = match.precedents.contains { precedent in
            if case .rule(let other, _) = precedent { other == id } else { false }
        }
        guard !waitsForItself else { throw Flaw(.match(.after), "the rule would wait for itself") }
        try match.validate(depth: 0)
    }

    private func refuse(_ isImpossible: Bool, _ isConcerned: Bool, _ reason: String) throws(Flaw) {
        if isImpossible && isConcerned { throw Flaw(.at, "\(operationText) \(reason)") }
    }

    private var operationText: String {
        match.operations.isEmpty ? "what is matched" : match.operations.map(\.text).joined(separator: ",")
    }

    /// Header lines are still to come.
    private func validateMatchAtRequestLine(_ operations: Set<S3Operation>) throws(Flaw) {
        if let field = match.firstField(among: Matcher.headerFields) {
            throw Flaw(
                .match(field),
                "'\(field.rawValue)' stands in header lines, which have not come at 'request.line'; "
                    + "'request.head' is the first point that can match it")
        }
        if operations == [.postObject] {
            throw Flaw(.at, "PostObject is told by its Content-Type, which has not come at 'request.line'")
        }
    }

    /// Nothing is known there, and nothing comes by that could be counted: the rule acts from when it is put in force.
    func validateAtListen() throws(Flaw) {
        if let field = Matcher.Field.allCases.first(where: { match.has($0) }) {
            throw Flaw(.match(field), "nothing is known at 'listen', not even who connects, so nothing can be matched")
        }
        guard count.per == .rule else {
            throw Flaw(.per, "at 'listen' counting is per rule: no \(count.per.rawValue) is known yet")
        }
        let usual = FaultCount()
        let given: [(Part, String, Bool)] = [
            (.skip, "skip", count.skip != usual.skip), (.between, "between", count.between != nil),
            (.every, "every", count.every != nil), (.probability, "probability", count.probability != nil),
            (.times, "times", count.times ?? 1 != 1), (.budget, "budget", count.budget != nil),
            (.expires, "expires", count.expires != nil), (.sequence, "sequence", script != nil),
        ]
        guard let (part, name, _) = given.first(where: { $0.2 }) else { return }
        throw Flaw(
            part,
            "a rule at 'listen' acts once, from when it is put in force, so '\(name)' has no meaning; refuse(5s) ends by "
                + "itself, and refuse(5s)->delay(2s)->refuse(5s) repeats")
    }

    /// Only the peer's address and the port are known there, and once a ClientHello has come what that says.
    func validateMatchBeforeRequest() throws(Flaw) {
        let point = site.point.rawValue
        let known: [Matcher.Field] = site.point == .accept ? [.client, .tls] : [.client, .tls, .sni, .alpn]
        if let field = Matcher.Field.allCases.first(where: { match.has($0) && !known.contains($0) }) {
            throw Flaw(.match(field), "nothing is known about a request at '\(point)', so it cannot be matched")
        }
        if count.per == .operation || count.per == .key {
            throw Flaw(
                .per,
                "at '\(point)' counting is per rule, per connection or per client: no \(count.per.rawValue) is known yet"
            )
        }
    }
}

extension Matcher {
    /// What header lines say; attempts are told apart by some of them.
    fileprivate static let headerFields: [Field] = [
        .size, .range, .header, .userAgent, .attempt, .sdkAttempt, .invocation, .expectContinue,
    ]

    /// The first of those fields that is a condition, at any depth.
    fileprivate func firstField(among fields: [Field]) -> Field? {
        fields.first(where: has) ?? (alternatives + exclusions).lazy.compactMap { $0.firstField(among: fields) }.first
    }

    fileprivate var nestedCount: Int {
        (alternatives + exclusions).reduce(0) { $0 + 1 + $1.nestedCount }
    }

    fileprivate func validate(depth: Int) throws(FaultRule.Flaw) {
        let operations = operationSet
        if key != nil && operations.allSatisfy({ !$0.takesKey }) {
            throw FaultRule.Flaw(.match(.key), "\(text(of: self.operations)) names no key")
        }
        if partNumber != nil && operations.allSatisfy({ !$0.takesPartNumber }) {
            throw FaultRule.Flaw(.match(.partNumber), "\(text(of: self.operations)) has no part number")
        }
        try validateNumbers()
        try validateHeaders()
        try validateParameters()
        try validatePrecedent()
        for (field, nested) in [(Field.any, alternatives), (.not, exclusions)] {
            for (index, matcher) in nested.enumerated() {
                try matcher.validateNested(in: field, depth: depth + 1, at: index)
            }
        }
    }

    private func text(of operations: [OperationPattern]) -> String {
        operations.isEmpty ? "what is matched" : operations.map(\.text).joined(separator: ",")
    }

    private func validateNested(in field: Field, depth: Int, at index: Int) throws(FaultRule.Flaw) {
        guard depth <= Self.depthMax else {
            throw FaultRule.Flaw(.match(field), "'any' and 'not' nest \(Self.depthMax) deep at most")
        }
        guard !isUnconditional else {
            throw FaultRule.Flaw(
                .match(field), "an empty matcher fits every request, so it says nothing in '\(field.rawValue)'")
        }
        do throws(FaultRule.Flaw) {
            try validate(depth: depth)
        } catch {
            throw FaultRule.Flaw(.nested(field, index, error.part), error.message)
        }
    }

    private func validateNumbers() throws(FaultRule.Flaw) {
        for entry in Self.numberFields where self[keyPath: entry.path]?.isEmpty == true {
            throw FaultRule.Flaw(.match(entry.field), "no number fits '\(entry.field.rawValue)'")
        }
        if ageOfUrl?.isEmpty == true { throw FaultRule.Flaw(.match(.ageOfUrl), "no age fits 'ageOfUrl'") }
        if ageOfUrl != nil, presigned == false {
            throw FaultRule.Flaw(.match(.ageOfUrl), "only a presigned URL has an age")
        }
    }

    private func validatePrecedent() throws(FaultRule.Flaw) {
        switch after {
        case .rule(let id, let fired):
            guard FaultRule.isName(id) else {
                throw FaultRule.Flaw(.match(.after), "'\(id)' is no rule's id")
            }
            guard (1...FaultCount.numberMax).contains(fired) else {
                throw FaultRule.Flaw(.match(.after), "'fired' is between 1 and \(FaultCount.numberMax)")
            }
        case .committed(let pattern):
            guard S3Operation.allCases.contains(where: { $0.isWrite && pattern.contains($0) }) else {
                throw FaultRule.Flaw(.match(.after), "\(pattern.text) stores nothing, so it never commits")
            }
        case nil: break
        }
    }
}

// MARK: - Names of headers and parameters

extension Matcher {
    /// Headers whose values are secrets, which must not stand in a rule that anybody can list.
    private static let secretHeaders = [
        "authorization", "cookie", "x-amz-security-token", "x-amz-server-side-encryption-customer-key",
        "x-amz-copy-source-server-side-encryption-customer-key",
    ]

    /// The same of parameters, in lower case.
    private static let secretParameters = ["x-amz-signature", "signature", "x-amz-security-token"]

    private static let parameterByteCountMax = 128

    private func validateHeaders() throws(FaultRule.Flaw) {
        guard headers.count <= InjectedAnswer.fieldCountMax else {
            throw FaultRule.Flaw(.match(.header), "there are more than \(InjectedAnswer.fieldCountMax) headers")
        }
        for (index, header) in headers.enumerated() {
            guard InjectedAnswer.isFieldName(header.name) else {
                throw FaultRule.Flaw(.header(header.name), "'\(header.name)' is no header name")
            }
            guard !Self.secretHeaders.contains(header.name) else {
                throw FaultRule.Flaw(.header(header.name), "'\(header.name)' holds a secret, so rules cannot match it")
            }
            guard !headers[..<index].contains(where: { $0.name == header.name }) else {
                throw FaultRule.Flaw(.header(header.name), "'\(header.name)' is given twice")
            }
        }
    }

    private func validateParameters() throws(FaultRule.Flaw) {
        guard parameters.count <= InjectedAnswer.fieldCountMax else {
            throw FaultRule.Flaw(.match(.query), "there are more than \(InjectedAnswer.fieldCountMax) parameters")
        }
        for (index, parameter) in parameters.enumerated() {
            let name = parameter.name
            guard (1...Self.parameterByteCountMax).contains(name.utf8.count), name.utf8.allSatisfy(FaultRule.isNameByte)
            else {
                throw FaultRule.Flaw(
                    .query(name),
                    "a parameter's name is 1 to \(Self.parameterByteCountMax) of letters, digits, '.', '_' and '-'")
            }
            guard !Self.secretParameters.contains(name.lowercased()) else {
                throw FaultRule.Flaw(.query(name), "'\(name)' holds a secret, so rules cannot match it")
            }
            guard !parameters[..<index].contains(where: { $0.name == name }) else {
                throw FaultRule.Flaw(.query(name), "'\(name)' is given twice")
            }
        }
    }
}
