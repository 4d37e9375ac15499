import Synchronization

/// One scope's share of the journal.
///
/// Events hold it, so a scope that was deleted still has its name in the lines not written yet.
package final class JournalScope: Sendable {
    /// Operations whose attempts are counted; a longer run counts those not met for the longest time from 1 again.
    static let operationCountMax = 16_384

    package let name: String
    /// Events up to here were reset away.
    let hiddenThrough = Atomic<UInt64>(0)
    /// Events up to here may have been dropped for want of room.
    let droppedThrough = Atomic<UInt64>(0)
    private let inFlight = Atomic<Int>(0)
    private let attempts = Mutex(RecentTable<OperationIdentity, UInt32>(halfCountMax: operationCountMax / 2))

    package init(_ name: String) { self.name = name }

    /// The ordinal, from 1, of an attempt that begins now.
    package func nextAttempt(of operation: OperationIdentity) -> UInt32 {
        attempts.withLock { attempts in
            attempts.update(operation, from: 0) { count in
                count += 1
                return count
            }
        }
    }

    /// The last event that was dropped for want of room, for the process that takes this one's place.
    package var droppedEvent: UInt64 { droppedThrough.load(ordering: .acquiring) }

    /// Of an earlier process.
    package func note(droppedEvent seq: UInt64) { droppedThrough.store(seq, ordering: .releasing) }

    /// An attempt of an earlier process is taken up.
    func note(_ attempt: UInt32, of operation: OperationIdentity) {
        attempts.withLock { attempts in attempts.update(operation, from: 0) { $0 = max($0, attempt) } }
    }

    /// Exchanges that have begun and not ended, those of which no event is published yet included.
    package var exchangesInFlight: Int { inFlight.load(ordering: .acquiring) }

    /// For what goes on without an exchange, such as a repetition behind an answer, as `ExchangeTrace` does it for those.
    package func exchangeBegan() { inFlight.add(1, ordering: .acquiringAndReleasing) }

    package func exchangeEnded() { inFlight.subtract(1, ordering: .acquiringAndReleasing) }

    func forgetAttempts() {
        attempts.withLock { $0 = RecentTable(halfCountMax: Self.operationCountMax / 2) }
    }
}
