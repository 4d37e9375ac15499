import ShoalHTTP
import ShoalS3

/// A request taken apart so that one part can be exchanged.
struct RequestVariant {
    var method: [UInt8]
    var path: [UInt8]
    /// Pieces between `&`, as sent.
    var query: [[UInt8]]
    var headers: [(name: String, value: [UInt8])]

    init(_ head: RequestHead) {
        method = Array(head.methodText)
        path = Array(head.path)
        query = head.query.split(separator: UInt8(ascii: "&")).map(Array.init)
        headers = head.fieldLines.map { (head.name(of: $0).text, Array(head.value(of: $0))) }
    }

    /// The head of the variant; nil if it is none that HTTP knows.
    var head: RequestHead? {
        var bytes = method + [UInt8(ascii: " ")] + (path.isEmpty ? [UInt8(ascii: "/")] : path)
        if !query.isEmpty {
            bytes.append(UInt8(ascii: "?"))
            bytes += query.joined(separator: [UInt8(ascii: "&")])
        }
        bytes += " HTTP/1.1\r\n".utf8
        for header in headers {
            bytes += "\(header.name): ".utf8
            bytes += header.value
            bytes += "\r\n".utf8
        }
        bytes += "\r\n".utf8
        var parser = HeadParser()
        // A variant that cannot be sent explains nothing, so the reason is of no interest.
        return (try? parser.parse(bytes.span))?.head
    }

    /// The first value of a header; `name` in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }.map { $0.value[...].text }
    }

    mutating func removeHeader(_ name: String) { headers.removeAll { $0.name.lowercased() == name } }

    /// Replaces the lines of that name by one, at the place of the first.
    mutating func setHeader(_ name: String, _ value: String) {
        let index = headers.firstIndex { $0.name.lowercased() == name } ?? headers.count
        removeHeader(name)
        headers.insert((name, Array(value.utf8)), at: min(index, headers.count))
    }

    /// The decoded name of a piece of the query.
    static func name(of piece: [UInt8]) -> String {
        PercentEncoding.decoded(piece.prefix { $0 != UInt8(ascii: "=") })[...].text
    }

    /// The decoded value of the first parameter of that name.
    func parameter(_ name: String) -> String? {
        guard let piece = query.first(where: { Self.name(of: $0) == name }) else { return nil }
        return PercentEncoding.decoded(piece.drop { $0 != UInt8(ascii: "=") }.dropFirst())[...].text
    }
}

/// A request and the circumstances under which it is judged.
struct Trial {
    var request: RequestVariant
    var authenticator: Authenticator
    var now: Timestamp
    var hostBucket: [UInt8]?
    var lookup: (ArraySlice<UInt8>) -> Credential?

    /// Nil if the variant is no request at all.
    var verdict: Verdict? {
        request.head.map { authenticator.verify($0, at: now, hostBucket: hostBucket, lookup: lookup) }
    }

    var isAccepted: Bool {
        if case .accepted = verdict { true } else { false }
    }

    /// The `SignedHeaders` list of the request, empty in V2.
    var signedHeaders: [String] {
        let list: String? =
            if let authorization = request.header("authorization") {
                AuthorizationComponents(Array(authorization.utf8)[...].drop { $0 != UInt8(ascii: " ") }.dropFirst())
                    .signedHeaders?.text
            } else {
                request.parameter("X-Amz-SignedHeaders")
            }
        return list.map { $0.split(separator: ";").map(String.init) } ?? []
    }

    var isV2: Bool {
        request.parameter("Signature") != nil
            || request.header("authorization").map { $0.lowercased().hasPrefix("aws ") } == true
    }

    /// The session token that the request carries where the verifier looks for it: beside a header signature of version 4
    /// in the headers alone, otherwise in the query first.
    var token: String? {
        let inHeader = request.header("x-amz-security-token")
        if request.header("authorization") != nil, !isV2 { return inHeader }
        let inQuery = request.query.first { RequestVariant.name(of: $0).lowercased() == "x-amz-security-token" }
        return inQuery.flatMap { request.parameter(RequestVariant.name(of: $0)) } ?? inHeader
    }

    /// What the server knows of the access key that the request names, expired or not.
    var credential: Credential? {
        Credential.find(Array((accessKeyId ?? "").utf8)[...], token: token.map { Array($0.utf8)[...] }, in: lookup)
    }

    /// The access key that the request names.
    var accessKeyId: String? {
        if let authorization = request.header("authorization") {
            let parameters = Array(authorization.utf8)[...].drop { $0 != UInt8(ascii: " ") }.dropFirst()
            if isV2 { return parameters.prefix { $0 != UInt8(ascii: ":") }.text }
            return AuthorizationComponents(parameters).credential?.prefix { $0 != UInt8(ascii: "/") }.text
        }
        return (request.parameter("X-Amz-Credential")?.prefix { $0 != "/" }).map(String.init)
            ?? request.parameter("AWSAccessKeyId")
    }
}
