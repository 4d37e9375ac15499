import Glibc

/// A port of 127.0.0.1 that nobody else gets for as long as this lives. It refuses connections until it is opened.
package final class LoopbackPort: Sendable {
    package let number: UInt16
    /// The socket that is bound to it.
    package let descriptor: Int32

    package init() {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        precondition(isBound, "no free port: \(String(cString: strerror(errno)))")
        self.descriptor = descriptor
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Connections succeed from now on; whoever has the descriptor accepts them.
    package func open() { precondition(listen(descriptor, 16) == 0) }
}
