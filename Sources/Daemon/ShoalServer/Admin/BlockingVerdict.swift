import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP
import ShoalLog

/// `verify` and `wait` for a caller in this process, whose thread may wait; `AdminWait` is the same on a connection.
struct BlockingVerdict {
    private let service: AdminService
    private let start = SystemClock.monotonicNanoseconds()

    init(_ service: AdminService) { self.service = service }

    func answer(to wish: AdminWait.Wish) throws -> HTTPResponse {
        switch wish {
        case .verify(let request):
            settle(until: start + request.quiesceMs * 1_000_000)
            listen(request.checks)
            return .json(
                VerdictView(
                    try service.verdict(on: request.checks, since: request.since, allFired: request.allFired)))
        case .wait(let request):
            let deadline = start + request.timeoutMs * 1_000_000
            while true {
                let last = service.world.journal.lastSeq
                let result = WaitResult(
                    try service.verdict(on: request.until, since: request.since, allFired: false))
                let now = SystemClock.monotonicNanoseconds()
                guard !result.met, now < deadline else { return .json(result) }
                // Quiet comes by itself, without an event that could wake us.
                let quiet = Self.quiet(request.until).map { now + $0 } ?? deadline
                sleep(until: min(deadline, quiet), since: last)
            }
        }
    }

    /// Waits for the exchanges under way.
    private func settle(until deadline: UInt64) {
        while SystemClock.monotonicNanoseconds() < deadline {
            // Read before the count, so that an exchange that ends in between wakes us.
            let last = service.world.journal.lastSeq
            guard service.scope.exchangesInFlight > 0 else { return }
            sleep(until: deadline, since: last)
        }
    }

    /// Nothing may arrive now, if a check says so.
    private func listen(_ checks: [Check]) {
        guard let quiet = Self.quiet(checks) else { return }
        Semaphore().wait(until: SystemClock.monotonicNanoseconds() + quiet)
    }

    /// Until the scope's journal goes on, or that instant of the monotonic clock.
    private func sleep(until instant: UInt64, since seq: UInt64) {
        let news = Semaphore()
        let waiter = service.world.journal.whenAppended(since: seq, scope: service.scope) { news.signal() }
        news.wait(until: instant)
        if let waiter { service.world.journal.cancel(waiter) }
    }

    /// Nanoseconds.
    private static func quiet(_ checks: [Check]) -> UInt64? {
        checks.compactMap(\.quietMilliseconds).max().map { UInt64(clamping: $0) * 1_000_000 }
    }
}
