/// A stretch of one scope's journal, grouped by what the app was doing. Pure: it knows its events and nothing else.
package struct JournalHistory: Sendable {
    /// A line the test wrote into the journal.
    package struct Note: Sendable {
        package let seq: UInt64
        package let mono: UInt64
        package let text: String
    }

    /// In order of the first arrival.
    package private(set) var operations: [OperationHistory] = []
    package private(set) var notes: [Note] = []
    /// The lines of all rules that were added, by id; the latest of each.
    package private(set) var ruleLines: [String: String] = [:]
    /// Where in the journal each was added.
    package private(set) var ruleSeqs: [String: UInt64] = [:]
    /// What the chances of each are drawn from; nothing for rules that leave nothing to chance.
    package private(set) var ruleSeeds: [String: UInt64] = [:]
    /// How often each rule struck.
    package private(set) var firings: [String: Int] = [:]
    /// False if events of the stretch were dropped for want of room: then nothing can be proved by it.
    package let isComplete: Bool

    /// From the events of one scope, in order.
    package init(_ events: some Sequence<JournalEvent>, isComplete: Bool = true) {
        self.isComplete = isComplete
        var exchanges = ExchangeTable()
        for event in events {
            guard let number = event.exchange else {
                addEventOfNoExchange(event)
                continue
            }
            if case .fault(let fault) = event.kind { countFiring(fault, number) }
            exchanges.add(event, number)
        }
        group(exchanges.attempts)
    }

    /// A rule that does several things in one strike has struck once.
    private mutating func countFiring(_ fault: JournalEvent.Fault, _ number: ExchangeNumber) {
        let firing = Firing(fault, number)
        if firing != lastFiring { firings[fault.rule, default: 0] += 1 }
        lastFiring = firing
    }

    private var lastFiring: Firing?

    private struct Firing: Equatable {
        let rule: String
        let point: FaultPoint
        let offset: UInt64?
        let counter: Int
        let n: Int
        let connection: UInt64
        let exchange: UInt32

        init(_ fault: JournalEvent.Fault, _ number: ExchangeNumber) {
            (rule, point, offset, counter, n) = (fault.rule, fault.point, fault.offset, fault.counter, fault.n)
            (connection, exchange) = (number.connection, number.exchange)
        }
    }

    private mutating func addEventOfNoExchange(_ event: JournalEvent) {
        switch event.kind {
        // At `listen`: it has as many events as steps, and fires once.
        case .fault(let fault): firings[fault.rule] = 1
        case .note(let text): notes.append(Note(seq: event.seq, mono: event.mono, text: text))
        case .ruleAdded(let id, let line, let seed):
            (ruleLines[id], ruleSeqs[id], ruleSeeds[id]) = (line, event.seq, seed)
        default: break
        }
    }

    private mutating func group(_ attempts: [Attempt]) {
        var places: [OperationLink: Int] = [:]
        for attempt in attempts {
            guard let identity = attempt.number.operation else { continue }
            let link = OperationLink(attempt, identity)
            if let place = places[link] {
                operations[place].attempts.append(attempt)
                let alias = identity.text
                if !operations[place].isCalled(alias) { operations[place].aliases.append(alias) }
            } else {
                places[link] = operations.count
                let id = link.id
                let alias = identity.text
                operations.append(
                    OperationHistory(id: id, aliases: alias == id ? [] : [alias], attempts: [attempt]))
            }
        }
        for index in operations.indices { operations[index].number() }
    }

    /// All attempts in order of arrival.
    package var attempts: [Attempt] {
        operations.flatMap(\.attempts).sorted { ($0.mono, $0.seq) < ($1.mono, $1.seq) }
    }

    /// By its id or by another name of it.
    package func operation(called name: String) -> OperationHistory? { operations.first { $0.isCalled(name) } }
}

/// Exchanges by connection and ordinal, each with its events so far.
private struct ExchangeTable {
    private struct Key: Hashable {
        let connection: UInt64
        let exchange: UInt32
    }

    private var places: [Key: Int] = [:]
    private var found: [Attempt] = []

    mutating func add(_ event: JournalEvent, _ number: ExchangeNumber) {
        let key = Key(connection: number.connection, exchange: number.exchange)
        if let place = places[key] {
            found[place].add(event)
            // A form says in its body what it is an attempt of.
            if number.operation != nil { found[place].number = number }
        } else if case .requestHead(let head) = event.kind {
            places[key] = found.count
            found.append(Attempt(event, number, head))
        }
    }

    /// Events of small exchanges are published at their end, so that arrival is told by the clock alone.
    var attempts: [Attempt] { found.sorted { ($0.mono, $0.seq) < ($1.mono, $1.seq) } }
}
