import ShoalSQLite
import Synchronization

/// Connections for reading, opened when first needed; each serves one thread at a time.
final class CatalogueReaders: Sendable {
    /// Two cores do not read more at once, and each connection may cache 8 MiB of pages.
    private static let readerCountMax = 8

    private final class Slot: Sendable {
        let reader = Mutex<CatalogueReader?>(nil)
    }

    private let path: String
    private let slots = (0..<readerCountMax).map { _ in Slot() }
    private let isClosed = Atomic<Bool>(false)

    init(_ path: String) { self.path = path }

    /// Runs `body` with a free reader; waits for the first one if all are lent. Throws `catalogue` and `closed`.
    func read<Result: Sendable>(
        _ body: @Sendable (CatalogueReader) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        do {
            for slot in slots {
                let result = try slot.reader.withLockIfAvailable { (reader) throws(SQLiteError) in
                    try use(&reader, body)
                }
                if let result { return try result.get() }
            }
            return try slots[0].reader.withLock { (reader) throws(SQLiteError) in try use(&reader, body) }.get()
        } catch let error as SQLiteError {
            throw .catalogue(error)
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("only these two are thrown above: \(error)")
        }
    }

    /// Tells every row of a table, run by run, each on a state of the catalogue of its own.
    func eachRun<Row: Sendable, Position: Sendable>(
        from start: Position,
        _ read: @Sendable (CatalogueReader, Position) throws(SQLiteError) -> (rows: [Row], next: Position?),
        _ visit: ([Row]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var position: Position? = start
        while let start = position {
            let run = try self.read { (reader) throws(SQLiteError) in try read(reader, start) }
            position = run.next
            try visit(run.rows)
        }
    }

    private func use<Value: Sendable>(
        _ reader: inout CatalogueReader?, _ body: @Sendable (CatalogueReader) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Result<Value, StoreError> {
        guard !isClosed.load(ordering: .acquiring) else { return .failure(.closed) }
        if let reader { return .success(try body(reader)) }
        let opened = try CatalogueReader(path)
        reader = opened
        return .success(try body(opened))
    }

    /// Closes every connection, waiting for those in use.
    func close() {
        isClosed.store(true, ordering: .releasing)
        for slot in slots { slot.reader.withLock { $0 = nil } }
    }
}
