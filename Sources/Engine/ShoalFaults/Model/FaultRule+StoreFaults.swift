import ShoalS3

/// What makes faults of the store impossible.
extension FaultRule {
    func flaw(of fault: StoreFault) -> String? {
        let (name, point, demand) = (fault.name.rawValue, site.point, fault.demand)
        if let lack = point.requestLack { return "'\(name)' is about a request, and at '\(point.rawValue)' \(lack)" }
        guard demand.isReached(before: point) else {
            switch demand {
            case .read, .readBytes:
                return "'\(name)' changes what a read finds, which it can at 'request.head', 'auth' and 'read.open', "
                    + "not at '\(point.rawValue)'"
            case .bytes, .change, .object, .repeatable, .disk:
                return point == .readOpen
                    ? "'\(name)' is about what is stored, and 'read.open' is a point of reads"
                    : "'\(name)' comes too late at '\(point.rawValue)'; the last point for it is 'commit.before'"
            }
        }
        guard match.operationSet.contains(where: demand.isMet) else {
            return "'\(name)' needs a request that \(demand.text), and \(match.operationNames) does not"
        }
        return fault.flaw
    }

    /// Whether a request of that operation can be struck; one that cannot is not counted.
    func canStrike(_ operation: S3Operation) -> Bool {
        branches.joined().allSatisfy { action in
            if case .store(let fault) = action { fault.demand.isMet(by: operation) } else { true }
        }
    }

    /// Whether the store has to be watched for it from the beginning of a request.
    var concernsStore: Bool { branches.joined().contains { if case .store = $0 { true } else { false } } }

    /// Whether it lets reads not find what is stored.
    var hidesWrites: Bool { branches.joined().contains { if case .store(.visibility) = $0 { true } else { false } } }

    /// Whether earlier versions have to be kept for it, also of objects that other requests write.
    var needsPast: Bool {
        branches.joined().contains { action in
            switch action {
            case .store(.staleRead), .crash(_, forgetsUnsynced: true): true
            default: false
            }
        }
    }

    /// Whether it ends the process that serves it.
    package var endsProcess: Bool { branches.joined().contains { if case .crash = $0 { true } else { false } } }

    func flaw(ofPostponing wait: Duration?) -> String? {
        if site.point != .commitBefore {
            return "'zombie' takes the place of the commit, which is due at 'commit.before', not "
                + "'\(site.point.rawValue)'"
        }
        guard let wait, wait <= .zero || wait > Self.waitMax else { return nil }
        return "'zombie' comes after 1 ms to 7 days, or after the next commit of its key"
    }

    func flaw(ofCrashing restart: Duration) -> String? {
        restart >= .zero && restart <= Self.waitMax ? nil : "'crash' restarts after 7 days at most"
    }
}

extension Matcher {
    /// For the end of a sentence.
    fileprivate var operationNames: String {
        operations.isEmpty ? "what is matched" : operations.map(\.text).joined(separator: ",")
    }
}

extension StoreFault {
    /// Why it makes no sense, in words; nil if it does.
    fileprivate var flaw: String? {
        switch self {
        case .loseWrite: nil
        case .tornWrite(let position): flaw(of: position)
        case .corruptStored(let corruption), .corruptRead(let corruption): flaw(of: corruption)
        case .duplicate(let times, let wait):
            if !(2...Self.repetitionCountMax).contains(times) {
                "'duplicate' applies a request 2 to \(Self.repetitionCountMax) times in all, not \(times)"
            } else {
                wait >= .zero && wait <= FaultRule.waitMax ? nil : "'duplicate' waits for 7 days at most"
            }
        case .visibility(let invisibility): flaw(of: invisibility)
        case .staleRead(let count):
            (1...Self.versionCountMax).contains(count)
                ? nil : "'staleRead' goes 1 to \(Self.versionCountMax) versions back, not \(count)"
        case .diskFull: nil
        case .ioError(let failure):
            failure.after > 0 && !failure.countsBytes
                ? "'after' counts bytes that are read or written, and this step has none" : nil
        case .slowDisk(let slowness): flaw(of: slowness)
        }
    }

    private func flaw(of position: BytePosition) -> String? {
        position == .random
            ? "'\(name.rawValue)' changes the bytes that you say; what is left to chance is whether it strikes"
            : position.flaw
    }

    private func flaw(of corruption: Corruption) -> String? {
        if corruption.xor == 0 { return "'xor' is 1 to 255: with 0 every byte stays as it is" }
        guard (1...Self.corruptByteCountMax).contains(corruption.count) else {
            return "'\(name.rawValue)' changes 1 to \(Self.corruptByteCountMax) bytes"
        }
        return flaw(of: corruption.at)
    }

    private func flaw(of invisibility: Invisibility) -> String? {
        if invisibility.time == nil && invisibility.reads == nil {
            return "'visibility' needs an end: a time, as in visibility(3s), or a number of reads, as in "
                + "visibility(reads=2)"
        }
        if invisibility.reads == 0 { return "'visibility' of no reads hides nothing" }
        guard let time = invisibility.time, time <= .zero || time > FaultRule.waitMax else { return nil }
        return "'visibility' lasts from 1 ms to 7 days"
    }

    private func flaw(of slowness: SlowDisk) -> String? {
        let waits = [slowness.operation, slowness.sync].compactMap { $0 }
        if waits.isEmpty && slowness.rate == nil {
            return "'slowDisk' needs to be told how slow, as in slowDisk(50ms), slowDisk(rate=1MiB) or "
                + "slowDisk(sync=2s)"
        }
        if let rate = slowness.rate, !(1...Pacing.rateMax).contains(rate) {
            return "'slowDisk' takes 1 to \(Pacing.rateMax) bytes a second"
        }
        return waits.allSatisfy { $0 > .zero && $0 <= FaultRule.waitMax } ? nil : "'slowDisk' waits from 1 ms to 7 days"
    }
}
