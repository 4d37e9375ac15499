import Glibc

/// Answers each connection with fixed bytes on a thread of its own, and keeps what it was sent.
final class LoopbackServer: @unchecked Sendable {
    // @unchecked: `received` is written by the serving thread only and read after `join`, which orders the two.
    let port: UInt16
    private let listener: Int32
    private let answers: [[UInt8]]
    private var received: [[UInt8]] = []
    private var thread = pthread_t()

    /// One connection for each answer. A request is complete with `Content-Length` bytes behind its head.
    init(_ answers: [String]) throws {
        self.answers = answers.map { Array($0.utf8) }
        (listener, port) = try boundSocket()
        guard listen(listener, 8) == 0 else { throw SocketFailure(errno: errno) }
        let context = Unmanaged.passRetained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<LoopbackServer>.fromOpaque(argument).takeRetainedValue().serve()
                return nil
            }, context)
    }

    /// Waits for the last answer; each request as it came.
    func requests() -> [String] {
        pthread_join(thread, nil)
        return received.map { String(decoding: $0, as: UTF8.self) }
    }

    private func serve() {
        for answer in answers {
            let connection = accept(listener, nil, nil)
            received.append(readRequest(connection))
            _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            close(connection)
        }
        close(listener)
    }

    private func readRequest(_ connection: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isComplete(bytes) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    private func isComplete(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) }
        return bytes.count - end.upperBound >= length ?? 0
    }
}

/// A port that refuses connections for as long as this lives: bound, so that nobody else gets it, and not listening.
final class RefusingPort {
    let port: UInt16
    private let descriptor: Int32

    init() throws { (descriptor, port) = try boundSocket() }

    deinit { close(descriptor) }

    /// Accepts connections from now on, and says nothing on them.
    func fallSilent() { listen(descriptor, 4) }
}

/// A TCP socket on a free port of 127.0.0.1.
private func boundSocket() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
        }
    }
    guard bound else { throw SocketFailure(errno: errno) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

struct SocketFailure: Error {
    let errno: Int32
}
