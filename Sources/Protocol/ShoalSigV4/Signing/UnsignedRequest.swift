import ShoalHTTP

/// A request as a client means it, before it is signed.
package struct UnsignedRequest: Sendable {
    package var method: String
    package var endpoint: Endpoint
    package var style: AddressingStyle
    /// Nil addresses the service, as ListBuckets does.
    package var bucket: String?
    /// The key's bytes, not encoded; nil addresses the bucket.
    package var key: [UInt8]?
    /// Further parameters in the order they are written, not encoded.
    package var query: [(name: String, value: String)]
    /// Every header that is to be signed, `Host` left out.
    package var headers: [(name: String, value: String)]

    package init(
        _ method: String, at endpoint: Endpoint, style: AddressingStyle = .path, bucket: String? = nil,
        key: [UInt8]? = nil, query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = []
    ) {
        self.method = method
        self.endpoint = endpoint
        self.style = style
        self.bucket = bucket
        self.key = key
        self.query = query
        self.headers = headers
    }

    /// The `Host` field.
    package var host: String {
        guard style == .virtualHost, let bucket else { return endpoint.authority }
        return "\(bucket).\(endpoint.authority)"
    }

    /// The encoded path, which begins with `/`.
    package var path: [UInt8] {
        var path = [UInt8(ascii: "/")]
        if style == .path, let bucket {
            PercentEncoding.appendEncoded(bucket.utf8, keepingSlash: false, to: &path)
            if key != nil { path.append(UInt8(ascii: "/")) }
        }
        if let key { PercentEncoding.appendEncoded(key, keepingSlash: true, to: &path) }
        return path
    }
}

/// Why a request cannot be signed.
package enum SigningError: Error, Equatable, Sendable {
    /// Outside 0 to 604,800 seconds.
    case expiryOutOfRange(Int64)
    /// A method, header or host that cannot stand in an HTTP/1.1 head, in words.
    case notHTTP(String)
}

// MARK: - The head that is signed

extension UnsignedRequest {
    /// The head as it will go over the wire, parsed: what is signed is what a server will see.
    func head(query: [UInt8], headers: [(name: String, value: String)]) throws(SigningError) -> RequestHead {
        guard Self.isToken(method) else { throw .notHTTP("the method is no token") }
        var bytes = Array("\(method) ".utf8)
        bytes += path
        if !query.isEmpty {
            bytes.append(UInt8(ascii: "?"))
            bytes += query
        }
        bytes += " HTTP/1.1\r\nHost: \(host)\r\n".utf8
        for header in headers {
            guard Self.isToken(header.name) else { throw .notHTTP("the header name \(header.name) is no token") }
            guard header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .notHTTP("the value of \(header.name) holds a control character")
            }
            bytes += "\(header.name): \(header.value)\r\n".utf8
        }
        bytes += "\r\n".utf8
        do throws(HeadRefusal) {
            var parser = HeadParser()
            guard let parsed = try parser.parse(bytes.span) else { throw HeadRefusal.tooLarge }
            return parsed.head
        } catch {
            throw .notHTTP(error.reason)
        }
    }

    /// Parameters of the request, encoded and joined.
    var encodedQuery: [UInt8] { Self.encode(query) }

    static func encode(_ parameters: [(name: String, value: String)]) -> [UInt8] {
        var buffer: [UInt8] = []
        for parameter in parameters {
            if !buffer.isEmpty { buffer.append(UInt8(ascii: "&")) }
            PercentEncoding.appendEncoded(parameter.name.utf8, keepingSlash: false, to: &buffer)
            buffer.append(UInt8(ascii: "="))
            PercentEncoding.appendEncoded(parameter.value.utf8, keepingSlash: false, to: &buffer)
        }
        return buffer
    }

    /// `host` and the names of `headers`, sorted, each once, joined by `;`.
    static func signedHeaders(_ headers: [(name: String, value: String)]) -> String {
        Set(headers.map { $0.name.lowercased() } + ["host"])
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ";")
    }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte.isDigitASCII || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.lowercasedASCII)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}
