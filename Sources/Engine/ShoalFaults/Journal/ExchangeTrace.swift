import ShoalLog

/// What an exchange has done since it was last published: its events gather here, so that an ordinary exchange takes the
/// journal's lock twice, before its answer and at its end.
///
/// Owned by the connection. Publish before the first byte of an answer leaves, so that whoever has the answer finds the
/// events behind it, and with the beginning of anything that waits.
package struct ExchangeTrace: Sendable {
    package private(set) var scope: JournalScope
    package private(set) var number: ExchangeNumber
    var pending: [JournalEvent.Stamped] = []
    private var isInFlight = false

    package init(scope: JournalScope, connection: UInt64, exchange: UInt32) {
        self.scope = scope
        number = ExchangeNumber(connection: connection, exchange: exchange)
    }

    /// The exchange turned out to be another scope's. What was published before stays where it is.
    package mutating func move(to other: JournalScope) {
        if isInFlight {
            scope.exchangeEnded()
            other.exchangeBegan()
        }
        scope = other
    }

    /// Says which operation the exchange is an attempt of, once its head is known.
    package mutating func identify(_ operation: OperationIdentity) {
        number = ExchangeNumber(
            connection: number.connection, exchange: number.exchange, operation: operation,
            attempt: scope.nextAttempt(of: operation))
    }

    /// Counts the exchange among those under way until `finish()`.
    package mutating func begin() {
        guard !isInFlight else { return }
        isInFlight = true
        scope.exchangeBegan()
    }

    /// The exchange is over; call it before its last events are published, so that whoever they wake finds it gone.
    /// Further calls do nothing.
    package mutating func finish() {
        guard isInFlight else { return }
        isInFlight = false
        scope.exchangeEnded()
    }

    /// Keeps an event for the next `Journal.publish`; `mono` is when it happened.
    package mutating func record(_ kind: JournalEvent.Kind, at mono: UInt64 = SystemClock.monotonicNanoseconds()) {
        // Head, verdict, body, commit and the answer's head: the usual five in one allocation.
        if pending.isEmpty { pending.reserveCapacity(5) }
        pending.append(JournalEvent.Stamped(mono: mono, kind: kind))
    }

    /// Keeps one event for each step of the strike.
    package mutating func record(_ strike: Strike, bodyBytesTaken: UInt64? = nil) {
        for step in strike.steps { record(.fault(.init(step, of: strike, bodyBytesTaken: bodyBytesTaken))) }
    }
}
