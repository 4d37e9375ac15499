/// A host and a port to listen on.
package struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// An address or a name, an IPv6 address without its brackets.
    package let host: String
    /// 0 lets the system choose.
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `127.0.0.1:9000`, `[::1]:9000`, `localhost:0`, `:9000` for every address; nil for anything else.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else {
            guard !host.contains(where: { ":[]/ ".contains($0) }) else { return nil }
        }
        self.init(host: host.isEmpty ? "0.0.0.0" : String(host), port: port)
    }

    /// Whether only programs of this machine can connect.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
