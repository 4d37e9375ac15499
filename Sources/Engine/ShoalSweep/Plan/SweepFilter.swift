import ShoalFaults
import ShoalS3

/// A part of a sweep: `PutObject @commit.after`, an operation or a group of them alone, or a point alone.
package struct SweepFilter: Equatable, Sendable {
    /// Empty for every operation.
    let operations: [OperationPattern]
    /// Nil for every point.
    let point: FaultPoint?
    /// Nil for every place there.
    let position: BytePosition?

    /// Throws for a word that is neither an operation nor a point.
    package init(_ text: String) throws(SweepFlaw) {
        let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let place = halves.count == 2 ? String(halves[1].prefix { $0 != " " }) : nil
        guard halves.count == 1 || place.map({ halves[1] == $0 }) ?? false else {
            throw SweepFlaw("'\(text)': only a point is due behind '@', such as @commit.after")
        }
        if let place, let point = FaultPoint(rawValue: place) {
            (self.point, position) = (point, nil)
        } else if let place {
            let site = try FaultSite(sweeping: place)
            (point, position) = (site.point, site.position)
        } else {
            (point, position) = (nil, nil)
        }
        do throws(RuleError) {
            let rule = try FaultRule(line: halves[0] + " @request.head reset")
            guard rule.match == Matcher(operations: rule.match.operations) else {
                throw RuleError(.pointer(""), "an operation and a point are due here, and no key")
            }
            operations = rule.match.operations
        } catch {
            throw SweepFlaw("'\(text)': \(error.message)")
        }
    }

    func lets(_ operation: S3Operation, _ site: FaultSite) -> Bool {
        guard operations.isEmpty || operations.contains(where: { $0.contains(operation) }) else { return false }
        return (point == nil || point == site.point) && (position == nil || position == site.position)
    }
}
