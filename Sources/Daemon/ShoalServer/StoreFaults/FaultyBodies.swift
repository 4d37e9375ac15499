import CShoalSystem
import Glibc
import ShoalStore

/// Fails where a rule says that the disk does.
final class FaultyBodyWriter: BodyWriter {
    private let base: any BodyWriter
    private let effects: StoreEffects
    private var written: UInt64 = 0

    init(_ base: any BodyWriter, _ effects: StoreEffects) {
        self.base = base
        self.effects = effects
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        written += UInt64(bytes.count)
        if let failure = effects.writeFailure(beyond: written) { throw failure }
        try base.write(bytes)
    }

    func finish() throws(StoreError) -> any StagedBody { try base.finish() }

    func finishShort() -> any StagedBody { base.finishShort() }

    func abandon() { base.abandon() }
}

/// A body some of whose bytes are read as others.
final class CorruptBody: BodyFile {
    private let base: any BodyFile
    private let range: Range<UInt64>
    /// Holds the bytes as they are read.
    private let copy: MemoryFile?
    let length: UInt64

    /// Without memory for the copy the body is read as it is.
    init(_ base: any BodyFile, _ corruption: CorruptRange) {
        self.base = base
        length = base.length
        range = corruption.bytes
        copy = MemoryFile(byteCount: range.count) { buffer throws(StoreError) in
            _ = try base.read(at: corruption.bytes.lowerBound, into: buffer)
            for index in buffer.indices { buffer[index] ^= corruption.xor }
        }
    }

    func run(at position: UInt64) throws(StoreError) -> BodyRun {
        guard let copy, position < range.upperBound else { return try base.run(at: position) }
        if position >= range.lowerBound {
            return BodyRun(
                descriptor: copy.descriptor, offset: position - range.lowerBound,
                byteCount: range.upperBound - position)
        }
        let run = try base.run(at: position)
        return BodyRun(
            descriptor: run.descriptor, offset: run.offset, byteCount: min(run.byteCount, range.lowerBound - position))
    }
}

/// A body that cannot be read from some byte on.
final class FailingBody: BodyFile {
    private let base: any BodyFile
    private let readable: UInt64
    private let error: StoreError
    let length: UInt64

    init(_ base: any BodyFile, after readable: UInt64, _ error: StoreError) {
        self.base = base
        self.readable = readable
        self.error = error
        length = base.length
    }

    func run(at position: UInt64) throws(StoreError) -> BodyRun {
        guard position < readable else { throw error }
        let run = try base.run(at: position)
        return BodyRun(
            descriptor: run.descriptor, offset: run.offset, byteCount: min(run.byteCount, readable - position))
    }
}

/// A file without a name, in memory: memfd_create(2).
private final class MemoryFile: Sendable {
    let descriptor: Int32

    /// Nil if the system has no memory or no descriptor for it, or if `fill` throws.
    init?(byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Void) {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let isFilled: Void? = try? bytes.withUnsafeMutableBytes { try fill($0) }
        guard isFilled != nil else { return nil }
        descriptor = shoal_memory_file("shoal")
        guard descriptor >= 0 else { return nil }
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }
}
