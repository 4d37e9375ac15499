import Glibc

/// The bytes of a body, readable as long as this object lives, whatever happens to the object's name. One thread at a
/// time reads from it.
package protocol BodyFile: AnyObject, Sendable {
    var length: UInt64 { get }

    /// The bytes from the body's byte `position` on that lie behind one another in one file; the descriptor is good until
    /// the next call. `position` is less than `length`. Throws what opening a file throws.
    func run(at position: UInt64) throws(StoreError) -> BodyRun
}

/// Bytes of an open file.
package struct BodyRun: Sendable {
    /// For `sendfile` and `pread`.
    package let descriptor: Int32
    package let offset: UInt64
    package let byteCount: UInt64

    package init(descriptor: Int32, offset: UInt64, byteCount: UInt64) {
        self.descriptor = descriptor
        self.offset = offset
        self.byteCount = byteCount
    }
}

extension BodyFile {
    /// Fills `buffer` from the body's byte `position`; the number of bytes read, 0 at the end. Blocking.
    package func read(at position: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int {
        let wanted = Int(min(UInt64(buffer.count), length - min(position, length)))
        var count = 0
        while count < wanted {
            let run = try run(at: position + UInt64(count))
            let got = pread(
                run.descriptor, buffer.baseAddress?.advanced(by: count),
                min(wanted - count, Int(clamping: run.byteCount)), off_t(run.offset))
            if got == 0 { throw .bodyMissing(path: "descriptor \(run.descriptor)") }
            if got > 0 { count += got } else if errno != EINTR { throw .failed(.read, "descriptor \(run.descriptor)") }
        }
        return count
    }

    /// The whole body in memory, for small ones. Blocking.
    package func contents() throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(length))
        _ = try bytes.withMutableBytes { (buffer) throws(StoreError) in try read(at: 0, into: buffer) }
        return bytes
    }
}
