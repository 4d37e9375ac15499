import ShoalSQLite

extension Upkeep {
    /// Rows looked at in one go.
    private static let scanRowCount = 1_000

    /// Gives back the space of segments in which nothing is alive, and rewrites those that are mostly dead once that
    /// is worth it.
    func reclaim() throws(StoreError) {
        let victims = victims()
        let numbers = Set(victims.toRewrite)
        if !numbers.isEmpty { try rewrite(numbers) }
        let spaces = applier.spaces
        try remove(victims.dead + numbers.filter { (spaces[$0]?.live ?? 0) == 0 })
    }

    struct Victims {
        var dead: [UInt64] = []
        var toRewrite: [UInt64] = []

        var isEmpty: Bool { dead.isEmpty && toRewrite.isEmpty }
    }

    /// Only settled segments: the catalogue knows all that will ever be in them, so what is dead stays dead.
    /// The order matters: a segment is seen to be settled first, and what is alive in it after that.
    func victims() -> Victims {
        let settled = segments.settled().subtracting(damaged.withLock { $0 })
        guard !settled.isEmpty else { return Victims() }
        let spaces = applier.spaces
        var victims = Victims()
        var gain: UInt64 = 0
        for number in settled {
            let space = spaces[number] ?? SegmentSpace()
            if space.live == 0 {
                victims.dead.append(number)
            } else if space.live * 2 < space.end {
                victims.toRewrite.append(number)
                gain += space.end - space.live
            }
        }
        if gain < options.compactionByteCountMin { victims.toRewrite = [] }
        return victims
    }

    private func remove(_ numbers: [UInt64]) throws(StoreError) {
        guard !numbers.isEmpty else { return }
        // Rows first: a file without a row is swept at the next start, a row without a file would be an alarm.
        try applier.transaction { (writer, spaces) throws(SQLiteError) in
            for number in numbers {
                try writer.deleteSegment(number)
                spaces[number] = nil
            }
        }
        for number in numbers { try segments.remove(number) }
    }
}

// MARK: - Rewriting

extension Upkeep {
    private typealias Row = (bucket: BucketID, object: StoredObject)

    /// Copies what is alive in the segments elsewhere. Objects that are replaced or deleted meanwhile keep their new
    /// state; readers keep the old file. Costs one pass over the rows of all objects.
    private func rewrite(_ numbers: Set<UInt64>) throws(StoreError) {
        var position: CatalogueReader.Position? = CatalogueReader.Position()
        while let start = position {
            let run = try readers.read { (reader) throws(SQLiteError) in
                try reader.rows(after: start, limit: Self.scanRowCount)
            }
            position = run.next
            let rows = run.rows.filter { row in
                if case .segment(let number, _) = row.object.location { numbers.contains(number) } else { false }
            }
            if !rows.isEmpty { try move(rows) }
        }
        applier.forgetPlaces(inSegments: numbers)
        // Moves stand in the catalogue alone, not in the log: they are brought to the device before the old bytes go.
        try synchronizeCatalogue()
    }

    /// Where one body was and where its copy is; the copy's segment is pinned as long as this lives.
    private struct Move: Sendable {
        let row: (bucket: BucketID, object: StoredObject)
        let copy: DiskBody
    }

    private func move(_ rows: [Row]) throws(StoreError) {
        var moves: [Move] = []
        var written: Set<UInt64> = []
        for row in rows {
            guard case .segment(let number, let offset) = row.object.location else { continue }
            let (segment, target) = try segments.reserve(row.object.record.size, lane: segments.compactionLane)
            let copy = DiskBody(
                size: row.object.record.size, location: .segment(number: segment.number, offset: target), epoch: 0,
                hold: .segment(segment))
            guard try copyBytes(from: number, at: offset, to: segment, at: target, count: Int(copy.size)) else {
                reportDamage(number, row)
                continue
            }
            moves.append(Move(row: row, copy: copy))
            written.insert(segment.number)
        }
        // The catalogue must not reach the device with names for bytes that did not.
        for number in written { try segments.synchronize(number) }
        try segments.synchronizeNames()
        let (done, targets) = (moves, written)
        try applier.transaction { (writer, spaces) throws(SQLiteError) in
            for move in done { try Self.apply(move, writer, &spaces) }
            for number in targets {
                guard let space = spaces[number] else { continue }
                try writer.put(space, of: number)
                try writer.raiseNextSegment(above: number)
            }
            let sources = Set(done.compactMap(\.row.object.location.segmentNumber))
            for number in sources { if let space = spaces[number] { try writer.put(space, of: number) } }
        }
    }

    private static func apply(
        _ move: Move, _ writer: CatalogueWriter, _ spaces: inout [UInt64: SegmentSpace]
    ) throws(SQLiteError) {
        guard case .segment(let oldNumber, let oldOffset) = move.row.object.location,
            case .segment(let number, let offset) = move.copy.location,
            try writer.move(
                move.row.bucket, move.row.object.record.key, from: (oldNumber, oldOffset), to: (number, offset))
        else { return }
        let size = move.copy.size
        spaces[oldNumber]?.live -= size
        spaces[number, default: SegmentSpace()].live += size
        spaces[number, default: SegmentSpace()].end = max(spaces[number]?.end ?? 0, offset + size)
    }

    /// False if the source ends before the body does.
    private func copyBytes(
        from number: UInt64, at offset: UInt64, to segment: SegmentFile, at target: UInt64, count: Int
    ) throws(StoreError) -> Bool {
        let source = try segments.segment(number).file
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try bytes.withMutableBytes { (buffer) throws(StoreError) in
            try disk.read(source, at: offset, into: buffer)
        }
        guard got == count else { return false }
        try bytes.withBytes { (bytes) throws(StoreError) in try disk.write(bytes, to: segment.file, at: target) }
        return true
    }

    private func reportDamage(_ number: UInt64, _ row: Row) {
        damaged.withLock { _ = $0.insert(number) }
        options.report(
            StoreIncident("reclaiming of segments", "segment \(number) lacks the bytes of \(row.object.record.key)"))
    }
}

extension BodyLocation {
    var segmentNumber: UInt64? {
        if case .segment(let number, _) = self { number } else { nil }
    }
}
