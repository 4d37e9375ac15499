import Glibc

/// An attempt to connect to a port of 127.0.0.1, under way.
package final class ConnectionAttempt {
    package enum Outcome: Equatable, Sendable {
        case connected
        /// RST in answer to the SYN.
        case refused
        /// No answer yet.
        case silence
    }

    private let descriptor: Int32
    private let isRefused: Bool

    package init(port: UInt16) {
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        isRefused = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) != 0 && errno == ECONNREFUSED
            }
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// What has come of it within the time.
    package func outcome(milliseconds: Int32) -> Outcome {
        guard !isRefused else { return .refused }
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&event, 1, milliseconds) > 0 else { return .silence }
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        return error == 0 ? .connected : .refused
    }

    /// What comes of a new one.
    package static func outcome(port: UInt16, milliseconds: Int32 = 100) -> Outcome {
        ConnectionAttempt(port: port).outcome(milliseconds: milliseconds)
    }
}
