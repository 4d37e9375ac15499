import Synchronization

/// The body of an object that was put together from parts: it stays where the parts are, and is opened part by part.
/// Only a reset of the whole store cuts a reader short.
final class AssembledBody: BodyFile {
    /// A part and where it begins in the body.
    struct Piece: Sendable {
        let start: UInt64
        let size: UInt64
        let location: BodyLocation
    }

    private struct OpenPiece {
        let index: Int
        let file: DiskBodyFile
    }

    let length: UInt64
    private let pieces: [Piece]
    private let current = Mutex<OpenPiece?>(nil)
    private let open: @Sendable (BodyLocation, UInt64) throws(StoreError) -> DiskBodyFile
    /// Keeps the blobs where they are.
    private let pin: AssemblyPin
    /// Pinned segments that hold some of the parts.
    private let segments: [SegmentFile]

    /// `parts` in the order of the body. Throws what pinning a segment throws.
    init(
        _ parts: [StoredPart], _ pin: AssemblyPin, segments: SegmentStore,
        open: @escaping @Sendable (BodyLocation, UInt64) throws(StoreError) -> DiskBodyFile
    ) throws(StoreError) {
        var start: UInt64 = 0
        var pieces: [Piece] = []
        pieces.reserveCapacity(parts.count)
        for part in parts where part.record.size > 0 {
            pieces.append(Piece(start: start, size: part.record.size, location: part.location))
            start += part.record.size
        }
        var pinned: [UInt64: SegmentFile] = [:]
        do {
            for number in pieces.compactMap(\.location.segmentNumber) where pinned[number] == nil {
                pinned[number] = try segments.pin(number)
            }
        } catch {
            for segment in pinned.values { segment.unpin() }
            throw error
        }
        length = start
        self.pieces = pieces
        self.pin = pin
        self.segments = Array(pinned.values)
        self.open = open
    }

    deinit {
        for segment in segments { segment.unpin() }
    }

    func run(at position: UInt64) throws(StoreError) -> BodyRun {
        let index = index(of: position)
        let piece = pieces[index]
        let file: DiskBodyFile = try current.withLock { (current) throws(StoreError) in
            if let current, current.index == index { return current.file }
            let file = try open(piece.location, piece.size)
            current = OpenPiece(index: index, file: file)
            return file
        }
        return file.run(at: position - piece.start)
    }

    /// The last piece that begins at or before `position`.
    private func index(of position: UInt64) -> Int {
        var (low, high) = (0, pieces.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if pieces[middle].start <= position { low = middle } else { high = middle - 1 }
        }
        return low
    }
}

/// The assembled objects somebody is reading: their blobs are removed when the last reader is done.
final class AssemblyPins: Sendable {
    private struct State {
        var counts: [UploadNumber: Int] = [:]
        var waiting: [UploadNumber: [BlobID]] = [:]
    }

    private let state = Mutex(State())

    func pin(_ upload: UploadNumber) -> AssemblyPin {
        state.withLock { $0.counts[upload, default: 0] += 1 }
        return AssemblyPin(upload, in: self)
    }

    /// True if the blob has to wait for a reader; it then comes out of `takeUnpinned`.
    func postpone(_ blob: BlobID, of upload: UploadNumber) -> Bool {
        state.withLock { state in
            guard state.counts[upload] != nil else { return false }
            state.waiting[upload, default: []].append(blob)
            return true
        }
    }

    /// Blobs whose last reader has gone.
    func takeUnpinned() -> [BlobID] {
        state.withLock { state in
            let free = state.waiting.filter { state.counts[$0.key] == nil }
            for upload in free.keys { state.waiting[upload] = nil }
            return free.values.flatMap { $0 }
        }
    }

    fileprivate func unpin(_ upload: UploadNumber) {
        state.withLock { state in
            guard let count = state.counts[upload] else { return }
            state.counts[upload] = count == 1 ? nil : count - 1
        }
    }
}

/// Held by a reader.
final class AssemblyPin: Sendable {
    private let upload: UploadNumber
    private let pins: AssemblyPins

    fileprivate init(_ upload: UploadNumber, in pins: AssemblyPins) {
        self.upload = upload
        self.pins = pins
    }

    deinit { pins.unpin(upload) }
}
