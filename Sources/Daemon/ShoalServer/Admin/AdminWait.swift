import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP
import ShoalLog
import ShoalNet

/// `verify` and `wait`: judged on the pool, once the scope is ready for it.
///
/// `@unchecked Sendable`: touched on the loop of its connection only; journal and pool call back through
/// `ConnectionHandle.resume`.
final class AdminWait: @unchecked Sendable {
    enum Wish {
        case verify(VerifyRequest)
        case wait(WaitRequest)
    }

    private enum State {
        /// Exchanges are under way, and the verdict waits for them.
        case settling(deadline: UInt64)
        /// Nothing may arrive now.
        case listening(until: UInt64)
        case judging
        /// The condition does not hold yet.
        case waiting(deadline: UInt64)
    }

    private let connection: ConnectionHandle
    private let service: AdminService
    private let wish: Wish
    private let start = SystemClock.monotonicNanoseconds()
    private let answer: (HTTPResponse) -> Directive
    private var state: State
    private var waiter: Journal.Waiter?
    private var next: UInt64 = 0

    /// `answer` sends what came out.
    init(
        _ wish: Wish, _ connection: ConnectionHandle, _ service: AdminService,
        answer: @escaping (HTTPResponse) -> Directive
    ) {
        self.wish = wish
        self.connection = connection
        self.service = service
        self.answer = answer
        switch wish {
        case .verify(let request): state = .settling(deadline: Self.deadline(start, request.quiesceMs))
        case .wait: state = .judging
        }
    }

    /// `start` and so many milliseconds.
    private static func deadline(_ start: UInt64, _ milliseconds: UInt64) -> UInt64 { start + milliseconds * 1_000_000 }

    func begin() -> Directive {
        if case .wait = wish { return judge() }
        return goOn()
    }

    func lost() { cancelWaiter() }

    private func cancelWaiter() {
        if let waiter { service.world.journal.cancel(waiter) }
        waiter = nil
    }

    /// Called when something happened and when a time is over; more often does no harm.
    private func goOn() -> Directive {
        cancelWaiter()
        let now = SystemClock.monotonicNanoseconds()
        switch state {
        case .judging: return .suspend
        case .settling(let deadline):
            // Read before the count, so that an exchange that ends in between wakes us.
            let last = service.world.journal.lastSeq
            guard service.scope.exchangesInFlight > 0, now < deadline else { return listen(from: now) }
            return sleep(until: deadline, since: last, now)
        case .listening(let end):
            guard now >= end else { return .wait(.nanoseconds(end - now)) { self.goOn() } }
            return judge()
        case .waiting: return judge()
        }
    }

    private func listen(from now: UInt64) -> Directive {
        guard let quiet = checks.compactMap(\.quietMilliseconds).max() else { return judge() }
        state = .listening(until: now + UInt64(clamping: quiet) * 1_000_000)
        return goOn()
    }

    private func sleep(until deadline: UInt64, since seq: UInt64, _ now: UInt64) -> Directive {
        let connection = connection
        waiter = service.world.journal.whenAppended(since: seq, scope: service.scope) {
            connection.resume { self.goOn() }
        }
        return .wait(.nanoseconds(deadline - min(deadline, now))) { self.goOn() }
    }

    private var checks: [Check] {
        switch wish {
        case .verify(let request): request.checks
        case .wait(let request): request.until
        }
    }

    // MARK: The verdict

    private func judge() -> Directive {
        state = .judging
        next = service.world.journal.lastSeq
        let (service, connection, wish) = (service, connection, wish)
        service.world.pool.run {
            let result = Result { () throws -> JournalVerdict in
                switch wish {
                case .verify(let request):
                    try service.verdict(on: request.checks, since: request.since, allFired: request.allFired)
                case .wait(let request): try service.verdict(on: request.until, since: request.since, allFired: false)
                }
            }
            connection.resume { self.judged(result) }
        }
        return .suspend
    }

    private func judged(_ result: Result<JournalVerdict, any Error>) -> Directive {
        switch (result, wish) {
        case (.failure(let error), _): return answer(service.api.answer(to: error))
        case (.success(let verdict), .verify): return answer(.json(VerdictView(verdict)))
        case (.success(let verdict), .wait(let request)):
            let result = WaitResult(verdict)
            let now = SystemClock.monotonicNanoseconds()
            let deadline = Self.deadline(start, request.timeoutMs)
            guard !result.met, now < deadline else { return answer(.json(result)) }
            state = .waiting(deadline: deadline)
            // Quiet comes by itself, without an event that could wake us.
            let quiet = checks.compactMap(\.quietMilliseconds).max().map { now + UInt64(clamping: $0) * 1_000_000 }
            return sleep(until: min(deadline, quiet ?? deadline), since: next, now)
        }
    }
}
