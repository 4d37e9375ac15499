import Glibc
import Synchronization

/// A received body of the disk store. As long as it lives, neither compaction nor sweep touches its bytes.
final class DiskBody: StagedBody {
    enum Hold: Sendable {
        case nothing
        case segment(SegmentFile)
        case blob(BlobClaim)
    }

    let size: UInt64
    let location: BodyLocation
    /// The count of resets when it was begun.
    let epoch: UInt64
    let hold: Hold
    /// The body whose place this one has the beginning of.
    private let whole: DiskBody?

    init(size: UInt64, location: BodyLocation, epoch: UInt64, hold: Hold) {
        self.size = size
        self.location = location
        self.epoch = epoch
        self.hold = hold
        whole = nil
    }

    /// The first `size` bytes of a body of which no more was received.
    init(first size: UInt64, of whole: DiskBody) {
        self.size = size
        location = size == 0 ? .empty : whole.location
        epoch = whole.epoch
        hold = size == 0 ? .nothing : whole.hold
        self.whole = size == 0 ? nil : whole
    }

    deinit {
        // What it shares, the whole body lets go.
        if whole == nil, case .segment(let segment) = hold { segment.unpin() }
    }
}

extension DiskBody {
    func first(_ size: UInt64) -> any StagedBody {
        precondition(size <= self.size, "\(size) bytes of a body of \(self.size)")
        return size == self.size ? self : DiskBody(first: size, of: self)
    }

    func change(_ range: Range<UInt64>, _ change: (UInt8) -> UInt8) throws(StoreError) {
        precondition(range.upperBound <= size, "bytes \(range) of a body of \(size)")
        guard !range.isEmpty, let (file, start) = place else { return }
        var bytes = [UInt8](repeating: 0, count: range.count)
        let offset = off_t(start + range.lowerBound)
        guard pread(file.descriptor, &bytes, bytes.count, offset) == bytes.count else {
            throw .failed(.read, file.path)
        }
        for index in bytes.indices { bytes[index] = change(bytes[index]) }
        guard pwrite(file.descriptor, bytes, bytes.count, offset) == bytes.count else {
            throw .failed(.write, file.path)
        }
    }

    /// The open file that holds the bytes, and where in it they begin; nil once a commit keeps them, or if there are none.
    private var place: (file: DiskFile, offset: UInt64)? {
        switch (hold, location) {
        case (.segment(let segment), .segment(_, let offset)): (segment.file, offset)
        case (.blob(let claim), _): claim.file.map { ($0, 0) }
        default: nil
        }
    }
}

/// A range of an open file.
final class DiskBodyFile: BodyFile {
    private let file: DiskFile?
    private let offset: UInt64
    let length: UInt64

    init(_ file: DiskFile?, offset: UInt64, length: UInt64) {
        self.file = file
        self.offset = offset
        self.length = length
    }

    static let empty = DiskBodyFile(nil, offset: 0, length: 0)

    func run(at position: UInt64) -> BodyRun {
        BodyRun(descriptor: file?.descriptor ?? -1, offset: offset + position, byteCount: length - position)
    }
}

/// Writes a body straight to where it stays.
final class DiskBodyWriter: BodyWriter {
    private let disk: any Disk
    private let file: DiskFile?
    private let offset: UInt64
    private var body: DiskBody?
    private var written: UInt64 = 0

    /// `file` is nil for a body of no bytes.
    init(_ body: DiskBody, on disk: any Disk, file: DiskFile?, offset: UInt64) {
        self.disk = disk
        self.file = file
        self.offset = offset
        self.body = body
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard let body else { preconditionFailure("a write to a body that was finished or abandoned") }
        guard UInt64(bytes.count) <= body.size - written else { throw .bodyTooLong }
        guard let file, !bytes.isEmpty else { return }
        try disk.write(bytes, to: file, at: offset + written)
        written += UInt64(bytes.count)
    }

    func finish() throws(StoreError) -> any StagedBody {
        guard let body else { preconditionFailure("a body finished twice or after being abandoned") }
        guard written == body.size else { throw .bodyTooShort }
        self.body = nil
        return body
    }

    func finishShort() -> any StagedBody {
        guard let body else { preconditionFailure("a body finished twice or after being abandoned") }
        self.body = nil
        return written == body.size ? body : DiskBody(first: written, of: body)
    }

    func abandon() { body = nil }
}
