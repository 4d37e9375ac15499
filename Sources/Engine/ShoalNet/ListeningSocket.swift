import CShoalSystem
import Glibc

/// A TCP socket that listens.
package struct ListeningSocket: Sendable {
    package let descriptor: Int32
    /// The port in use: the one asked for, or the one the kernel chose for 0.
    package let port: UInt16

    /// Connections the kernel completes before we accept them.
    static let backlog: Int32 = 4_096

    /// - Parameter host: a numeric IPv4 or IPv6 address, or `localhost`, which is taken as 127.0.0.1.
    package init(host: String, port wanted: UInt16) throws(SocketError) {
        try self.init(bindingTo: host, wanted)
        guard listen(descriptor, Self.backlog) == 0 else { throw Self.failed(descriptor, .system("listen", errno)) }
    }

    /// A socket whose `accept` never waits, and whose port stays its own while it does not listen.
    ///
    /// Where the kernel chose a port, it takes it back when the socket stops to listen; one that was asked for stays
    /// (`SOCK_BINDPORT_LOCK` in Linux). So a first socket lets the kernel choose, and a second one asks for that port
    /// before the first one goes.
    init(keeping host: String, port wanted: UInt16) throws(SocketError) {
        let chooser: ListeningSocket? = wanted == 0 ? try ListeningSocket(bindingTo: host, 0) : nil
        defer { chooser?.close() }
        try self.init(bindingTo: host, chooser?.port ?? wanted, flags: Int32(SOCK_NONBLOCK.rawValue))
        guard listen(descriptor, Self.backlog) == 0 else {
            throw Self.failed(descriptor, errno == EADDRINUSE ? .inUse(host, port) : .system("listen", errno))
        }
    }

    private init(bindingTo host: String, _ wanted: UInt16, flags: Int32 = 0) throws(SocketError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        let name = host == "localhost" ? "127.0.0.1" : host
        guard getaddrinfo(name, String(wanted), &hints, &found) == 0, let address = found else {
            throw .badAddress(host)
        }
        defer { freeaddrinfo(found) }
        let socket = Glibc.socket(
            address.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | flags, 0)
        guard socket >= 0 else { throw .system("socket", errno) }
        descriptor = socket
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard bind(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
            throw Self.failed(socket, errno == EADDRINUSE ? .inUse(host, wanted) : .system("bind", errno))
        }
        port = Self.boundPort(of: socket)
    }

    /// Listens no more; for a socket that no server accepts on, since a server that stops closes its own.
    package func close() { Glibc.close(descriptor) }

    private static func failed(_ socket: Int32, _ error: SocketError) -> SocketError {
        Glibc.close(socket)
        return error
    }

    private static func boundPort(of socket: Int32) -> UInt16 {
        var address = sockaddr_storage(ofLocalEndOf: socket)
        // Family first, then the port in network order, for IPv4 and IPv6 alike.
        return withUnsafeBytes(of: &address) { UInt16($0[2]) << 8 | UInt16($0[3]) }
    }
}

package enum SocketError: Error, CustomStringConvertible {
    case badAddress(String)
    case inUse(String, UInt16)
    case tooManyPorts(Int)
    case system(String, Int32)

    package var description: String {
        switch self {
        case .badAddress(let host):
            "\(host) is not a numeric address; use 127.0.0.1, [::1] without brackets, or 0.0.0.0"
        case .inUse(let host, let port):
            "port \(port) of \(host) is in use; stop whoever listens there, or choose another with --listen \(host):PORT (0 for a free one)"
        case .tooManyPorts(let count): "\(count) ports are open beside the server's own; close one first"
        case .system(_, EMFILE), .system(_, ENFILE):
            "no file descriptor is left for a socket; close connections, or raise `ulimit -n`"
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        }
    }
}
