import ShoalCrypto
import ShoalHTTP
import ShoalS3

/// Stage one of a V4 signature: the form of a request that client and server both compute.
///
/// Method, path, query, signed headers, their names and the payload line; the path is decoded and encoded once, never
/// normalised.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
package struct CanonicalRequest: Sendable {
    /// Bytes a canonical request may have. Escapes can triple a head of 64 KiB; a list of signed headers that names one
    /// long header again and again would make far more of it.
    package static let byteCountMax = 4 * HeadParser.byteCountMax

    package let bytes: [UInt8]

    /// What `signedHeaders` (names joined by `;`, in lower case) and `payload` make of the request.
    package init(
        _ head: RequestHead, signedHeaders: ArraySlice<UInt8>, payload: ArraySlice<UInt8>, scheme: URLScheme = .http
    ) throws(S3Error) {
        var buffer: [UInt8] = []
        let parts = CanonicalParts(
            head: head, query: QueryParameters(head), signedHeaders: signedHeaders, payload: payload,
            hostForm: .canonical(scheme))
        try parts.append(to: &buffer)
        bytes = buffer
    }
}

/// Whether the client spoke TLS, which decides the default port.
package enum URLScheme: String, Sendable, CaseIterable {
    case http, https

    /// With its colon, as it ends a Host field.
    var portSuffix: StaticString { self == .http ? ":80" : ":443" }
}

/// How the Host field enters the canonical request.
enum HostForm: Equatable {
    /// Without the default port of the scheme.
    case canonical(URLScheme)
    /// With whatever port was sent.
    case asSent
}

/// The pieces of a canonical request, as slices of the head.
struct CanonicalParts {
    let head: RequestHead
    let query: QueryParameters
    let signedHeaders: ArraySlice<UInt8>
    let payload: ArraySlice<UInt8>
    let hostForm: HostForm

    func append(to buffer: inout [UInt8]) throws(S3Error) {
        let lineFeed = UInt8(ascii: "\n")
        buffer.reserveCapacity(buffer.count + head.target.count + 768)
        buffer.append(contentsOf: head.methodText)
        buffer.append(lineFeed)
        let path = head.path
        if path.isEmpty {
            buffer.append(UInt8(ascii: "/"))
        } else {
            PercentEncoding.appendCanonical(head.bytes, path.indices, keepingSlash: true, to: &buffer)
        }
        buffer.append(lineFeed)
        query.appendCanonical(omitting: "X-Amz-Signature", to: &buffer)
        buffer.append(lineFeed)
        try appendHeaders(to: &buffer)
        buffer.append(lineFeed)
        buffer.append(contentsOf: signedHeaders)
        buffer.append(lineFeed)
        buffer.append(contentsOf: payload)
    }

    /// One line for each signed name, in the order of the list.
    private func appendHeaders(to buffer: inout [UInt8]) throws(S3Error) {
        try SignedHeaderNames.checkBound(signedHeaders)
        let start = buffer.count
        for name in SignedHeaderNames(signedHeaders) {
            buffer.append(contentsOf: name)
            buffer.append(UInt8(ascii: ":"))
            appendValue(of: name, to: &buffer)
            buffer.append(UInt8(ascii: "\n"))
            guard buffer.count - start <= CanonicalRequest.byteCountMax else {
                throw S3Error(.requestHeaderSectionTooLarge)
            }
        }
    }

    /// All lines of that name joined by commas; else query parameters of that name, as JavaScript clients sign them;
    /// else nothing.
    private func appendValue(of name: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
        if name.equals("host") { return appendHost(to: &buffer) }
        var isFound = false
        for line in head.fieldLines where head.isNamed(line, name) {
            if isFound { buffer.append(UInt8(ascii: ",")) }
            appendSqueezed(head.value(of: line), to: &buffer)
            isFound = true
        }
        if isFound { return }
        for (position, value) in query.allIgnoringCase(name).enumerated() {
            if position > 0 { buffer.append(UInt8(ascii: ",")) }
            appendSqueezed(value.trimmed, to: &buffer)
        }
    }

    private func appendHost(to buffer: inout [UInt8]) {
        guard var host = head.first("host") else { return }
        if case .canonical(let scheme) = hostForm, host.ends(with: scheme.portSuffix) {
            host = host.dropLast(scheme.portSuffix.utf8CodeUnitCount)
        }
        for byte in host { buffer.append(byte.lowercasedASCII) }
    }

    /// Runs of blanks and tabs become one blank; quotes protect nothing.
    private func appendSqueezed(_ value: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
        var isAfterBlank = false
        for byte in value {
            let isBlank = byte == UInt8(ascii: " ") || byte == 0x09
            if isBlank && isAfterBlank { continue }
            buffer.append(isBlank ? UInt8(ascii: " ") : byte)
            isAfterBlank = isBlank
        }
    }
}

extension ArraySlice<UInt8> {
    func ends(with text: StaticString) -> Bool { suffix(text.utf8CodeUnitCount).equals(text) }
}

/// The names of a `SignedHeaders` list in the order sent.
struct SignedHeaderNames: Sequence, IteratorProtocol {
    /// Names a list may have; as many as a head has lines.
    static let countMax = HeadParser.fieldLineCountMax

    private var rest: ArraySlice<UInt8>?

    init(_ list: ArraySlice<UInt8>) { rest = list }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let list = rest else { return nil }
        guard let end = list.firstIndex(of: UInt8(ascii: ";")) else {
            rest = nil
            return list
        }
        rest = list[(end + 1)...]
        return list[..<end]
    }

    /// Throws for a list so long that matching it with the head would take noticeable time.
    static func checkBound(_ list: ArraySlice<UInt8>) throws(S3Error) {
        guard list.count(where: { $0 == UInt8(ascii: ";") }) < countMax else {
            throw S3Error(.requestHeaderSectionTooLarge)
        }
    }

    /// Whether the header line's name is in the list.
    static func contains(_ list: ArraySlice<UInt8>, nameOf line: RequestHead.FieldLine, of head: RequestHead) -> Bool {
        for name in SignedHeaderNames(list) where head.isNamed(line, name) { return true }
        return false
    }
}
