import ShoalFaults
import ShoalNet

/// Carries out the steps of a strike, one after the other, and passes the point if none of them ends the exchange.
struct StrikePlayer {
    private let point: FaultPoint
    private let steps: ArraySlice<Strike.Step>
    private let connection: ConnectionHandle
    private let world: World
    /// The exchange that is struck; nil at `accept`, where there is none that could answer.
    private let exchange: S3Exchange?
    /// Told of the ticket while the exchange waits at a gate, so that it can be given back if the client leaves.
    private let onWait: (Gates.Ticket?) -> Void

    init(
        _ strike: Strike, connection: ConnectionHandle, in world: World, exchange: S3Exchange? = nil,
        onWait: @escaping (Gates.Ticket?) -> Void
    ) {
        point = strike.point
        steps = strike.steps[...]
        self.connection = connection
        self.world = world
        self.onWait = onWait
        self.exchange = exchange
    }

    private init(after player: StrikePlayer) {
        point = player.point
        steps = player.steps.dropFirst()
        connection = player.connection
        world = player.world
        onWait = player.onWait
        exchange = player.exchange
    }

    func play(then pass: @escaping () -> Directive) -> Directive {
        guard let step = steps.first else { return pass() }
        let rest = StrikePlayer(after: self)
        switch step.action {
        case .refuse, .connectHang: preconditionFailure("a port is no connection")
        case .connectionLimit(let limit): return play(limit) { rest.play(then: pass) }
        case .reset: return .reset
        case .close: return .close
        case .abandon: return .abandon
        case .blackhole: return .blackhole
        case .halfClose(.out): return .halfClose
        case .halfClose(.in): return .closeInput { rest.play(then: pass) }
        case .dropAll:
            connection.dropAll(of: world)
            return .reset
        case .hang(nil): return .hang
        case .hang(let duration?), .delay(let duration): return .wait(duration) { rest.play(then: pass) }
        case .drawnDelay: preconditionFailure("a strike holds the delay that was drawn")
        case .tls(let action): return play(action, rest, then: pass)
        case .pause(let gate): return wait(at: gate) { rest.play(then: pass) }
        case .pace(let pacing):
            return .pace(input: pacing.input, output: pacing.output) { rest.play(then: pass) }
        case .store(.slowDisk(let slowness)):
            exchange?.add(.slowDisk(slowness))
            return wait(for: slowness) { rest.play(then: pass) }
        case .store(let fault):
            exchange?.add(fault)
            return rest.play(then: pass)
        case .zombie(let wait):
            exchange?.postpone(wait, pass)
            return .reset
        case .crash(let restart, let forgets): world.crash(restart: restart, forgetsUnsynced: forgets)
        case .closeIdle, .noContinue, .edit:
            exchange?.prepare(step, at: point)
            return rest.play(then: pass)
        case .respond, .respondEarly, .foreignPage, .redirect, .expire, .revoke, .pin, .quota:
            return exchange?.answer(step, at: point) ?? pass()
        }
    }

    /// The disk's first use, and from then on its pace.
    private func wait(for slowness: StoreFault.SlowDisk, then: @escaping () -> Directive) -> Directive {
        let paced: () -> Directive = {
            guard let rate = slowness.rate else { return then() }
            let rhythm = Pacing.throttle(in: rate, out: rate, burst: nil)
            return .pace(input: rhythm.input, output: rhythm.output, then: then)
        }
        return slowness.operation.map { .wait($0, then: paced) } ?? paced()
    }

    private func play(_ limit: ConnectionLimit, then: @escaping () -> Directive) -> Directive {
        switch limit.excess {
        case .reset: return .reset
        case .close: return .close
        // The answer comes with the request.
        case .unavailable: return then()
        case .queue:
            let continuation = LoopBound(then)
            world.admissions.wait(connection.id, limit: Int(clamping: limit.max)) { [connection] in
                connection.resume { continuation.value() }
            }
            return .suspend
        }
    }

    private func play(
        _ action: TLSAction, _ rest: StrikePlayer, then pass: @escaping () -> Directive
    ) -> Directive {
        switch action {
        case .hang: return .hang
        case .close: return .close
        case .truncate: return .truncate
        case .alert(let alert): return .refuse(alert: alert.number)
        case .certificate(let fault):
            guard let tls = world.facilities.tls else { return rest.play(then: pass) }
            return .present(tls.identity(with: fault, for: connection.hello)) { rest.play(then: pass) }
        }
    }

    private func wait(at gate: String, then: @escaping () -> Directive) -> Directive {
        let continuation = LoopBound(then)
        let arrival = LoopBound(onWait)
        let ticket = world.gates.wait(gate) { [connection] in
            connection.resume {
                arrival.value(nil)
                return continuation.value()
            }
        }
        onWait(ticket)
        return .suspend
    }
}

extension Pacing {
    /// How the request's body comes.
    fileprivate var input: Pacer.Rhythm? {
        switch self {
        case .throttle(let rate, _, let burst): rate.map { Self.rhythm($0, burst) }
        case .dribble: nil
        case .stallBursts(let on, let off): .turns(on: on, off: off)
        }
    }

    /// How the answer goes.
    fileprivate var output: Pacer.Rhythm? {
        switch self {
        case .throttle(_, let rate, let burst): rate.map { Self.rhythm($0, burst) }
        case .dribble(let chunks, let time): .pieces(chunks, over: time)
        case .stallBursts(let on, let off): .turns(on: on, off: off)
        }
    }

    /// A burst is a tenth of a second's bytes unless it is given.
    private static func rhythm(_ rate: UInt64, _ burst: UInt64?) -> Pacer.Rhythm {
        .rate(bytesPerSecond: rate, burst: burst ?? max(1, rate / 10))
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
