import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalStore

/// The end of the process, at the word of a rule.
extension World {
    /// Ends the process as SIGKILL would, but with the journal, the rules and the clocks of all worlds written down for the
    /// next one, which belong to the test and not to what it tests.
    func crash(restart: Duration, forgetsUnsynced: Bool) -> Never {
        log.warning("a rule ends the process", ["scope": name, "restart": "\(restart)"])
        if forgetsUnsynced { forgetUnsynced() }
        facilities.crash(restart: restart)
    }

    /// Takes back what this world has stored and nobody has synced, which is everything since the rule is in force, unless
    /// each commit is synced.
    ///
    /// What cannot be taken back stays: the process is ending.
    private func forgetUnsynced() {
        guard options.durability == .process else { return }
        for (path, state) in past.originals {
            do {
                try restore(state, at: path)
            } catch {
                log.error("an object could not be forgotten", ["key": path.key.description, "cause": "\(error)"])
            }
        }
    }

    private func restore(_ state: PastState, at path: ObjectPath) throws {
        guard store.bucket(path.bucket)?.versioning == .never else { return try removeVersions(since: state, at: path) }
        guard case .object(let record, let file) = state else {
            _ = try store.delete(path, at: now).get()
            return
        }
        let copy = try BodyCopy(of: file, 0..<file.length, checksum: .crc64nvme, in: self)
        _ = try store.put(record, in: path.bucket, body: copy.body)
    }

    private func removeVersions(since state: PastState, at path: ObjectPath) throws {
        while let current = try store.current(path), current.ordinal > state.record?.ordinal ?? 0 {
            guard try store.deleteVersion(path, current.version, approve: { _, _ in }) != nil else { return }
        }
    }

    /// Goes on where the process before has ended.
    func resume(_ json: JSON) throws {
        try plan.resume(json["plan"] ?? .null)
        clock.resume(json["clock"] ?? .null)
        if case .string(let text)? = json["dropped"], let seq = UInt64(text) { journalScope.note(droppedEvent: seq) }
    }

    var handover: JSON {
        [
            "scope": .string(name), "plan": plan.handover, "clock": clock.handover,
            "dropped": .string(String(journalScope.droppedEvent)),
        ]
    }
}
