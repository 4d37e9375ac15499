import CShoalTLS

/// Where OpenSSL puts the ciphertext of every session of one thread, on its way to their sockets: empty between two
/// calls, so that a session that is idle holds none of it. Not Sendable.
package final class CiphertextBuffer {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var count = 0

    package init() {}

    deinit { memory.deallocate() }

    private static let byteCountMin = 32 * 1_024

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    func removeAll() { count = 0 }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        if memory.count - count < bytes.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(Self.byteCountMin, memory.count * 2, count + bytes.count), alignment: 16)
            larger.copyMemory(from: self.bytes)
            memory.deallocate()
            memory = larger
        }
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    /// A BIO that writes here and nothing else. https://docs.openssl.org/3.0/man3/BIO_meth_new/
    func makeBIO() -> OpaquePointer {
        guard let bio = BIO_new(Self.method) else { preconditionFailure("OpenSSL has no memory for a BIO") }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    /// Made once and never changed.
    private nonisolated(unsafe) static let method: OpaquePointer = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "ciphertext") else {
            preconditionFailure("OpenSSL has no memory for a method")
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let data = BIO_get_data(bio) else { return -1 }
            Unmanaged<CiphertextBuffer>.fromOpaque(data).takeUnretainedValue()
                .append(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return count
        }
        // Nothing is held back that could be flushed; everything else is not there.
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()
}
