/// A connection's other end as the network layer names it: `127.0.0.1:5000`, `[::1]:5000`.
enum PeerAddress {
    /// The IP address, without its port and without the brackets of IPv6.
    static func host(of peer: String) -> String {
        let address = peer[..<(peer.lastIndex(of: ":") ?? peer.endIndex)]
        return address.hasPrefix("[") ? String(address.dropFirst().dropLast()) : String(address)
    }
}
