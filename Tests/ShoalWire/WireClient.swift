import CShoalSystem
import Glibc

/// A TCP client without any HTTP of its own: it sends what it is given and tells FIN, RST and silence apart.
package final class WireClient {
    package let descriptor: Int32
    private var received: [UInt8] = []
    /// A send found the peer's reset, which the kernel tells only once.
    private var isReset = false
    /// Nil for a client that speaks plain TCP.
    package let tls: WireTLS?

    /// How the peer ended, as far as was looked.
    package enum End: Equatable, Sendable {
        case fin
        case reset
        /// Nothing more came in the time that was given, and the connection stands.
        case silence
    }

    /// Connects to a port of 127.0.0.1; TLS begins with the first `send`.
    package init(port: UInt16, tls trust: WireTLS.Trust? = nil) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(code == 0, "cannot connect to 127.0.0.1:\(port): \(String(cString: strerror(errno)))")
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        self.descriptor = descriptor
        tls = trust.map { WireTLS($0, on: descriptor) }
    }

    deinit { close(descriptor) }

    /// Sends everything; false if the peer reset the connection meanwhile.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool { tls?.send(bytes) ?? sendRaw(bytes) }

    /// Below TLS, if there is any.
    @discardableResult
    package func sendRaw(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard Glibc.poll(&poll, 1, 10_000) > 0 else { return false }
                continue
            }
            guard count > 0 else {
                if errno == ECONNRESET { isReset = true }
                return false
            }
            sent += count
        }
        return true
    }

    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Closes this side only: the peer sees a FIN.
    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends the connection with a RST; the descriptor stays.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        // Connecting to nowhere ends a connection at once, with a RST (RFC 9293 §3.10.5), and keeps the descriptor.
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Reads until `isEnough` of all bytes so far, the peer's end, or `milliseconds` without a byte.
    package func receive(
        milliseconds: Int32 = 10_000, until isEnough: ([UInt8]) -> Bool = { _ in false }
    ) -> (bytes: [UInt8], end: End) {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while !isEnough(received) {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let isReady = tls?.hasBufferedInput == true || Glibc.poll(&poll, 1, milliseconds) > 0
            guard isReady else { return (take(), .silence) }
            let count = tls?.receive(&buffer) ?? recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 { return (take(), isReset ? .reset : .fin) }
            if count < 0, errno == EAGAIN { continue }
            if count < 0 { return (take(), .reset) }
            received += buffer[..<count]
        }
        return (take(), .silence)
    }

    private func take() -> [UInt8] {
        defer { received = [] }
        return received
    }

    /// Reads one response, told by its `Content-Length`; further bytes stay for the next call.
    package func receiveResponse(toHead isHead: Bool = false, milliseconds: Int32 = 10_000) -> WireResponse? {
        var response: WireResponse?
        let (bytes, _) = receive(milliseconds: milliseconds) { bytes in
            response = WireResponse(parsing: bytes, isHead: isHead)
            return response != nil
        }
        guard let response else { return nil }
        received = Array(bytes.dropFirst(response.byteCount))
        return response
    }
}

/// A response as it came.
package struct WireResponse: Sendable {
    package let status: Int
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]
    /// Bytes of head and body.
    package let byteCount: Int

    package subscript(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// Nil until head and body are complete.
    package init?(parsing bytes: [UInt8], isHead: Bool) {
        guard let headEnd = Self.find(Array("\r\n\r\n".utf8), in: bytes) else { return nil }
        let lines = String(decoding: bytes[..<headEnd], as: UTF8.self).components(separatedBy: "\r\n")
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        fields = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            let value = line[colon...].dropFirst()
            return (String(line[..<colon]), String(value.drop { $0 == " " }))
        }
        self.status = status
        let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        let bodyCount = isHead || status == 204 || status == 304 || status == 100 ? 0 : length
        guard bytes.count >= headEnd + 4 + bodyCount else { return nil }
        body = Array(bytes[(headEnd + 4)..<(headEnd + 4 + bodyCount)])
        byteCount = headEnd + 4 + bodyCount
    }

    private static func find(_ needle: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= needle.count else { return nil }
        return (0...(bytes.count - needle.count)).first { bytes[$0..<($0 + needle.count)].elementsEqual(needle) }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}

/// The statuses of all responses in `bytes`, in order; bodies must not contain `HTTP/1.1 `.
package func statuses(in bytes: [UInt8]) -> [Int] {
    String(decoding: bytes, as: UTF8.self).split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
}
