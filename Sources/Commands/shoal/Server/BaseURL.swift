import ShoalSigV4

/// The root of a server: `http://HOST[:PORT]` or `https://…`, without a path.
struct BaseURL: Equatable, Sendable, CustomStringConvertible {
    let scheme: String
    /// As in the `Host` header: with the port unless it is the scheme's own.
    let authority: String

    /// Throws a `UsageError` naming `place` unless `text` is an HTTP URL of a root; a bare `HOST:PORT` means HTTP.
    init(_ text: String, in place: String) throws(UsageError) {
        let lowered = text.lowercased()
        let mark = text.firstRange(of: "://")
        let rest = mark.map { text[$0.upperBound...] } ?? text[...]
        scheme = lowered.hasPrefix("https://") ? "https" : "http"
        authority = String(rest.hasSuffix("/") ? rest.dropLast() : rest)
        let isForeign = mark != nil && !lowered.hasPrefix("http://") && !lowered.hasPrefix("https://")
        guard !isForeign, !authority.isEmpty, !authority.contains(where: { "/?#@ \\".contains($0) }) else {
            throw UsageError("\(place) takes a URL such as http://127.0.0.1:9000, without a path, not '\(text)'")
        }
    }

    /// Whether the host is a name, so that a bucket can stand in front of it, and not an address.
    var isName: Bool { !authority.hasPrefix("[") && authority.contains { $0.isLetter } }

    /// Whether it can only be this machine.
    var isLoopback: Bool {
        let host = authority.hasPrefix("[") ? authority : String(authority.prefix { $0 != ":" })
        return host.hasPrefix("127.") || host.hasPrefix("[::1]") || host == "localhost"
    }

    /// Where signed requests go.
    func endpoint() throws(UsageError) -> Endpoint {
        guard let endpoint = Endpoint(description) else { throw UsageError("nothing can be signed for \(self)") }
        return endpoint
    }

    var description: String { "\(scheme)://\(authority)" }
}
