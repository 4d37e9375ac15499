/// How often a rule fires, decided at the point in this order: match, counter + 1, `skip`, `between`, `every`,
/// `probability`, `times`, `budget`.
///
/// Each stage counts what the one before it let through: `skip 2, every 3` fires at the 5th match, the 8th and so on.
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
        /// All requests from one IP address.
        case client
    }

    /// Ordinals of matches, both included; the first match is 1.
    package struct Window: Hashable, Sendable {
        package let first: Int
        package let last: Int

        package init(_ first: Int, _ last: Int) {
            self.first = first
            self.last = last
        }
    }

    /// At most so many firings of the rule, all its counters together, in each window of time since it is in force.
    package struct Budget: Hashable, Sendable {
        package let firings: Int
        package let per: Duration

        package init(firings: Int, per: Duration) {
            self.firings = firings
            self.per = per
        }
    }

    /// What a request is known by when chance decides about it.
    package enum StableKey: String, CaseIterable, Sendable {
        /// What it asks for, which operation on that it is, and which attempt: the same in every run, in any order.
        case request
        /// Its ordinal among all requests of the scope, for apps that make up new keys in each run. Order then matters.
        case arrival
    }

    package static let numberMax = 1_000_000_000

    /// So many matches pass first.
    package var skip: Int
    /// Then only these may fire; nil for all.
    package var between: Window?
    /// Of those every so-manieth, at least 1; nil for all.
    package var every: Int?
    /// Of those this share, up to 1; nil for all. None of them is drawn from a stream, so that no other request matters.
    package var probability: DecimalFraction?
    package var stableKey: StableKey
    /// Of those so many; nil for all.
    package var times: Int?
    package var budget: Budget?
    /// The rule fires and counts no more so long after it was put in force, by the machine's clock.
    package var expires: Duration?
    package var per: Key

    package init(
        skip: Int = 0, between: Window? = nil, every: Int? = nil, probability: DecimalFraction? = nil,
        stableKey: StableKey = .request, times: Int? = nil, budget: Budget? = nil, expires: Duration? = nil,
        per: Key = .operation
    ) {
        self.skip = skip
        self.between = between
        self.every = every
        self.probability = probability
        self.stableKey = stableKey
        self.times = times
        self.budget = budget
        self.expires = expires
        self.per = per
    }

    /// Whether the `n`th match (from 1) of a counter gets past `skip`, `between` and `every`.
    package func passes(_ n: Int) -> Bool {
        var ordinal = n - skip
        guard ordinal > 0 else { return false }
        if let between {
            guard ordinal >= between.first, ordinal <= between.last else { return false }
            ordinal -= between.first - 1
        }
        return every.map { ordinal.isMultiple(of: $0) } ?? true
    }
}
