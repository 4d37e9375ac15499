import ShoalAdminAPI
import ShoalCrypto
import ShoalHTTP

/// An admin request, taken apart.
struct AdminRequest: Sendable {
    let method: String
    /// The path's segments after `/_shoal/`, decoded.
    let segments: [String]
    /// Nil for what is not part of the admin API.
    let route: AdminRoute?
    /// What stands where the route's path has names in braces: of what belongs to a scope the scope comes first.
    let values: [String]
    let parameters: [(name: String, value: String)]
    let body: [UInt8]

    init(_ head: RequestHead, body: [UInt8]) {
        let segments = head.path.dropFirst(AdminAPI.prefix.count).split(separator: UInt8(ascii: "/"))
            .map(Self.decoded)
        let parameters = head.query.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (name: Self.decoded(parts[0]), value: parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
        self.init(String(decoding: head.methodText, as: UTF8.self), segments, parameters: parameters, body: body)
    }

    /// `segments` follow `/_shoal/`.
    init(_ method: String, _ segments: [String], parameters: [(name: String, value: String)], body: [UInt8]) {
        self.method = method
        self.segments = segments
        self.parameters = parameters
        self.body = body
        let found = AdminRoute.find(method, segments)
        route = found?.route
        values = found?.values ?? []
    }

    /// Whether its answer comes after lifecycle rules have acted.
    var waitsForLifecycles: Bool {
        switch route {
        case .changeClock, .runLifecycle, .applyPreset: true
        default: false
        }
    }

    /// The scope whose journal is to be followed; nil if it asks for anything else.
    var streamedScope: String? { route == .followJournal ? values.first : nil }

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
