import ShoalFaults
import ShoalS3
import ShoalStore

// MARK: - Doing it again

extension FaultyStore {
    /// Puts what was written once more, as often as a rule wants it; `then` is called when the answer may go.
    ///
    /// A repetition that fails is one that did not happen: the answer speaks of the first.
    func repeatPut(
        _ written: ObjectRecord, at path: ObjectPath, _ announcement: Announcement?,
        then: @escaping @Sendable () -> Void
    ) {
        guard let (times, wait) = effects.repetition else { return then() }
        // Held open from here on: by then the key may be another's.
        let opened = try? base.openObject(path)
        guard let (record, file) = opened, record.isSame(as: written) else { return then() }
        again(times - 1, every: wait, then: then) { [base, world] in
            let copy = try BodyCopy(of: file, 0..<file.length, checksum: .crc64nvme, in: world)
            let twin = try base.put(written, in: path.bucket, body: copy.body, announcing: announcement)
            return Changed.Written(twin, at: path)
        }
    }

    /// The same of a deletion.
    func repeatDelete(
        _ path: ObjectPath, at time: Timestamp, _ announcement: Announcement?, then: @escaping @Sendable () -> Void
    ) {
        guard let (times, wait) = effects.repetition else { return then() }
        again(times - 1, every: wait, then: then) { [base] in
            _ = try base.delete(path, at: time, announcing: announcement).get()
            return nil
        }
    }

    /// Does `work` at once, before the answer, or each time after a wait and behind the answer.
    private func again(
        _ times: UInt64, every wait: Duration, then: @escaping @Sendable () -> Void,
        _ work: @escaping @Sendable () throws -> Changed.Written?
    ) {
        let (world, effects) = (world, effects)
        guard wait > .zero else {
            return world.copies.run {
                for _ in 0..<times {
                    guard let twin = try? work() else { break }
                    effects.noteTwin(twin)
                }
                then()
            }
        }
        then()
        for number in 1...Int(times) {
            world.journalScope.exchangeBegan()
            let end = world.journalScope.exchangeEnded
            world.laterWork.run(after: wait * number, for: world, cancel: end) { [exchange] in
                let twin = try? work()
                // Before its event, so that whoever that wakes finds it over.
                world.journalScope.exchangeEnded()
                guard let twin else { return }
                world.journal.append(
                    .store(.init(.committed, size: twin.size, etag: twin.etag.text, versionID: twin.versionID)),
                    in: world.journalScope, exchange: exchange)
            }
        }
    }
}
