import ShoalFaults
import ShoalHTTP
import ShoalLog
import ShoalNet

/// `verify` and `wait` on a connection: judged on the pool, once the scope is ready for it.
///
/// `@unchecked Sendable`: touched on the loop of its connection only; journal and pool call back through
/// `ConnectionHandle.resume`.
final class AdminWait: @unchecked Sendable {
    private enum State {
        /// Exchanges are under way, and the verdict waits for them.
        case settling
        /// Nothing may arrive now.
        case listening(until: UInt64)
        case judging
        /// The condition does not hold yet.
        case waiting
    }

    private let connection: ConnectionHandle
    private let service: AdminService
    private let wish: AwaitedVerdict
    private let deadline: UInt64
    private let answer: (HTTPResponse) -> Directive
    private var state: State
    private var waiter: Journal.Waiter?

    /// `answer` sends what came out.
    init(
        _ wish: AwaitedVerdict, _ connection: ConnectionHandle, _ service: AdminService,
        answer: @escaping (HTTPResponse) -> Directive
    ) {
        self.wish = wish
        self.connection = connection
        self.service = service
        self.answer = answer
        deadline = wish.deadline(from: SystemClock.monotonicNanoseconds())
        switch wish {
        case .verify: state = .settling
        case .wait: state = .waiting
        }
    }

    func begin() -> Directive { goOn() }

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
        case .settling:
            // Read before the count, so that an exchange that ends in between wakes us.
            let last = service.world.journal.lastSeq
            guard service.scope.exchangesInFlight > 0, now < deadline else { return listen(from: now) }
            return awaitNews(since: last, until: deadline, now)
        case .listening(let end):
            guard now >= end else { return .wait(.nanoseconds(end - now)) { self.goOn() } }
            return judge()
        case .waiting: return judge()
        }
    }

    private func listen(from now: UInt64) -> Directive {
        guard let quiet = wish.quietNanoseconds else { return judge() }
        state = .listening(until: now + quiet)
        return goOn()
    }

    /// Until the scope's journal goes on, or that instant of the monotonic clock.
    private func awaitNews(since seq: UInt64, until instant: UInt64, _ now: UInt64) -> Directive {
        let connection = connection
        waiter = service.world.journal.whenAppended(since: seq, scope: service.scope) {
            connection.resume { self.goOn() }
        }
        return .wait(.nanoseconds(instant - min(instant, now))) { self.goOn() }
    }

    private func judge() -> Directive {
        state = .judging
        let last = service.world.journal.lastSeq
        let (service, connection, wish) = (service, connection, wish)
        service.world.pool.run {
            let result = Result { () throws -> JournalVerdict in try wish.verdict(of: service) }
            connection.resume { self.judged(result, since: last) }
        }
        return .suspend
    }

    private func judged(_ result: Result<JournalVerdict, any Error>, since last: UInt64) -> Directive {
        switch result {
        case .failure(let error): return answer(service.api.answer(to: error))
        case .success(let verdict):
            let now = SystemClock.monotonicNanoseconds()
            switch wish.outcome(of: verdict, at: now, deadline: deadline) {
            case .answer(let response): return answer(response)
            case .again(let instant):
                state = .waiting
                return awaitNews(since: last, until: instant, now)
            }
        }
    }
}
