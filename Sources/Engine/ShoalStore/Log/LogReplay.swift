/// What the log files of an earlier run hold beyond the catalogue.
struct LogReplay {
    /// Records above the applied sequence, in order.
    private(set) var records: [LogRecord] = []
    /// Every file found, oldest first.
    private(set) var files: [RetiredLog] = []
    /// The highest sequence met, applied ones included; 0 for none.
    private(set) var lastSequence: UInt64 = 0

    var lastNumber: UInt64 { files.last?.number ?? 0 }

    /// Reads `directory`. Each file is read up to its end or to the first torn record; what stands behind that was
    /// acknowledged to nobody.
    init(in directory: String, on disk: any Disk, after applied: UInt64) throws(StoreError) {
        lastSequence = applied
        for number in try disk.names(in: directory).compactMap({ UInt64($0) }).sorted() {
            let bytes = try disk.contents(of: IntentLog.path(number, in: directory))
            bytes.withUnsafeBytes { read($0, after: applied) }
            files.append(RetiredLog(number: number, lastSequence: lastSequence))
        }
    }

    private mutating func read(_ file: UnsafeRawBufferPointer, after applied: UInt64) {
        guard file.starts(with: IntentLog.magic) else { return }
        var offset = IntentLog.magic.count
        while let (record, next) = LogRecord.read(file, at: offset) {
            if record.sequence > lastSequence {
                if record.sequence > applied { records.append(record) }
                lastSequence = record.sequence
            }
            offset = next
        }
    }
}
