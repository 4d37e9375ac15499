/// Why a request head or its framing is not HTTP/1.1 as we accept it. The connection closes after the answer, because
/// where the next request begins is not known.
package enum HeadRefusal: Error, Equatable, Sendable {
    /// Syntax or framing that RFC 9112 forbids, in words for the log.
    case malformed(String)
    /// More than `HeadParser.byteCountMax` before the empty line.
    case tooLarge
    /// A transfer coding other than exactly `chunked` (RFC 9112 §6.1).
    case transferCodingNotImplemented
    case versionNotSupported

    package var status: HTTPStatus {
        switch self {
        case .malformed: .badRequest
        case .tooLarge: .requestHeaderFieldsTooLarge
        case .transferCodingNotImplemented: .notImplemented
        case .versionNotSupported: .httpVersionNotSupported
        }
    }

    package var reason: String {
        switch self {
        case .malformed(let reason): reason
        case .tooLarge: "the request head is larger than \(HeadParser.byteCountMax) bytes"
        case .transferCodingNotImplemented: "only the transfer coding `chunked` is implemented"
        case .versionNotSupported: "only HTTP/1.1 and HTTP/1.0 are spoken here"
        }
    }
}
