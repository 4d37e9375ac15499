import ShoalHTTP

/// A request that somebody tells about instead of sending it: method, URL and headers.
package struct DescribedRequest: Sendable {
    package let head: RequestHead
    package let scheme: URLScheme

    /// `url` is absolute and encoded as it would be sent; what follows a `#` never leaves a client. `Host` comes from the
    /// URL unless `headers` hold one. Throws what HTTP forbids, in words.
    package init(
        method: String, url: String, headers: [(name: String, value: String)]
    ) throws(SigningError) {
        guard let scheme = URLScheme.allCases.first(where: { url.lowercased().hasPrefix("\($0.rawValue)://") }) else {
            throw .notHTTP("the URL begins neither with http:// nor with https://")
        }
        let rest = url.dropFirst(scheme.rawValue.utf8.count + 3).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@") else {
            throw .notHTTP("the URL names no host, or a user beside it")
        }
        let target = rest.dropFirst(authority.count)
        var fields = headers
        if !fields.contains(where: { $0.name.lowercased() == "host" }) {
            fields.insert(("Host", String(authority)), at: 0)
        }
        guard !(method + target).utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw .notHTTP("method or URL hold a blank or a control character, which must be percent-encoded")
        }
        self.scheme = scheme
        head = try HeadText.parse(
            requestLine: "\(method) \(target.hasPrefix("/") ? "" : "/")\(target) HTTP/1.1", headers: fields)
    }
}
