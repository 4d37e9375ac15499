import ShoalS3

/// The rules that concern one exchange. Not Sendable: it belongs to the loop of its connection.
///
/// Rules are matched once, when the head is complete; whether they fire is decided and counted at the point, so that
/// requests that never get there spend nothing.
package final class ExchangeFaults {
    private let plan: FaultPlan
    private let subject: any FaultSubject
    private var version: UInt64
    private var rules: [ArmedRule]
    /// What the request brought along, which comes first.
    private let carried: CarriedRules?
    /// Nil until a rule of chance was there.
    private var chance: ChanceSubject?
    private lazy var operation = subject.operationIdentity
    private lazy var bodyLength = subject.contentLength
    private var responseHeadLength: UInt64?
    private var responseLength: UInt64?
    private var objectLength: UInt64?
    private var storeLength: UInt64?
    private var isStoreSettled = false

    init(_ plan: FaultPlan, _ subject: any FaultSubject, arrival: UInt64?, _ carried: CarriedRules?) {
        self.carried = carried
        self.plan = plan
        self.subject = subject
        (rules, version, chance) = plan.match(
            subject, known: nil, arrival: arrival, usesChance: carried?.usesChance ?? false)
        if let carried { rules = carried.rules + rules }
    }

    /// For one point, with what was decided already about its rules.
    init(
        _ plan: FaultPlan, _ subject: any FaultSubject, _ rules: [ArmedRule], _ version: UInt64,
        _ chance: ChanceSubject?
    ) {
        (self.plan, self.subject, self.rules) = (plan, subject, rules)
        (self.version, self.chance, carried) = (version, chance, nil)
    }

    /// Ordinal of the request in its scope; nil if no rule of chance was there.
    var arrival: UInt64? { chance?.arrival }

    /// Whether an earlier strike of `expire` took the request's signature: then it is answered as an expired one.
    package var isExpired: Bool { plan.hasExpired(subject) }

    /// Whether an earlier strike of `revoke` took the request's access key: then it is answered as an unknown one.
    package var isRevoked: Bool { plan.hasRevoked(subject) }

    /// Whether a rule may let the store do wrong for it.
    package var concernsStore: Bool {
        refresh()
        return rules.contains { $0.concernsStore }
    }

    /// The operation has begun with a store that does everything right: rules that want it otherwise are too late.
    package func settleStore() { isStoreSettled = true }

    /// Where the request body must stop for a strike, ascending and each once; counted in bytes taken.
    ///
    /// Rules added while the body is under way have no position in it any more.
    package var bodyPositions: [UInt64] { positions(of: .bodyAt, in: bodyLength) }

    /// Behind which bytes of a payload of `length` writing must stop. Asked once, before the first.
    package func storePositions(length: UInt64) -> [UInt64] {
        storeLength = length
        return positions(of: .storeWrite, in: length)
    }

    /// Where the answer's head must stop, whose bytes are `length`. Asked once, before its first byte.
    package func responseHeadPositions(length: UInt64) -> [UInt64] {
        responseHeadLength = length
        return positions(of: .responseHeadAt, in: length)
    }

    /// Where the answer's body must stop; `length` nil if it is not known beforehand. Asked once, before its first byte.
    package func responsePositions(length: UInt64?) -> [UInt64] {
        responseLength = length
        return positions(of: .responseAt, in: length)
    }

    /// Before which bytes of an object of `length` bytes reading must stop. Asked once, before the first.
    package func readPositions(length: UInt64) -> [UInt64] {
        objectLength = length
        return positions(of: .readAt, in: length)
    }

    /// What happens at `point`, counted; nil if the point is passed. `offset` is one of the positions above, at the
    /// points that have one. Called once for each point reached.
    package func strike(at point: FaultPoint, offset: UInt64? = nil) -> Strike? {
        refresh()
        // What this exchange commits is a precedent for others only.
        defer { if point == .commitAfter { plan.noteCommit(of: subject.operation) } }
        guard rules.contains(where: { $0.rule.site.point == point }) else { return nil }
        var builder = StrikeBuilder()
        for rule in rules where reaches(rule, point, offset) {
            // The end comes from the first rule that has one; a later one is neither run nor counted.
            if builder.hasEnd && rule.endsExchange { continue }
            guard rule.strikesItself(subject) else { continue }
            builder.strike(rule, counterKey(rule.rule.count.per), chance, at: plan.now)
        }
        let strike = builder.strike(at: point, offset: offset)
        switch strike?.steps.last?.action {
        case .expire(let reach)?: plan.expire(reach, subject)
        case .revoke?: plan.revoke(subject)
        default: break
        }
        return strike
    }

    private func refresh() {
        guard plan.version != version else { return }
        (rules, version, chance) = plan.match(subject, known: chance, arrival: nil)
        if let carried { rules = carried.rules + rules }
    }

    private func positions(of point: FaultPoint, in length: UInt64?) -> [UInt64] {
        refresh()
        // An empty body has no inside, and a request that carries none is not uploading.
        guard length != 0, point != .bodyAt || subject.operation.takesBody else { return [] }
        let offsets = rules.lazy.filter { $0.rule.site.point == point }.compactMap { self.offset(of: $0, in: length) }
        return Set(offsets).sorted()
    }

    private func offset(of rule: ArmedRule, in length: UInt64?) -> UInt64? {
        let u = rule.rule.site.position == .random ? chance?.draw(.position, for: rule) ?? 0 : 0
        return rule.rule.site.position?.offset(in: length, u: u)
    }

    private func reaches(_ rule: ArmedRule, _ point: FaultPoint, _ offset: UInt64?) -> Bool {
        guard rule.rule.site.point == point, point != .bodyEnd || subject.operation.takesBody else { return false }
        if rule.concernsStore, isStoreSettled { return false }
        // For an anonymous request such a rule neither fires nor counts.
        if rule.needsSignature, subject.signature == nil { return false }
        if rule.dependsOnEvents, !rule.rule.match.fits(subject, precedents: { plan.holds($0, for: rule) }) {
            return false
        }
        guard rule.rule.site.position != nil else { return true }
        let length =
            switch point {
            case .bodyAt: bodyLength
            case .storeWrite: storeLength
            case .responseHeadAt: responseHeadLength
            case .readAt: objectLength
            default: responseLength
            }
        let reached = self.offset(of: rule, in: length)
        return reached != nil && reached == offset
    }

    private func counterKey(_ key: FaultCount.Key) -> UInt64 {
        switch key {
        case .rule: return 0
        case .operation: return operation.hash
        case .connection: return subject.connection
        case .client: return SipHash.hash(of: subject.client)
        case .key:
            var hash = SipHash()
            hash.append(field: subject.bucket ?? [])
            hash.append(field: subject.key ?? [])
            return hash.finish()
        }
    }
}
