import Synchronization

/// Blocks of memory that large bodies pass through, used again by the next upload: memory stays at what the largest
/// number of uploads at a time needed.
final class BlockPool: Sendable {
    static let blockByteCount = 256 * 1024
    /// Blocks kept for later; more are given back to the system.
    private static let freeCountMax = 64

    /// `@unchecked Sendable`: a block is owned by the loop while it is filled and by a worker while it is digested; it is
    /// handed over under a lock.
    final class Block: @unchecked Sendable {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: blockByteCount, alignment: 4_096)
        var count = 0

        deinit { bytes.deallocate() }

        var filled: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count]) }

        var space: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(rebasing: bytes[count...]) }
    }

    private let free = Mutex<[Block]>([])

    func take() -> Block {
        let block = free.withLock { $0.popLast() } ?? Block()
        block.count = 0
        return block
    }

    func giveBack(_ block: Block) {
        free.withLock { free in
            if free.count < Self.freeCountMax { free.append(block) }
        }
    }
}
