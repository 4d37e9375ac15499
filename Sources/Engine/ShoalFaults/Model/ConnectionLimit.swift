/// How many connections of one listener may be open at once, and what becomes of one more.
package struct ConnectionLimit: Hashable, Sendable {
    /// What becomes of a connection above the limit.
    package enum Excess: String, CaseIterable, Sendable {
        /// RST.
        case reset
        /// FIN.
        case close
        /// Its first request is answered with 503 `ServiceUnavailable`, then FIN.
        case unavailable = "503"
        /// Nothing is read of it until one of those before it has ended.
        case queue
    }

    /// As many connections as there are ports of one address.
    package static let countMax: UInt64 = 65_535

    package let max: UInt64
    package let excess: Excess

    package init(_ max: UInt64, then excess: Excess = .reset) {
        self.max = max
        self.excess = excess
    }

    /// Why it makes no sense, in words; nil if it does.
    var flaw: String? {
        (1...Self.countMax).contains(max) ? nil : "'connectionLimit' lets 1 to \(Self.countMax) connections be open"
    }
}
