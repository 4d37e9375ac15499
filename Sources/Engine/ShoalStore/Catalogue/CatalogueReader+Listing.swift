import ShoalS3
import ShoalSQLite

extension CatalogueReader {
    /// One page of a bucket; true if it is truncated. Its cost follows the entries it returns: what is rolled up is
    /// jumped over.
    func page(_ bucket: BucketID, _ query: ListQuery, into sink: inout some RowSink) throws(SQLiteError) -> Bool {
        guard query.limit > 0, var lower = query.firstKey, let upper = query.endKey else { return false }
        var page = PageBuilder(query)
        return try snapshot { () throws(SQLiteError) in
            while case .jump(let next) = try scan(bucket, from: lower, to: upper, &page, &sink) { lower = next }
            return page.isTruncated
        }
    }

    private func scan(
        _ bucket: BucketID, from lower: [UInt8], to upper: [UInt8], _ page: inout PageBuilder,
        _ sink: inout some RowSink
    ) throws(SQLiteError) -> PageBuilder.Move {
        defer { pageStatement.reset() }
        pageStatement.bind(bucket, at: 1)
        pageStatement.bind(lower, at: 2)
        pageStatement.bind(upper, at: 3)
        while try pageStatement.step() {
            if let move = page.take(pageStatement, into: &sink) { return move }
        }
        return .done
    }
}

/// Takes the entries of a page; a row is one of `ObjectRow.recordColumns`.
protocol RowSink {
    mutating func take(_ row: borrowing Statement)
    mutating func take(rollUp: [UInt8])
}

/// Copies the whole records.
struct RecordCollector: RowSink {
    private(set) var entries: [ListPage.Entry] = []

    mutating func take(_ row: borrowing Statement) { entries.append(.object(ObjectRow.record(row))) }

    mutating func take(rollUp: [UInt8]) { entries.append(.rollUp(rollUp)) }
}

/// Shows the rows to a sink of the caller's.
struct RowProjector<Sink: ListingSink>: RowSink {
    var sink: Sink

    mutating func take(_ row: borrowing Statement) { sink.take(ObjectRow.listed(row)) }

    mutating func take(rollUp: [UInt8]) { sink.take(rollUp: rollUp) }
}

/// Decides what the entries of one page are.
private struct PageBuilder {
    enum Move {
        case done
        /// Goes on at this key.
        case jump([UInt8])
    }

    /// Rows stepped over one by one before a jump, which costs about as much as three steps; where the last roll-up was
    /// long, the next one is taken to be so, too.
    private static let stepCounts = (short: 3, long: 1)

    private let query: ListQuery
    private var entryCount = 0
    private(set) var isTruncated = false
    private var rollUp: [UInt8] = []
    private var stepCount = 0
    private var stepCountMax = stepCounts.short

    init(_ query: ListQuery) { self.query = query }

    /// Nil to go on with the next row.
    mutating func take(_ row: borrowing Statement, into sink: inout some RowSink) -> Move? {
        guard !query.delimiter.isEmpty else { return takeObject(row, into: &sink) }
        if !rollUp.isEmpty, row.withBytes(0, { $0.starts(with: rollUp) }) {
            stepCount += 1
            guard stepCount >= stepCountMax else { return nil }
            stepCountMax = Self.stepCounts.long
            return rollUp.successor.map { .jump($0) } ?? .done
        }
        guard let next = row.withBytes(0, { query.rollUp(of: $0) }) else { return takeObject(row, into: &sink) }
        guard hasRoom() else { return .done }
        sink.take(rollUp: next)
        if stepCount < stepCountMax { stepCountMax = Self.stepCounts.short }
        rollUp = next
        guard stepCountMax > Self.stepCounts.long else {
            stepCount = Self.stepCounts.long
            return next.successor.map { .jump($0) } ?? .done
        }
        stepCount = 0
        return nil
    }

    private mutating func takeObject(_ row: borrowing Statement, into sink: inout some RowSink) -> Move? {
        guard hasRoom() else { return .done }
        sink.take(row)
        return nil
    }

    /// Counts an entry if the page has room for it.
    private mutating func hasRoom() -> Bool {
        isTruncated = entryCount >= query.limit
        if !isTruncated { entryCount += 1 }
        return !isTruncated
    }
}

extension ListQuery {
    /// The least key the page may show; nil if there can be none.
    var firstKey: [UInt8]? {
        guard !startAfter.isEmpty else { return prefix }
        // Behind the whole roll-up that `startAfter` names or lies in, else behind `startAfter` itself.
        let rolledUp = startAfter.withUnsafeBytes { rollUp(of: $0) }
        guard let next = rolledUp.map(\.successor) ?? startAfter + [0] else { return nil }
        return next.lexicographicallyPrecedes(prefix) ? prefix : next
    }

    /// What every key with the prefix is less than. No key holds a byte 255, so that one ends them all.
    var endKey: [UInt8]? { prefix.isEmpty ? [255] : prefix.successor }

    /// The roll-up `key` belongs to; nil if it has no delimiter behind the prefix.
    func rollUp(of key: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let first = delimiter.first, key.starts(with: prefix) else { return nil }
        var rest = key[prefix.count...]
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: delimiter) { return Array(key[..<(index + delimiter.count)]) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension [UInt8] {
    /// The least sequence greater than all that begin with this one; nil if there is none.
    var successor: [UInt8]? {
        guard let index = lastIndex(where: { $0 < 255 }) else { return nil }
        return self[..<index] + [self[index] + 1]
    }
}
