import ShoalAdminAPI
import ShoalCrypto
import ShoalHTTP

/// An admin request, taken apart.
struct AdminRequest: Sendable {
    let method: RequestHead.Method
    let methodText: String
    /// The path's segments after `/_shoal/`, decoded.
    let segments: [String]
    let parameters: [(name: String, value: String)]
    let body: [UInt8]

    init(_ head: RequestHead, body: [UInt8]) {
        method = head.method
        methodText = String(decoding: head.methodText, as: UTF8.self)
        segments = head.path.dropFirst(AdminAPI.prefix.count).split(separator: UInt8(ascii: "/"))
            .map(Self.decoded)
        parameters = head.query.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
        self.body = body
    }

    /// A request of this process: `segments` follow `/_shoal/`.
    init(
        _ method: Server.AdminMethod, _ segments: [String], parameters: [(name: String, value: String)], body: [UInt8]
    ) {
        self.method =
            switch method {
            case .get: .get
            case .post: .post
            case .put: .put
            case .delete: .delete
            }
        methodText = method.rawValue
        self.segments = segments
        self.parameters = parameters
        self.body = body
    }

    /// Whether its answer comes after lifecycle rules have acted.
    var waitsForLifecycles: Bool {
        guard segments.count >= 4 else { return false }
        return switch (method, segments[3], segments.count) {
        case (.put, "clock", 4), (.post, "lifecycle", 4), (.post, "presets", 5): true
        default: false
        }
    }

    /// The scope whose journal is to be followed; nil if it asks for anything else.
    var streamedScope: String? {
        guard method == .get, segments.count == 5, segments[0] == "v1", segments[1] == "scopes",
            segments[3] == "journal", segments[4] == "stream"
        else { return nil }
        return segments[2]
    }

    enum Waiting: String {
        case verify, wait
    }

    /// The scope that is waited for, and what for; nil for requests that are answered at once.
    var waitedScope: (scope: String, wish: Waiting)? {
        guard method == .post, segments.count == 4, segments[0] == "v1", segments[1] == "scopes",
            let wish = Waiting(rawValue: segments[3])
        else { return nil }
        return (segments[2], wish)
    }

    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Throws a problem that names the parameter.
    func number(_ name: String, in range: ClosedRange<UInt64>, otherwise usual: UInt64) throws(Problem) -> UInt64 {
        guard let text = parameter(name) else { return usual }
        guard let value = UInt64(text), range.contains(value) else {
            throw .badRequest("\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.endIndex,
                let byte = Hexadecimal.decode(text[(index + 1)...(index + 2)])?.first
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(text[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : text[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
