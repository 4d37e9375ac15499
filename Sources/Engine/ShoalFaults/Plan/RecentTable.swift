/// A dictionary with a bound: of more keys than it may hold, those used least recently are forgotten.
///
/// Two halves: what is used moves to the young half; when that is full it becomes the old one, and what nobody touched
/// meanwhile is gone. So the last `halfCountMax` keys used are always known.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let halfCountMax: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    init(halfCountMax: Int) {
        precondition(halfCountMax > 0)
        self.halfCountMax = halfCountMax
    }

    var isEmpty: Bool { young.isEmpty && old.isEmpty }

    /// Everything it knows, in no order.
    var entries: [(key: Key, value: Value)] { old.map { ($0, $1) } + young.map { ($0, $1) } }

    /// Changes the value of `key`, which is `initial` if the table does not know it.
    mutating func update<Result>(_ key: Key, from initial: Value, _ change: (inout Value) -> Result) -> Result {
        if young[key] == nil {
            if young.count == halfCountMax { (old, young) = (young, [:]) }
            young[key] = old.removeValue(forKey: key) ?? initial
        }
        return change(&young[key, default: initial])
    }

    /// The value of `key`, which counts as used.
    mutating func value(_ key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old[key] else { return nil }
        return update(key, from: value) { $0 }
    }
}
