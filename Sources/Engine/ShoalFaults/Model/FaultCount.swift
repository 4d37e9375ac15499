/// How often a rule fires: match, counter + 1, `skip`, `times`, in this order, decided at the point.
package struct FaultCount: Hashable, Sendable {
    /// What shares one counter.
    package enum Key: String, CaseIterable, Sendable {
        /// Everything the rule matches.
        case rule
        /// The attempts of one operation: `times 2` then says "every upload fails twice and works the third time".
        case operation
        /// All requests for one key of one bucket.
        case key
        case connection
    }

    package static let numberMax = 1_000_000_000

    /// So many matches pass first.
    package var skip: Int
    /// Then so many fire; nil for all.
    package var times: Int?
    package var per: Key

    package init(skip: Int = 0, times: Int? = nil, per: Key = .operation) {
        self.skip = skip
        self.times = times
        self.per = per
    }

    /// Whether the `n`th match (from 1) of a counter fires.
    package func fires(at n: Int) -> Bool { n > skip && (times.map { n - skip <= $0 } ?? true) }
}
