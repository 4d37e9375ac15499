import Glibc

extension sockaddr_storage {
    /// The address a socket is bound to.
    init(ofLocalEndOf socket: Int32) {
        self.init()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutableBytes(of: &self) { bytes in
            _ = getsockname(socket, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
    }

    /// Address and port, as logs and rules name a peer: `127.0.0.1:4711`, `[::1]:4711`.
    var name: String {
        withUnsafeBytes(of: self) { bytes in
            let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
            if Int32(ss_family) == AF_INET {
                return "\(bytes[4]).\(bytes[5]).\(bytes[6]).\(bytes[7]):\(port)"
            }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET6, bytes.baseAddress! + 8, &text, socklen_t(text.count))
            let end = text.firstIndex(of: 0) ?? text.endIndex
            return "[\(String(decoding: text[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self))]:\(port)"
        }
    }
}
