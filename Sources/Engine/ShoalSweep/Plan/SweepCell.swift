import ShoalFaults
import ShoalS3

/// One run of a sweep: its rule, and where it stands in the matrix.
package struct SweepCell: Hashable, Sendable {
    /// `SHOAL_RUN` of its run.
    package let number: Int
    package let rule: FaultRule
    package let variant: SweepVariant

    package init(number: Int, rule: FaultRule) {
        self.number = number
        self.rule = rule
        variant = SweepVariant(of: rule)
    }

    /// `PutObject`, or whatever a rule of one's own says of requests.
    package var operation: String { rule.matchText }

    package var site: String { rule.site.text }

    package var action: String { rule.actionText }

    /// What to type to see the run's fault again.
    package var command: String { "shoal fault add '\(rule.line.replacing("'", with: "'\\''"))'" }

    /// Whether a client can still succeed by trying again.
    package var leavesSuccess: Bool { variant != .all || !rule.isFatal }

    /// Whether nobody can abort an upload: every AbortMultipartUpload is struck, or the preflight of every one.
    package var forbidsAborting: Bool {
        !leavesSuccess && !rule.match.operationSet.isDisjoint(with: [.abortMultipartUpload, .optionsPreflight])
    }

    /// Whether its answer says that trying again is in vain.
    package var isPermanentRefusal: Bool {
        rule.branches.allSatisfy { actions in
            switch actions.last {
            case .respond(let answer), .respondEarly(let answer):
                answer.code.map(Verifier.permanentCodes.contains) ?? false
            default: false
            }
        }
    }
}

/// Which attempts a run strikes: a column of the matrix under its action.
package enum SweepVariant: Hashable, Comparable, Sendable {
    case first(Matcher.ConnectionAge?)
    case two
    case all
    /// As a rule of one's own counts.
    case counted(String)

    init(of rule: FaultRule) {
        let usual = FaultCount(times: rule.count.times, per: rule.count.per)
        guard rule.script == nil, rule.count == usual else {
            self = .counted("as counted")
            return
        }
        switch rule.count.times {
        case 1: self = .first(rule.match.connection)
        case 2: self = .two
        case nil: self = .all
        case let times?: self = .counted("\(times)x")
        }
    }

    /// Short enough to stand over a column.
    package var heading: String {
        switch self {
        case .first(nil): "first"
        case .first(.fresh): "fresh"
        case .first(.reused): "reused"
        case .two: "two"
        case .all: "all"
        case .counted(let text): text
        }
    }

    /// In words, behind an action.
    package var words: String {
        switch self {
        case .first(nil): "first attempt"
        case .first(.fresh): "first attempt, fresh connection"
        case .first(.reused): "first attempt, reused connection"
        case .two: "first two attempts"
        case .all: "all attempts"
        case .counted(let text): text
        }
    }

    private var order: Int {
        switch self {
        case .first(nil), .first(.fresh): 0
        case .first(.reused): 1
        case .two: 2
        case .counted: 3
        case .all: 4
        }
    }

    package static func < (left: SweepVariant, right: SweepVariant) -> Bool {
        (left.order, left.heading) < (right.order, right.heading)
    }
}

extension FaultRule {
    /// Whether no answer of the request can come through whole.
    fileprivate var isFatal: Bool {
        branches.allSatisfy { actions in
            actions.contains { action in
                if action.endsExchange { return true }
                switch action.name {
                case .truncateHead, .truncateBody, .garbage, .missingTerminator, .wrongLength: return true
                default: return false
                }
            }
        }
    }
}
