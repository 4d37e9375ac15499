import Glibc

/// The bytes of a body, readable as long as this object lives, whatever happens to the object's name.
package protocol BodyFile: AnyObject, Sendable {
    /// For `sendfile` and `pread`; -1 for a body of no bytes.
    var descriptor: Int32 { get }
    /// Where the body begins in the file.
    var offset: UInt64 { get }
    var length: UInt64 { get }
}

extension BodyFile {
    /// Fills `buffer` from the body's byte `position`; the number of bytes read, 0 at the end. Blocking.
    package func read(at position: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int {
        let wanted = Int(min(UInt64(buffer.count), length - min(position, length)))
        var count = 0
        while count < wanted {
            let got = pread(
                descriptor, buffer.baseAddress?.advanced(by: count), wanted - count, Int(offset + position) + count)
            if got == 0 { throw .bodyMissing(path: "descriptor \(descriptor)") }
            if got > 0 { count += got } else if errno != EINTR { throw .failed(.read, "descriptor \(descriptor)") }
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
