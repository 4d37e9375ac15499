/// The file that commits are appended to: `DIR/log/<n>`.
///
/// A commit is acknowledged once its record is here; the catalogue follows later. Files are numbered upwards, each begins
/// with the magic bytes and holds records up to `fileByteCountMax`. Belongs to whoever holds the commit lock.
struct IntentLog {
    /// The last digit is the format's version.
    static let magic = Array("SHOALOG1".utf8)
    static let fileByteCountMax: UInt64 = 8 << 20

    private let disk: any Disk
    private let directory: String
    private let durability: Durability
    private let shelf: LogShelf
    private var nextNumber: UInt64
    private var open: OpenFile?

    private struct OpenFile {
        let number: UInt64
        let file: DiskFile
        var end: UInt64
        var lastSequence: UInt64
        /// A failed append may have left bytes behind `end` that have to go before the next one.
        var isDirty = false
    }

    /// Starts behind the files that are there; the next file is made by the first append.
    init(in directory: String, on disk: any Disk, durability: Durability, after number: UInt64, shelf: LogShelf) {
        self.directory = directory
        self.disk = disk
        self.durability = durability
        self.shelf = shelf
        nextNumber = number + 1
    }

    /// Appends whole records; when it returns they are as durable as configured. When it throws, none of them counts.
    mutating func append(_ records: [UInt8], lastSequence: UInt64) throws(StoreError) {
        if let file = open, file.end + UInt64(records.count) > Self.fileByteCountMax { retire(file) }
        var file = if let open { open } else { try begin() }
        do {
            if file.isDirty { try disk.truncate(file.file, to: file.end) }
            try records.withBytes { (bytes) throws(StoreError) in
                try disk.write(bytes, to: file.file, at: file.end)
            }
            if durability == .power { try disk.synchronize(file.file) }
        } catch {
            takeBack(file)
            throw error
        }
        file.isDirty = false
        file.end += UInt64(records.count)
        file.lastSequence = lastSequence
        open = file
    }

    /// Puts the current file on the shelf, so that the next append begins a new one.
    mutating func rotate() {
        if let file = open { retire(file) }
    }

    /// The records of a failed append must not come back to life at the next start.
    private mutating func takeBack(_ file: OpenFile) {
        var file = file
        do {
            try disk.truncate(file.file, to: file.end)
            file.isDirty = false
        } catch {
            // Tried again before the next append; until then the file's tail holds records nobody was promised.
            file.isDirty = true
        }
        open = file
        // After a failed sync the kernel may have dropped the pages: this file is not to be trusted with more.
        if durability == .power && !file.isDirty { retire(file) }
    }

    private mutating func retire(_ file: OpenFile) {
        shelf.add(RetiredLog(number: file.number, lastSequence: file.lastSequence))
        open = nil
    }

    private mutating func begin() throws(StoreError) -> OpenFile {
        let path = Self.path(nextNumber, in: directory)
        let file = try disk.open(path, .createNew)
        nextNumber += 1
        do {
            try Self.magic.withBytes { (bytes) throws(StoreError) in try disk.write(bytes, to: file, at: 0) }
            if durability == .power { try disk.synchronizeDirectory(directory) }
        } catch {
            // Without a record in it the file means nothing; the housekeeper removes it with the others.
            shelf.add(RetiredLog(number: nextNumber - 1, lastSequence: 0))
            throw error
        }
        return OpenFile(number: nextNumber - 1, file: file, end: UInt64(Self.magic.count), lastSequence: 0)
    }

    static func path(_ number: UInt64, in directory: String) -> String { "\(directory)/\(number)" }
}
