/// Where the events of notification configurations go: a URL under the name that ARNs call it by.
package struct Webhook: Sendable, Equatable {
    package let name: String
    /// With what it may hold of user information and query.
    package let url: Secret

    /// Webhooks of one server; each has a thread.
    package static let countMax = 64
    /// Of a name; letters, digits, `-` and `_`, as queues have them.
    /// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html
    package static let nameLengthMax = 80

    /// `NAME=URL`; nil for a name that no queue can have, and for a URL that is not one of http or https with a host, such as
    /// one whose password holds a slash that is not percent-encoded.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(name: String(parts[0]), url: String(parts[1]))
    }

    package init?(name: String, url: String) {
        guard (1...Self.nameLengthMax).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNameByte),
            Parts(url) != nil, url.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        self.name = name
        self.url = Secret(url)
    }

    /// The URL without user information, query and fragment, which may hold secrets.
    package var shownURL: String { Parts(url.text).map { "\($0.scheme)://\($0.host)\($0.path)" } ?? "" }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private struct Parts {
        let scheme: String
        /// With the port, without user information.
        let host: Substring
        let path: Substring

        init?(_ url: String) {
            guard let mark = url.firstRange(of: "://") else { return nil }
            scheme = url[..<mark.lowerBound].lowercased()
            guard scheme == "http" || scheme == "https" else { return nil }
            let rest = url[mark.upperBound...].prefix { $0 != "?" && $0 != "#" }
            let authority = rest.prefix { $0 != "/" }
            // Behind the authority, and twice in it, an `@` stands for user information that is not encoded.
            guard url.count(where: { $0 == "@" }) == authority.count(where: { $0 == "@" }),
                authority.count(where: { $0 == "@" }) <= 1
            else { return nil }
            host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
            guard !host.isEmpty, !host.hasPrefix(":"), Self.hasPort(host) else { return nil }
            path = rest.dropFirst(authority.count)
        }

        /// Whether what follows the host's colon, if there is one, is the number of a port.
        private static func hasPort(_ host: Substring) -> Bool {
            let address = host.hasPrefix("[") ? host.drop { $0 != "]" } : host
            guard let colon = address.lastIndex(of: ":") else { return true }
            return UInt16(address[address.index(after: colon)...]) != nil
        }
    }
}
