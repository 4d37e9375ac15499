import ShoalJSON

/// A journal that goes from one process to the next: a crash that a rule causes ends the process, not the test.
extension Journal {
    /// Every event in memory that its scope shows, one line each; ordinary exchanges in full, unlike in the file. Nothing is
    /// appended any more from here on: whoever tries waits until the process ends.
    package func takeLastLines(_ end: ([UInt8]) -> Never) -> Never {
        holdForGood { entries in
            var lines: [UInt8] = []
            for entry in entries {
                for event in entry.events(after: entry.scope.hiddenThrough.load(ordering: .acquiring)) {
                    event.appendJSON(to: &lines)
                    lines.append(UInt8(ascii: "\n"))
                }
            }
            end(lines)
        }
    }

    /// Takes up the lines of an earlier process, whose numbers this journal goes on from, and ends the exchanges that were
    /// under way with it. Gives the number of its last connection.
    package func resume(_ lines: [UInt8], scope: (String) -> JournalScope?) -> UInt64 {
        var lastConnection: UInt64 = 0
        var open: [ExchangeKey: (number: ExchangeNumber, scope: JournalScope)] = [:]
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            // What was written by this very program reads back; a line that does not is missing, as if it had been dropped.
            guard let json = try? JSONParser.parse(Array(line)), let event = JournalEvent(json, scope: scope) else {
                continue
            }
            takeUp(event)
            guard let number = event.exchange else { continue }
            lastConnection = max(lastConnection, number.connection)
            let key = ExchangeKey(connection: number.connection, exchange: number.exchange)
            switch event.kind {
            case .requestHead:
                open[key] = (number, event.scope)
                if let operation = number.operation { event.scope.note(number.attempt, of: operation) }
            case .responseEnd, .connectionClosed: open[key] = nil
            default: break
            }
        }
        for (number, scope) in open.values.sorted(by: { $0.number.connection < $1.number.connection }) {
            append(.connectionClosed(.init(by: .shoal, .rst)), in: scope, exchange: number)
        }
        return lastConnection
    }

    private struct ExchangeKey: Hashable {
        let connection: UInt64
        let exchange: UInt32
    }
}
