import ShoalJSON
import ShoalS3
import Synchronization

/// A rule in force, with its counters.
final class ArmedRule: Sendable {
    /// Operations or connections whose counters are remembered; a longer run forgets those not met for the longest time.
    static let counterCountMax = 65_536

    /// Its id is set.
    let rule: FaultRule
    let id: String
    private let operations: Set<S3Operation>?
    private let counters: Mutex<Counters>

    private struct Counters {
        var isRemoved = false
        var matched = 0
        var fired = 0
        var byKey = RecentTable<UInt64, Int>(halfCountMax: counterCountMax / 2)
    }

    init(_ rule: FaultRule, id: String) {
        var named = rule
        named.id = id
        self.rule = named
        self.id = id
        operations = rule.match.operations.isEmpty ? nil : rule.match.operationSet
        counters = Mutex(Counters())
    }

    func matches(_ subject: some FaultSubject) -> Bool {
        if let operations, !operations.contains(subject.operation) { return false }
        return rule.match.fits(subject)
    }

    /// Counts one arrival at the rule's point under `key`; the number of the firing if it fires, from 1.
    ///
    /// One step for all threads, so exactly `times` fire however many arrive together. A rule that was removed fires no
    /// more once `remove()` has returned.
    func strike(_ key: UInt64) -> Int? {
        counters.withLock { counters in
            guard !counters.isRemoved else { return nil }
            counters.matched += 1
            let arrival = counters.byKey.update(key, from: 0) { count in
                count += 1
                return count
            }
            guard rule.count.fires(at: arrival) else { return nil }
            counters.fired += 1
            return arrival - rule.count.skip
        }
    }

    func remove() { counters.withLock { $0.isRemoved = true } }

    var status: RuleStatus {
        counters.withLock { counters in
            let remaining = rule.count.per == .rule ? rule.count.times.map { $0 - counters.fired } : nil
            return RuleStatus(rule: rule, matched: counters.matched, fired: counters.fired, remaining: remaining)
        }
    }
}

/// A rule and what became of it so far.
package struct RuleStatus: Sendable, Equatable {
    /// Its id is set.
    package let rule: FaultRule
    /// Arrivals of matching requests at the rule's point.
    package let matched: Int
    package let fired: Int
    /// Firings left; nil if unlimited or if every operation, key or connection has its own.
    package let remaining: Int?

    /// The rule's JSON form with `line`, `matched`, `fired` and `remaining` behind it.
    package var json: JSON {
        .object(
            rule.jsonMembers + [
                JSON.Member("line", .string(rule.line)), JSON.Member("matched", .integer(Int64(matched))),
                JSON.Member("fired", .integer(Int64(fired))),
                JSON.Member("remaining", remaining.map { .integer(Int64($0)) } ?? .null),
            ])
    }
}
