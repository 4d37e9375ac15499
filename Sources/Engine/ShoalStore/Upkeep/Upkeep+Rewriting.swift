import ShoalS3
import ShoalSQLite

/// What names a body in a segment.
private enum BodyOwner: Sendable, CustomStringConvertible {
    case object(BucketID, ObjectKey)
    case version(BucketID, ObjectKey, UInt64)
    case part(UploadNumber, Int)

    var description: String {
        switch self {
        case .object(_, let key): "\(key)"
        case .version(_, let key, let ordinal): "version \(ordinal) of \(key)"
        case .part(let upload, let number): "part \(number) of upload \(upload.value)"
        }
    }
}

/// A body in a segment.
private struct SmallBody: Sendable {
    let owner: BodyOwner
    let number: UInt64
    let offset: UInt64
    let size: UInt64

    /// Nil for a body that is elsewhere.
    init?(_ owner: BodyOwner, _ location: BodyLocation, size: UInt64) {
        guard case .segment(let number, let offset) = location else { return nil }
        (self.owner, self.number, self.offset, self.size) = (owner, number, offset, size)
    }
}

extension Upkeep {
    /// Rows looked at in one go.
    private static let scanRowCount = 1_000

    /// Copies what is alive in the segments elsewhere. What is replaced or deleted meanwhile keeps its new state; readers
    /// keep the old file. Costs one pass over the rows of all objects and parts.
    func rewrite(_ numbers: Set<UInt64>) throws(StoreError) {
        try readers.eachRun(from: CatalogueReader.Position()) { (reader, start) throws(SQLiteError) in
            try reader.rows(after: start, limit: Self.scanRowCount)
        } _: { (rows) throws(StoreError) in
            let bodies = rows.compactMap { row in
                let record = row.object.record
                return SmallBody(.object(row.bucket, record.key), row.object.location, size: record.size)
            }
            try move(bodies, from: numbers)
        }
        try readers.eachRun(from: CatalogueReader.VersionPosition()) { (reader, start) throws(SQLiteError) in
            try reader.versionRows(after: start, limit: Self.scanRowCount)
        } _: { (rows) throws(StoreError) in
            let bodies = rows.compactMap { row in
                let record = row.object.record
                return SmallBody(
                    .version(row.bucket, record.key, record.ordinal), row.object.location, size: record.size)
            }
            try move(bodies, from: numbers)
        }
        try readers.eachRun(from: CatalogueReader.PartPosition()) { (reader, start) throws(SQLiteError) in
            try reader.partRows(after: start, limit: Self.scanRowCount)
        } _: { (rows) throws(StoreError) in
            let bodies = rows.compactMap { row in
                SmallBody(.part(row.upload, row.part.record.number), row.part.location, size: row.part.record.size)
            }
            try move(bodies, from: numbers)
        }
        applier.forgetPlaces(inSegments: numbers)
        // Moves stand in the catalogue alone, not in the log: they are brought to the device before the old bytes go.
        try synchronizeCatalogue()
    }

    /// Where one body was and where its copy is; the copy's segment is pinned as long as this lives.
    private struct Move: Sendable {
        let body: SmallBody
        let copy: DiskBody
    }

    private func move(_ bodies: [SmallBody], from numbers: Set<UInt64>) throws(StoreError) {
        var moves: [Move] = []
        var written: Set<UInt64> = []
        for body in bodies where numbers.contains(body.number) {
            let (segment, target) = try segments.reserve(body.size, lane: segments.compactionLane)
            let copy = DiskBody(
                size: body.size, location: .segment(number: segment.number, offset: target), epoch: 0,
                hold: .segment(segment))
            guard try copyBytes(of: body, to: segment, at: target) else {
                reportDamage(body)
                continue
            }
            moves.append(Move(body: body, copy: copy))
            written.insert(segment.number)
        }
        guard !moves.isEmpty else { return }
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
            for number in Set(done.map(\.body.number)) {
                if let space = spaces[number] { try writer.put(space, of: number) }
            }
        }
    }

    private static func apply(
        _ move: Move, _ writer: CatalogueWriter, _ spaces: inout [UInt64: SegmentSpace]
    ) throws(SQLiteError) {
        let (body, size) = (move.body, move.copy.size)
        guard case .segment(let number, let offset) = move.copy.location else { return }
        let isMoved =
            switch body.owner {
            case .object(let bucket, let key):
                try writer.move(bucket, key, from: (body.number, body.offset), to: (number, offset))
            case .version(let bucket, let key, let ordinal):
                try writer.move(bucket, key, ordinal, from: (body.number, body.offset), to: (number, offset))
            case .part(let upload, let part):
                try writer.move(upload, part, from: (body.number, body.offset), to: (number, offset))
            }
        guard isMoved else { return }
        spaces[body.number]?.live -= size
        spaces[number, default: SegmentSpace()].live += size
        spaces[number, default: SegmentSpace()].end = max(spaces[number]?.end ?? 0, offset + size)
    }

    /// False if the source ends before the body does.
    private func copyBytes(of body: SmallBody, to segment: SegmentFile, at target: UInt64) throws(StoreError) -> Bool {
        let source = try segments.segment(body.number).file
        var bytes = [UInt8](repeating: 0, count: Int(body.size))
        let got = try bytes.withMutableBytes { (buffer) throws(StoreError) in
            try disk.read(source, at: body.offset, into: buffer)
        }
        guard got == bytes.count else { return false }
        try bytes.withBytes { (bytes) throws(StoreError) in try disk.write(bytes, to: segment.file, at: target) }
        return true
    }

    private func reportDamage(_ body: SmallBody) {
        damaged.withLock { _ = $0.insert(body.number) }
        options.report(
            StoreIncident("reclaiming of segments", "segment \(body.number) lacks the bytes of \(body.owner)"))
    }
}
