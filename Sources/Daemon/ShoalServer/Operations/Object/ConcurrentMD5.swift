import ShoalCrypto
import ShoalNet
import Synchronization

/// The MD5 of a large body, computed on a thread of its own while the loop receives, checks and stores the same bytes.
///
/// MD5 is the dearest part of a large upload and cannot be split, so it runs beside everything else. A few blocks are in
/// flight at most; then the loop stops reading from the socket.
final class ConcurrentMD5: Sendable {
    /// Blocks filled and not digested yet, beyond which the socket has to wait.
    static let filledCountMax = 3

    private struct State {
        var filled: [BlockPool.Block] = []
        var current: BlockPool.Block?
        var isRunning = false
        var waiter: (moment: BodySinkMoment, then: @Sendable () -> Void)?

        func isReady(for moment: BodySinkMoment) -> Bool {
            switch moment {
            case .room: filled.count < filledCountMax
            case .end: filled.isEmpty && !isRunning
            }
        }
    }

    /// `@unchecked Sendable`: fed by the one worker that runs at a time, finished when none does.
    private struct Running: @unchecked Sendable {
        let digest = Digest(.md5)
    }

    private let state = Mutex(State())
    private let running = Running()
    private let pool: WorkerPool
    private let blocks: BlockPool

    init(on pool: WorkerPool, blocks: BlockPool) {
        self.pool = pool
        self.blocks = blocks
    }

    deinit {
        // An upload that broke off leaves its blocks here; no worker runs, because it would hold this object.
        state.withLock { state in
            for block in state.filled { blocks.giveBack(block) }
            state.current.map(blocks.giveBack)
        }
    }

    /// Where bytes are wanted: what is put there need not be copied.
    var space: UnsafeMutableRawBufferPointer { currentBlock().space }

    /// Takes bytes of any length, which may stand in `space`; `waits(for: .room)` is to be asked before more is taken.
    func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let block = currentBlock()
            let space = block.space
            let count = min(rest.count, space.count)
            if rest.baseAddress != UnsafeRawPointer(space.baseAddress) {
                space.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            }
            block.count += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if block.space.isEmpty { submit() }
        }
    }

    func waits(for moment: BodySinkMoment, then: @escaping @Sendable () -> Void) -> Bool {
        if moment == .end { submit() }
        return state.withLock { state in
            guard !state.isReady(for: moment) else { return false }
            state.waiter = (moment, then)
            return true
        }
    }

    /// 16 bytes; after `waits(for: .end)` said no or called back.
    func finish() -> [UInt8] { running.digest.finish() }

    private func currentBlock() -> BlockPool.Block {
        state.withLock { state in
            if let block = state.current { return block }
            let block = blocks.take()
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
        while let block = nextBlock() {
            running.digest.update(block.filled)
            blocks.giveBack(block)
            notify()
        }
        notify()
    }

    private func nextBlock() -> BlockPool.Block? {
        state.withLock { state in
            guard state.filled.isEmpty else { return state.filled.removeFirst() }
            state.isRunning = false
            return nil
        }
    }

    private func notify() {
        let then = state.withLock { state -> (@Sendable () -> Void)? in
            guard let waiter = state.waiter, state.isReady(for: waiter.moment) else { return nil }
            state.waiter = nil
            return waiter.then
        }
        then?()
    }
}
