import ShoalCrypto
import ShoalS3
import ShoalStore

/// A new body with bytes that are there already: those of another object, or of a file that is seeded.
struct BodyCopy {
    let body: any StagedBody
    let md5: [UInt8]
    let checksum: Checksum

    private static let blockByteCount = 256 * 1_024

    /// Copies and digests. `read` fills some of the memory with the bytes from a position on and gives their number, which
    /// is not 0. Blocking, for as long as the bytes take.
    init(
        byteCount: UInt64, checksum algorithm: ChecksumAlgorithm, in world: World,
        read: (_ position: UInt64, UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        let writer = try world.store.beginBody(size: byteCount, lane: world.seedLane)
        let md5 = Digest(.md5)
        let running = RunningChecksum(algorithm)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockByteCount, alignment: 64)
        defer { buffer.deallocate() }
        var position: UInt64 = 0
        while position < byteCount {
            let wanted = Int(min(UInt64(buffer.count), byteCount - position))
            let count = try read(position, UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
            md5.update(bytes)
            running.update(bytes)
            try writer.write(bytes)
            position += UInt64(count)
        }
        body = try writer.finish()
        self.md5 = md5.finish()
        checksum = Checksum(algorithm, digest: running.finish())
    }

    /// Of some bytes of a stored body.
    init(of source: any BodyFile, _ range: Range<UInt64>, checksum: ChecksumAlgorithm, in world: World) throws {
        try self.init(byteCount: UInt64(range.count), checksum: checksum, in: world) { position, buffer in
            try source.read(at: range.lowerBound + position, into: buffer)
        }
    }
}
