import ShoalFaults
import ShoalLog
import ShoalNet
import Synchronization

/// Does to the port of a scope what its rules at `listen` say. Where several are in force, the first one counts.
final class PortFaults: Sendable {
    /// A rule on its way through its steps.
    private struct Script {
        let rule: FaultPlan.Listening
        let strike: Strike
        var index = 0

        /// What it does now; nil once it has run.
        var step: Strike.Step? { index < strike.steps.count ? strike.steps[index] : nil }
    }

    private let port: Port
    private let laterWork: LaterWork
    private let plan: FaultPlan
    private let journal: Journal
    private let scope: JournalScope
    private let log: Log
    private let scripts = Mutex<[Script]>([])

    init(_ port: Port, of plan: FaultPlan, scope: JournalScope, in facilities: Facilities) {
        self.port = port
        self.plan = plan
        self.scope = scope
        (laterWork, journal, log) = (facilities.laterWork, facilities.journal, facilities.log)
    }

    /// Brings the port in line with the rules; done when it returns.
    func follow() {
        scripts.withLock { scripts in
            let rules = plan.listening
            let ended = scripts.filter { !rules.contains($0.rule) }
            let begun = rules.filter { rule in !scripts.contains { $0.rule == rule } }.compactMap { rule in
                plan.strike(rule).map { Script(rule: rule, strike: $0) }
            }
            guard !ended.isEmpty || !begun.isEmpty else { return }
            let all = scripts + begun
            scripts = rules.compactMap { rule in all.first { $0.rule == rule } }
            apply(scripts)
            for script in ended { noteEnd(script) }
            for script in begun { begin(script) }
        }
    }

    /// The time of a step is over.
    private func advance(_ rule: FaultPlan.Listening, from index: Int) {
        scripts.withLock { scripts in
            guard let place = scripts.firstIndex(where: { $0.rule == rule && $0.index == index }) else { return }
            let before = scripts[place]
            scripts[place].index += 1
            apply(scripts)
            noteEnd(before)
            begin(scripts[place])
        }
    }

    private func begin(_ script: Script) {
        guard let step = script.step else { return }
        journal.append(.fault(.init(step, of: script.strike, bodyBytesTaken: nil)), in: scope)
        log.info("fault", ["rule": step.rule, "at": script.strike.point.rawValue, "action": step.action.text])
        guard let wait = step.action.portTime else { return }
        laterWork.run(after: wait, for: self) { [weak self, rule = script.rule, index = script.index] in
            self?.advance(rule, from: index)
        }
    }

    private func noteEnd(_ script: Script) {
        guard let step = script.step, step.action.actsOnPort else { return }
        journal.append(
            .faultEnded(rule: step.rule, point: script.strike.point, action: step.action.text), in: scope)
    }

    private func apply(_ scripts: [Script]) {
        let action = scripts.lazy.compactMap(\.step?.action).first(where: \.actsOnPort)
        do throws(SocketError) {
            switch action {
            case .refuse: port.refuse()
            case .connectHang: try port.hang()
            default: try port.open()
            }
        } catch {
            log.error("a port does not do what a rule wants", ["port": "\(port.number)", "cause": "\(error)"])
        }
    }
}

extension FaultAction {
    fileprivate var actsOnPort: Bool {
        switch self {
        case .refuse, .connectHang: true
        default: false
        }
    }

    /// How long it lasts at `listen`; nil for as long as its rule is there.
    fileprivate var portTime: Duration? {
        switch self {
        case .refuse(let wait), .connectHang(let wait): wait
        case .delay(let wait): wait
        default: nil
        }
    }
}
