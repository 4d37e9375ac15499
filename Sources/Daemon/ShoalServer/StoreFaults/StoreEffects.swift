import Glibc
import ShoalFaults
import ShoalHTTP
import ShoalS3
import ShoalStore
import Synchronization

/// What rules want the store to do wrong for one exchange, and what has come of it.
///
/// Of several faults of one kind the first counts. Asked on the exchange's loop and on the threads that work for it.
final class StoreEffects: Sendable {
    private struct State {
        var faults: [StoreFault] = []
        var wasLost = false
        var twins: [Changed.Written] = []
    }

    private let state = Mutex(State())

    func add(_ fault: StoreFault) { state.withLock { $0.faults.append(fault) } }

    private var faults: [StoreFault] { state.withLock { $0.faults } }

    private func first<Value>(_ pick: (StoreFault) -> Value?) -> Value? { faults.lazy.compactMap(pick).first }

    // MARK: What is wanted

    /// Whether a read that has been looked up already would find something else now.
    var changesReads: Bool {
        first { fault in
            switch fault {
            case .corruptRead, .staleRead, .ioError: true
            default: nil
            }
        } ?? false
    }

    var loses: Bool { first { if case .loseWrite = $0 { true } else { nil } } ?? false }

    /// Bytes that are kept of a body of `size`.
    func tornSize(of size: UInt64) -> UInt64? {
        first { if case .tornWrite(let position) = $0 { position.offset(in: size, u: 0) } else { nil } }
    }

    /// What is changed in a body of `size` bytes before it is stored.
    func storedCorruptions(of size: UInt64) -> [CorruptRange] {
        faults.compactMap { fault in
            if case .corruptStored(let corruption) = fault { CorruptRange(corruption, in: size) } else { nil }
        }
    }

    /// The same on the way out.
    func readCorruption(of size: UInt64) -> CorruptRange? {
        first { if case .corruptRead(let corruption) = $0 { CorruptRange(corruption, in: size) } else { nil } }
    }

    var repetition: (times: UInt64, wait: Duration)? {
        first { if case .duplicate(let times, let wait) = $0 { (times, wait) } else { nil } }
    }

    var invisibility: StoreFault.Invisibility? {
        first { if case .visibility(let invisibility) = $0 { invisibility } else { nil } }
    }

    /// How many writes ago a read looks.
    var staleness: Int? { first { if case .staleRead(let count) = $0 { Int(clamping: count) } else { nil } } }

    var slowness: StoreFault.SlowDisk? {
        first { if case .slowDisk(let slowness) = $0 { slowness } else { nil } }
    }

    /// What the client of a full disk hears.
    var fullStatus: StoreFault.DiskFullStatus? {
        first { if case .diskFull(_, let status) = $0 { status } else { nil } }
    }

    // MARK: Failing calls

    /// The failure of writing, once more than `count` bytes of a body are wanted.
    func writeFailure(beyond count: UInt64) -> StoreError? {
        first { fault in
            switch fault {
            case .diskFull(let limit, _) where count > limit: .struck(.write, ENOSPC)
            case .ioError(let failure) where (failure.step ?? .write) == .write && count > failure.after:
                .struck(.write, failure.error.number)
            default: nil
            }
        }
    }

    /// The failure of a commit of `size` bytes: what a body of them would have met, and the steps that make it durable.
    func commitFailure(size: UInt64) -> StoreError? {
        if let failure = writeFailure(beyond: max(size, 1)) { return failure }
        return first { fault in
            guard case .ioError(let failure) = fault else { return nil }
            return switch failure.step {
            case .open: .struck(.open, failure.error.number)
            case .sync: .struck(.sync, failure.error.number)
            case .rename: .struck(.rename, failure.error.number)
            case .read, .write, nil: nil
            }
        }
    }

    /// The failure of opening a body, be it to write or to read it.
    var openFailure: StoreError? {
        first { fault in
            if case .ioError(let failure) = fault, failure.step == .open {
                .struck(.open, failure.error.number)
            } else {
                nil
            }
        }
    }

    /// The failure of reading, and the byte before which it happens.
    var readFailure: (error: StoreError, after: UInt64)? {
        first { fault in
            if case .ioError(let failure) = fault, (failure.step ?? .read) == .read {
                (.struck(.read, failure.error.number), failure.after)
            } else {
                nil
            }
        }
    }

    // MARK: What has come of it

    func noteLoss() { state.withLock { $0.wasLost = true } }

    var wasLost: Bool { state.withLock { $0.wasLost } }

    func noteTwin(_ written: Changed.Written) { state.withLock { $0.twins.append(written) } }

    /// What was stored besides what is answered.
    var twins: [Changed.Written] { state.withLock { $0.twins } }
}

/// Bytes of a body that become others.
struct CorruptRange: Sendable {
    let bytes: Range<UInt64>
    let xor: UInt8

    /// Nil if there is no such byte.
    init?(_ corruption: StoreFault.Corruption, in size: UInt64) {
        guard let start = corruption.at.offset(in: size, u: 0), start < size else { return nil }
        bytes = start..<min(size, start + corruption.count)
        xor = corruption.xor
    }
}

extension StoreError {
    /// What a rule makes of a system call.
    fileprivate static func struck(_ step: DiskFailure.Step, _ number: Int32) -> StoreError {
        .disk(DiskFailure(step, "by a rule", number: number))
    }
}

extension StoreFault.IOFailure.ErrorName {
    fileprivate var number: Int32 {
        switch self {
        case .EIO: Glibc.EIO
        case .EACCES: Glibc.EACCES
        case .EMFILE: Glibc.EMFILE
        case .EROFS: Glibc.EROFS
        case .ENOSPC: Glibc.ENOSPC
        }
    }
}

extension StoreEffects {
    /// What is said of a full disk, if a rule says so; nil for every other error.
    func error(of thrown: any Error) -> S3Error? {
        guard let error = thrown as? StoreError, error.isDiskFull, fullStatus == .internalError else { return nil }
        return S3Error(.internalError, cause: error)
    }

    /// Its status, where that is not the error's own.
    func status(of thrown: any Error) -> HTTPStatus? {
        guard let error = thrown as? StoreError, error.isDiskFull, fullStatus == .insufficient else { return nil }
        return .insufficientStorage
    }
}
