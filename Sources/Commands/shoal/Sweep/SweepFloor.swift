import CShoalSystem
import Glibc
import ShoalNet
import Synchronization

/// Many hands for the runs of a sweep; results come out in the order of the work, whoever finishes first.
final class SweepFloor<Work: Sendable, Outcome: Sendable>: Sendable {
    private struct State {
        var next = 0
        var outcomes: [Int: Result<Outcome, any Error>] = [:]
        var workerCount: Int
    }

    private let work: [Work]
    /// Nil if it was interrupted.
    private let body: @Sendable (Work) throws -> Outcome?
    private let state: Mutex<State>
    /// Counts what changed in `state`.
    private let bell: Int32

    init(_ work: [Work], jobs: Int, _ body: @escaping @Sendable (Work) throws -> Outcome?) {
        self.work = work
        self.body = body
        state = Mutex(State(workerCount: min(jobs, work.count)))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_SEMAPHORE))
        precondition(bell >= 0, "no eventfd: \(SystemError.text)")
    }

    deinit { close(bell) }

    /// Hands over each outcome in order; returns when all work is done, or was interrupted, and everybody has left.
    /// Throws the first failure, and then `stop` tells the others.
    func run(stop: () -> Void, each: (Outcome) -> Void) throws {
        let workers = (0..<state.withLock(\.workerCount)).map { number in
            Thread(name: "shoal-sweep-\(number)") { [self] in workOn() }
        }
        var failure: (any Error)?
        for index in work.indices {
            guard let outcome = outcome(of: index) else { continue }
            switch outcome {
            case .success(let outcome): each(outcome)
            case .failure(let error):
                failure = error
                stop()
            }
            if failure != nil { break }
        }
        for worker in workers { worker.join() }
        if let failure { throw failure }
    }

    /// Nil if nobody is left who could bring it.
    private func outcome(of index: Int) -> Result<Outcome, any Error>? {
        while true {
            let (outcome, isOver) = state.withLock { ($0.outcomes.removeValue(forKey: index), $0.workerCount == 0) }
            if let outcome { return outcome }
            guard !isOver else { return nil }
            var count: UInt64 = 0
            _ = read(bell, &count, 8)
        }
    }

    private func workOn() {
        defer {
            state.withLock { $0.workerCount -= 1 }
            ring()
        }
        while let index = take() {
            do {
                guard let outcome = try body(work[index]) else { return }
                state.withLock { $0.outcomes[index] = .success(outcome) }
            } catch {  // Handed to whoever waits for the outcome.
                state.withLock { $0.outcomes[index] = .failure(error) }
                return
            }
            ring()
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.next < work.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }
}
