import ShoalCrypto
import ShoalNet
import Synchronization

/// The MD5 of a large body, computed on a thread of its own while the loop receives, checks and stores the same bytes.
///
/// MD5 is the dearest part of a large upload and cannot be split, so it runs beside everything else. Four blocks are in
/// flight at most; then the loop stops reading from the socket.
final class ConcurrentMD5: Sendable {
    static let blockByteCount = 256 * 1024
    static let blockCountMax = 4

    /// `@unchecked Sendable`: a block is owned by the loop while it is filled and by the worker while it is digested;
    /// the hand-over is under the lock of `state`.
    private final class Block: @unchecked Sendable {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: blockByteCount, alignment: 64)
        var count = 0

        deinit { bytes.deallocate() }
    }

    private struct State {
        var filled: [Block] = []
        var free: [Block] = []
        var current: Block?
        var isRunning = false
        var isIdle: Bool { filled.isEmpty && !isRunning }
        var waiter: (moment: BodySinkMoment, then: @Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let pool: WorkerPool
    /// `@unchecked Sendable`: fed by the one worker that runs at a time, finished when none does.
    private struct Running: @unchecked Sendable {
        let digest = Digest(.md5)
    }

    private let running = Running()

    init(pool: WorkerPool) { self.pool = pool }

    /// Copies the bytes into blocks; `waits(for: .room)` is to be asked before more is taken.
    func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let block = currentBlock()
            let count = min(rest.count, Self.blockByteCount - block.count)
            UnsafeMutableRawBufferPointer(rebasing: block.bytes[block.count...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            block.count += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if block.count == Self.blockByteCount { submit() }
        }
    }

    func waits(for moment: BodySinkMoment, then: @escaping @Sendable () -> Void) -> Bool {
        if moment == .end { submit() }
        return state.withLock { state in
            let isReady = moment == .room ? state.filled.count < Self.blockCountMax - 1 : state.isIdle
            if !isReady { state.waiter = (moment, then) }
            return !isReady
        }
    }

    /// 16 bytes; after `waits(for: .end)` said no or called back.
    func finish() -> [UInt8] { running.digest.finish() }

    private func currentBlock() -> Block {
        state.withLock { state in
            if let block = state.current { return block }
            let block = state.free.popLast() ?? Block()
            block.count = 0
            state.current = block
            return block
        }
    }

    private func submit() {
        let starts = state.withLock { state in
            guard let block = state.current, block.count > 0 else { return false }
            state.current = nil
            state.filled.append(block)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { pool.run { self.digestAll() } }
    }

    private func digestAll() {
        while let block = state.withLock({ state in
            if state.filled.isEmpty {
                state.isRunning = false
                return nil as Block?
            }
            return state.filled.removeFirst()
        }) {
            running.digest.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block.bytes)[..<block.count]))
            state.withLock { $0.free.append(block) }
            notify()
        }
        notify()
    }

    private func notify() {
        let then = state.withLock { state -> (@Sendable () -> Void)? in
            guard let waiter = state.waiter else { return nil }
            let isReady = waiter.moment == .room ? state.filled.count < Self.blockCountMax - 1 : state.isIdle
            guard isReady else { return nil }
            state.waiter = nil
            return waiter.then
        }
        then?()
    }
}
