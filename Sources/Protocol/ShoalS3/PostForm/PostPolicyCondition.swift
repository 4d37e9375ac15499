import ShoalHTTP
import ShoalJSON

/// One condition of a POST policy: `{"acl": "private"}`, `["eq", "$acl", "private"]`, `["starts-with", "$key", "user/"]`
/// or `["content-length-range", 1, 10]`.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
struct PostPolicyCondition: Sendable {
    private enum Test {
        /// Names in lower case; nil without the `$` that makes a name of it, so that nothing can meet it.
        case equals(name: [UInt8]?, value: [UInt8])
        case startsWith(name: [UInt8]?, prefix: [UInt8])
        /// Nil for bounds that are no numbers.
        case byteCounts((min: Int64, max: Int64)?)
    }

    private let test: Test
    /// The field it is about, in lower case, whether with or without its `$`.
    private let name: [UInt8]?
    /// As S3 repeats it to a client that fails it.
    let text: String

    /// Throws 400 `InvalidPolicyDocument`.
    init(_ condition: JSON) throws(S3Error) {
        switch condition {
        case .object(let members): try self.init(members)
        case .array(let items): try self.init(items)
        default: throw .invalidPolicy("Invalid condition test: must be a List or Object.")
        }
    }

    private init(_ members: [JSON.Member]) throws(S3Error) {
        guard members.count == 1, let member = members.first else {
            throw .invalidPolicy(
                "Invalid Simple-Condition: Simple-Conditions must have exactly one property specified.")
        }
        guard case .string(let value) = member.value else {
            throw .invalidPolicy("Invalid Simple-Condition: value must be a string.")
        }
        let name = member.name.utf8.map(\.lowercasedASCII)
        self.name = name
        test = .equals(name: name, value: Array(value.utf8))
        text = Self.text([.string("eq"), .string("$" + member.name), member.value])
    }

    private init(_ items: [JSON]) throws(S3Error) {
        guard case .string(let operation)? = items.first else {
            throw .invalidPolicy("Invalid Condition: missing operation identifier.")
        }
        let known = operation.lowercased()
        guard ["eq", "starts-with", "content-length-range"].contains(known) else {
            throw .invalidPolicy("Invalid Condition: unknown operation '\(operation)'.")
        }
        guard items.count == 3 else { throw .invalidPolicy("Invalid \(known): wrong number of arguments.") }
        text = Self.text(items)
        guard known != "content-length-range" else {
            name = nil
            test = .byteCounts(Self.byteCounts(items[1], items[2]))
            return
        }
        let reference = items[1].plainText.utf8.map(\.lowercasedASCII)
        let isName = reference.first == UInt8(ascii: "$")
        let name = isName ? Array(reference.dropFirst()) : reference
        self.name = name
        let value = Array(items[2].plainText.utf8)
        let target = isName ? name : nil
        test = known == "eq" ? .equals(name: target, value: value) : .startsWith(name: target, prefix: value)
    }

    /// Whether the condition is about the field called `name`, in lower case.
    func names(_ name: [UInt8]) -> Bool { self.name == name }

    /// Bounds of the file's bytes, both allowed; nil if it is about something else.
    var byteCounts: (min: Int64, max: Int64)? {
        if case .byteCounts(let bounds) = test { bounds } else { nil }
    }

    /// `value` gives that of a field, empty for one that is not there. How long the file is, is not known yet.
    func isMet(_ value: (_ name: [UInt8]) -> [UInt8]) -> Bool {
        switch test {
        case .byteCounts(let bounds): return bounds != nil
        case .equals(nil, _), .startsWith(nil, _): return false
        case .equals(let name?, let wanted): return value(name) == wanted
        case .startsWith(let name?, let prefix):
            let value = value(name)
            guard !value.starts(with: prefix) || name[...].equals("content-type") else { return true }
            guard name[...].equals("content-type") else { return false }
            // A type with commas is a list of which each has to match.
            return value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .allSatisfy { $0.trimmed.starts(with: prefix) }
        }
    }

    private static func byteCounts(_ min: JSON, _ max: JSON) -> (min: Int64, max: Int64)? {
        guard let min = byteCount(min), let max = byteCount(max) else { return nil }
        return (min, max)
    }

    private static func byteCount(_ bound: JSON) -> Int64? {
        switch bound {
        case .integer(let value): value
        case .string(let text): Int(digits: Array(text.utf8)[...]).map(Int64.init)
        default: nil
        }
    }

    private static func text(_ items: [JSON]) -> String { "[" + items.map(\.text).joined(separator: ", ") + "]" }
}
