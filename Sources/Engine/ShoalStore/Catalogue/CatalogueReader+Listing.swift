import ShoalS3
import ShoalSQLite

extension CatalogueReader {
    /// One page of a bucket. Its cost follows the entries it returns: what is rolled up is jumped over.
    func page(_ bucket: BucketID, _ query: ListQuery) throws(SQLiteError) -> ListPage {
        guard query.limit > 0, var lower = query.firstKey, let upper = query.endKey else {
            return ListPage(entries: [], isTruncated: false)
        }
        var page = PageBuilder(query)
        return try snapshot { () throws(SQLiteError) in
            while case .jump(let next) = try scan(bucket, from: lower, to: upper, into: &page) { lower = next }
            return ListPage(entries: page.entries, isTruncated: page.isTruncated)
        }
    }

    private func scan(
        _ bucket: BucketID, from lower: [UInt8], to upper: [UInt8], into page: inout PageBuilder
    ) throws(SQLiteError) -> PageBuilder.Move {
        defer { pageStatement.reset() }
        pageStatement.bind(bucket, at: 1)
        pageStatement.bind(lower, at: 2)
        pageStatement.bind(upper, at: 3)
        while try pageStatement.step() {
            if let move = page.take(pageStatement) { return move }
        }
        return .done
    }
}

/// Collects the entries of one page.
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
    private(set) var entries: [ListPage.Entry] = []
    private(set) var isTruncated = false
    private var rollUp: [UInt8] = []
    private var stepCount = 0
    private var stepCountMax = stepCounts.short

    init(_ query: ListQuery) {
        self.query = query
        entries.reserveCapacity(min(query.limit, 1_000))
    }

    /// Nil to go on with the next row.
    mutating func take(_ row: borrowing Statement) -> Move? {
        guard !query.delimiter.isEmpty else { return takeObject(row) }
        if !rollUp.isEmpty, row.withBytes(0, { $0.starts(with: rollUp) }) {
            stepCount += 1
            guard stepCount >= stepCountMax else { return nil }
            stepCountMax = Self.stepCounts.long
            return rollUp.successor.map { .jump($0) } ?? .done
        }
        guard let next = row.withBytes(0, { query.rollUp(of: $0) }) else { return takeObject(row) }
        guard hasRoom() else { return .done }
        entries.append(.rollUp(next))
        if stepCount < stepCountMax { stepCountMax = Self.stepCounts.short }
        rollUp = next
        guard stepCountMax > Self.stepCounts.long else {
            stepCount = Self.stepCounts.long
            return next.successor.map { .jump($0) } ?? .done
        }
        stepCount = 0
        return nil
    }

    private mutating func takeObject(_ row: borrowing Statement) -> Move? {
        guard hasRoom() else { return .done }
        entries.append(.object(ObjectRow.record(row)))
        return nil
    }

    private mutating func hasRoom() -> Bool {
        isTruncated = entries.count >= query.limit
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
