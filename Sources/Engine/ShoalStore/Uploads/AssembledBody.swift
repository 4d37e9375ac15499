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
    private let hold: BlobHold
    /// Pinned segments that hold some of the parts.
    private let segments: [SegmentFile]

    /// `parts` in the order of the body. Throws what pinning a segment throws.
    init(
        _ parts: [StoredPart], _ hold: BlobHold, segments: SegmentStore,
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
        self.hold = hold
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
