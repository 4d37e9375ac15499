/// What a ClientHello says of whom it wants and of what it will speak.
package struct TLSHello: Sendable, Equatable {
    /// Server Name Indication (RFC 6066 §3) in lower case; nil if there is none, as for addresses.
    package let serverName: String?
    /// Application protocols in the client's order (RFC 7301); empty if it names none.
    package let protocols: [String]

    package init(serverName: String?, protocols: [String] = []) {
        self.serverName = serverName
        self.protocols = protocols
    }

    /// Of the extensions' contents, as they came. What is malformed counts as absent: OpenSSL refuses it right after.
    init(serverNameExtension: UnsafeRawBufferPointer?, protocolExtension: UnsafeRawBufferPointer?) {
        serverName = serverNameExtension.flatMap(Self.hostName)
        protocols = protocolExtension.map(Self.names) ?? []
    }

    /// A list (2 bytes of length) of entries: a type, 0 for a host name, 2 bytes of length, the name.
    private static func hostName(in bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count > 5, bytes[2] == 0 else { return nil }
        let count = Int(bytes[3]) << 8 | Int(bytes[4])
        guard count > 0, count <= 253, 5 + count <= bytes.count else { return nil }
        let name = bytes[5..<(5 + count)]
        guard name.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let text = String(decoding: name, as: UTF8.self).lowercased()
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// A list (2 bytes of length) of names, each behind a byte of length.
    private static func names(in bytes: UnsafeRawBufferPointer) -> [String] {
        var names: [String] = []
        var index = 2
        while index < bytes.count {
            let end = index + 1 + Int(bytes[index])
            guard end > index + 1, end <= bytes.count else { break }
            names.append(String(decoding: bytes[(index + 1)..<end], as: UTF8.self))
            index = end
        }
        return names
    }
}

/// What a handshake came to.
package struct TLSAgreement: Sendable, Equatable {
    /// `TLSv1.2` or `TLSv1.3`.
    package let version: String
    /// OpenSSL's name of the cipher suite.
    package let cipher: String
    /// The keys come of an earlier session, so that no certificate was shown.
    package let isResumed: Bool
}
