import ShoalHTTP
import ShoalLog

/// `verify` and `wait` for a caller in this process, whose thread may wait; `AdminWait` is the same on a connection.
struct BlockingVerdict {
    private let service: AdminService

    init(_ service: AdminService) { self.service = service }

    func answer(to wish: AwaitedVerdict) throws -> HTTPResponse {
        let deadline = wish.deadline(from: SystemClock.monotonicNanoseconds())
        if case .verify = wish {
            settle(until: deadline)
            listen(for: wish.quietNanoseconds)
        }
        while true {
            let last = service.world.journal.lastSeq
            let verdict = try wish.verdict(of: service)
            switch wish.outcome(of: verdict, at: SystemClock.monotonicNanoseconds(), deadline: deadline) {
            case .answer(let response): return response
            case .again(let instant): awaitNews(since: last, until: instant)
            }
        }
    }

    /// Waits for the exchanges under way.
    private func settle(until deadline: UInt64) {
        while SystemClock.monotonicNanoseconds() < deadline {
            // Read before the count, so that an exchange that ends in between wakes us.
            let last = service.world.journal.lastSeq
            guard service.scope.exchangesInFlight > 0 else { return }
            awaitNews(since: last, until: deadline)
        }
    }

    /// Nothing may arrive now, if a check says so.
    private func listen(for quiet: UInt64?) {
        guard let quiet else { return }
        Semaphore().wait(until: SystemClock.monotonicNanoseconds() + quiet)
    }

    /// Until the scope's journal goes on, or that instant of the monotonic clock.
    private func awaitNews(since seq: UInt64, until instant: UInt64) {
        let news = Semaphore()
        let waiter = service.world.journal.whenAppended(since: seq, scope: service.scope) { news.signal() }
        news.wait(until: instant)
        if let waiter { service.world.journal.cancel(waiter) }
    }
}
