import ShoalFaults
import ShoalNet

/// Carries out the steps of a strike, one after the other, and passes the point if none of them ends the exchange.
struct StrikePlayer {
    private let steps: ArraySlice<Strike.Step>
    private let connection: ConnectionHandle
    private let gates: Gates
    /// What the exchange does for the actions that answer; nil where no answer is possible.
    private let answer: ((FaultAction) -> Directive)?
    /// Told of the ticket while the exchange waits at a gate, so that it can be given back if the client leaves.
    private let onWait: (Gates.Ticket?) -> Void

    init(
        _ strike: Strike, connection: ConnectionHandle, gates: Gates,
        onWait: @escaping (Gates.Ticket?) -> Void = { _ in }, answer: ((FaultAction) -> Directive)? = nil
    ) {
        steps = strike.steps[...]
        self.connection = connection
        self.gates = gates
        self.onWait = onWait
        self.answer = answer
    }

    private init(after player: StrikePlayer) {
        steps = player.steps.dropFirst()
        connection = player.connection
        gates = player.gates
        onWait = player.onWait
        answer = player.answer
    }

    func play(then pass: @escaping () -> Directive) -> Directive {
        guard let step = steps.first else { return pass() }
        let rest = StrikePlayer(after: self)
        switch step.action {
        case .reset: return .reset
        case .close: return .close
        case .hang(nil): return .hang
        case .hang(let duration?), .delay(let duration): return .wait(duration) { rest.play(then: pass) }
        case .pause(let gate): return wait(at: gate) { rest.play(then: pass) }
        case .respond, .expire: return answer?(step.action) ?? pass()
        }
    }

    private func wait(at gate: String, then: @escaping () -> Directive) -> Directive {
        let continuation = LoopBound(then)
        let arrival = LoopBound(onWait)
        let ticket = gates.wait(gate) { [connection] in
            connection.resume {
                arrival.value(nil)
                return continuation.value()
            }
        }
        onWait(ticket)
        return .suspend
    }
}

/// A value that travels through another thread and is used only on the loop it came from.
///
/// `@unchecked Sendable`: `ConnectionHandle.resume` runs its step on the connection's own loop, which is where the value
/// was made; the thread in between only carries it.
struct LoopBound<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
