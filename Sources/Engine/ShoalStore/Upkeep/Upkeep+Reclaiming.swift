import ShoalSQLite

extension Upkeep {
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
