/// A connection as rules see it before its first request.
package struct ConnectionSubject: Sendable {
    /// The connection's number.
    package let connection: UInt64
    /// The peer's IP address, without its port.
    package let client: ArraySlice<UInt8>
    package let isSecure: Bool
    /// Server Name Indication, in lower case.
    package let serverName: ArraySlice<UInt8>?
    /// What the client offers by ALPN, in its order, with commas between.
    package let protocols: ArraySlice<UInt8>?

    package init(
        connection: UInt64, client: ArraySlice<UInt8>, isSecure: Bool = false, serverName: ArraySlice<UInt8>? = nil,
        protocols: ArraySlice<UInt8>? = nil
    ) {
        self.connection = connection
        self.client = client
        self.isSecure = isSecure
        self.serverName = serverName
        self.protocols = protocols
    }
}

extension Matcher {
    /// Whether what a rule may say of a connection holds for it.
    func fits(_ subject: ConnectionSubject) -> Bool {
        (client?.matches(subject.client) ?? true) && (isSecure.map { $0 == subject.isSecure } ?? true)
            && (serverName?.matches(subject.serverName) ?? true) && (protocols?.matches(subject.protocols) ?? true)
    }
}
