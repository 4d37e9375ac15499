import ShoalHTTP

/// Where requests go: scheme, host and port.
package struct Endpoint: Sendable, Equatable {
    package let scheme: URLScheme
    /// Host with its port unless that is the scheme's default: what a client sends as `Host`.
    package let authority: String

    /// Nil unless `authority` is a host with an optional port, without user, path or blanks.
    package init?(scheme: URLScheme, authority: String) {
        let isAllowed = { (byte: UInt8) in
            byte.isDigitASCII || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.lowercasedASCII)
                || "-._~:[]".utf8.contains(byte)
        }
        guard !authority.isEmpty, authority.utf8.allSatisfy(isAllowed) else { return nil }
        let suffix = "\(scheme.portSuffix)"
        self.scheme = scheme
        self.authority = authority.hasSuffix(suffix) ? String(authority.dropLast(suffix.utf8.count)) : authority
    }

    /// `http://127.0.0.1:9000`, with one `/` behind it or none; nil for anything else.
    package init?(_ url: String) {
        for scheme in URLScheme.allCases where url.hasPrefix("\(scheme.rawValue)://") {
            let rest = url.dropFirst(scheme.rawValue.utf8.count + 3)
            self.init(scheme: scheme, authority: String(rest.hasSuffix("/") ? rest.dropLast() : rest))
            return
        }
        return nil
    }
}

/// How a URL names its bucket.
package enum AddressingStyle: String, Sendable, CaseIterable {
    /// `http://host/bucket/key`
    case path
    /// `http://bucket.host/key`
    case virtualHost = "virtual-host"
}
