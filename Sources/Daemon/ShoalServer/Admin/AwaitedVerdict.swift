import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP

/// What `verify` and `wait` ask for, and when they have their answer; `AdminWait` waits for it on a connection,
/// `BlockingVerdict` on a thread.
enum AwaitedVerdict: Sendable {
    case verify(VerifyRequest)
    case wait(WaitRequest)

    /// What comes of one look at the journal.
    enum Outcome {
        case answer(HTTPResponse)
        /// The condition does not hold yet: look again when the scope's journal goes on, and then at the latest, an
        /// instant of the monotonic clock.
        case again(at: UInt64)
    }

    private var checks: [Check] {
        switch self {
        case .verify(let request): request.checks
        case .wait(let request): request.until
        }
    }

    /// How long nothing may arrive, for the checks that ask for it; nil if none does.
    var quietNanoseconds: UInt64? {
        checks.compactMap(\.quietMilliseconds).max().map { UInt64(clamping: $0) * 1_000_000 }
    }

    /// When the request stops waiting, for exchanges to end or for its condition to hold; instants of the monotonic
    /// clock.
    func deadline(from start: UInt64) -> UInt64 {
        switch self {
        case .verify(let request): start + request.quiesceMs * 1_000_000
        case .wait(let request): start + request.timeoutMs * 1_000_000
        }
    }

    /// The verdict as things stand. Blocking.
    func verdict(of service: AdminService) throws -> JournalVerdict {
        switch self {
        case .verify(let request):
            try service.verdict(on: request.checks, since: request.since, allFired: request.allFired)
        case .wait(let request): try service.verdict(on: request.until, since: request.since, allFired: false)
        }
    }

    /// A verification is answered as it came out, a condition once it holds or its time is over.
    func outcome(of verdict: JournalVerdict, at now: UInt64, deadline: UInt64) -> Outcome {
        guard case .wait = self else { return .answer(.json(VerdictView(verdict))) }
        let result = WaitResult(verdict)
        guard !result.met, now < deadline else { return .answer(.json(result)) }
        // Quiet comes by itself, without an event that could wake us.
        return .again(at: min(deadline, quietNanoseconds.map { now + $0 } ?? deadline))
    }
}
