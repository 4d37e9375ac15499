import ShoalHTTP

/// A redirect that a website answers with.
package struct WebsiteRedirect: Sendable, Equatable {
    package let status: HTTPStatus
    /// The value of `Location`, fit for a header.
    package let location: String

    package init(status: HTTPStatus, location: String) {
        self.status = status
        self.location = location
    }
}

/// What a website is asked for.
package struct WebsiteRequest: Sendable {
    /// The decoded path without its first slash, which may be empty.
    package let path: [UInt8]
    /// The `Host` header, with its port.
    package let host: String
    package let isSecure: Bool

    package init(path: [UInt8], host: String, isSecure: Bool = false) {
        self.path = path
        self.host = host
        self.isSecure = isSecure
    }
}

extension WebsiteConfiguration {
    /// The redirect that is answered before an object is looked for; nil if none is.
    package func redirect(_ request: WebsiteRequest) -> WebsiteRedirect? {
        switch self {
        case .redirectsAll(let all):
            let scheme = all.scheme ?? (request.isSecure ? .https : .http)
            return WebsiteRedirect(
                status: .movedPermanently,
                location: "\(scheme.rawValue)://\(all.hostName)/" + LocationText.encoded(request.path))
        case .pages(let pages):
            let rule = pages.rules.first { $0.condition?.errorCode == nil && $0.covers(request.path) }
            return rule?.redirect(request)
        }
    }

    /// The redirect that stands in for the error with this status; nil if none does.
    package func redirect(_ request: WebsiteRequest, insteadOf error: HTTPStatus) -> WebsiteRedirect? {
        guard case .pages(let pages) = self else { return nil }
        let rule = pages.rules.first { $0.condition?.errorCode == error.code && $0.covers(request.path) }
        return rule?.redirect(request)
    }
}

extension WebsiteConfiguration.Pages {
    /// The key of the object that a path shows: itself, or the index document of what ends in a slash.
    package func key(of path: [UInt8]) -> [UInt8] {
        path.isEmpty || path.last == UInt8(ascii: "/") ? path + Array(indexSuffix.utf8) : path
    }

    /// The key of the index document that a path without a slash would have with one. If there is no object by the
    /// path's own name, but this one, the answer is `directoryRedirect`; nil for paths that end in a slash.
    package func directoryIndexKey(of path: [UInt8]) -> [UInt8]? {
        key(of: path) == path ? path + Array("/\(indexSuffix)".utf8) : nil
    }

    package func directoryRedirect(of path: [UInt8]) -> WebsiteRedirect {
        // Two slashes at the beginning would name another host.
        let slashes = path.prefix { $0 == UInt8(ascii: "/") }.count
        let location = String(repeating: "%2F", count: slashes) + LocationText.encoded(Array(path.dropFirst(slashes)))
        return WebsiteRedirect(status: HTTPStatus(302), location: "/" + location + "/")
    }
}

extension WebsiteConfiguration.RoutingRule {
    fileprivate func covers(_ path: [UInt8]) -> Bool { path.starts(with: (condition?.keyPrefix ?? "").utf8) }

    fileprivate func redirect(_ request: WebsiteRequest) -> WebsiteRedirect {
        let scheme = redirect.scheme ?? (request.isSecure ? .https : .http)
        let path =
            switch redirect.replacement {
            case nil: LocationText.encoded(request.path)
            case .key(let key): LocationText.printable(key)
            case .keyPrefix(let prefix):
                LocationText.printable(prefix)
                    + LocationText.encoded(Array(request.path.dropFirst(condition?.keyPrefix?.utf8.count ?? 0)))
            }
        return WebsiteRedirect(
            status: HTTPStatus(redirect.code ?? 301),
            location: "\(scheme.rawValue)://\(LocationText.printable(redirect.hostName ?? request.host))/" + path)
    }
}

/// Text for a `Location` header.
private enum LocationText {
    /// A key as the path of a URL: what could be read as anything but a character of the path is escaped.
    static func encoded(_ key: [UInt8]) -> String {
        text(key) { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/-_.~!$&'()*,;=:@".utf8.contains(byte)
            }
        }
    }

    /// A replacement as its writer meant it, `#!/` and queries too; only what no header holds is escaped.
    static func printable(_ text: String) -> String { self.text(Array(text.utf8)) { 0x21...0x7E ~= $0 } }

    private static func text(_ bytes: [UInt8], isPlain: (UInt8) -> Bool) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            if isPlain(byte) {
                text.append(byte)
            } else {
                text.append(UInt8(ascii: "%"))
                text.appendHexadecimalUpper(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
