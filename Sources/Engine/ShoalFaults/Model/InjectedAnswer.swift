import ShoalHTTP
import ShoalS3

/// The answer a rule gives in place of the real one: an S3 error, or a status with a body of one's own.
package struct InjectedAnswer: Hashable, Sendable {
    /// The names of the parameters in the JSON form and in the one-line form.
    package enum Parameter: String, CaseIterable, Sendable {
        case status, code, message, retryAfter, headers, contentType, body, drain, then
    }

    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// How much of the request body is read before the answer goes out.
    package enum Drain: Hashable, Sendable {
        case all
        /// The answer may be lost: closing with unread bytes sends RST.
        case none
        case bytes(UInt64)
    }

    /// What becomes of the connection after the answer.
    package enum Ending: String, CaseIterable, Sendable { case keep, close, reset }

    /// Nil takes the code's own status.
    package var statusGiven: HTTPStatus?
    package var code: S3Error.Code?
    /// Nil takes the code's usual message.
    package var message: String?
    /// Seconds for `Retry-After`.
    package var retryAfter: UInt32?
    /// Further header lines, in this order.
    package var fields: [Field]
    /// The type of `body`.
    package var contentType: String?
    /// Bytes in place of the error document; only without a code.
    package var body: String?
    package var drain: Drain
    package var then: Ending

    package init(
        status: HTTPStatus? = nil, code: S3Error.Code? = nil, message: String? = nil, retryAfter: UInt32? = nil,
        fields: [Field] = [], contentType: String? = nil, body: String? = nil, drain: Drain = .all,
        then: Ending = .keep
    ) {
        self.statusGiven = status
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        self.fields = fields
        self.contentType = contentType
        self.body = body
        self.drain = drain
        self.then = then
    }

    /// The status that goes on the wire: the one given, else the code's.
    package var status: HTTPStatus { statusGiven ?? code?.status ?? .internalServerError }

    package static let bodyByteCountMax = 65_536
    package static let fieldCountMax = 32
    /// One hour: a longer wait cannot be told from "never" by any client.
    package static let retryAfterMax: UInt32 = 3_600
}

// MARK: - What cannot be sent

extension InjectedAnswer {
    /// Header lines that the connection writes itself.
    private static let connectionFields = ["connection", "content-length", "transfer-encoding", "date"]

    /// Why the answer cannot be given, in words; nil if it can.
    var flaw: String? {
        if statusGiven == nil && code == nil { return "an answer needs a status or an S3 error code" }
        if let status = statusGiven, !(200...599).contains(status.code) {
            return "status \(status.code) is not between 200 and 599"
        }
        if code != nil && body != nil { return "an answer has an S3 error code or a body of its own, not both" }
        if message != nil && code == nil { return "a message needs an S3 error code to go with" }
        if contentType != nil && body == nil { return "a content type needs a body to go with" }
        if status.forbidsBody && (code != nil || body != nil) { return "status \(status.code) has no body" }
        if let retryAfter, retryAfter > Self.retryAfterMax {
            return "retryAfter is more than \(Self.retryAfterMax) seconds"
        }
        if let body, body.utf8.count > Self.bodyByteCountMax {
            return "the body is longer than \(Self.bodyByteCountMax) bytes"
        }
        if fields.count > Self.fieldCountMax { return "there are more than \(Self.fieldCountMax) header lines" }
        if contentType.map(Self.isFieldValue) == false { return "the content type cannot stand in a header line" }
        if let reason = fields.lazy.compactMap(Self.flaw(in:)).first { return reason }
        let names = fields.map { $0.name.lowercased() }
        return names.indices.first { names[..<$0].contains(names[$0]) }.map { "'\(fields[$0].name)' is given twice" }
    }

    private static func flaw(in field: Field) -> String? {
        if !isFieldName(field.name) { return "'\(field.name)' is no header name" }
        if !isFieldValue(field.value) { return "the value of '\(field.name)' cannot stand in a header line" }
        if connectionFields.contains(field.name.lowercased()) { return "'\(field.name)' is written by the connection" }
        return nil
    }

    /// A token of RFC 9110 §5.6.2.
    static func isFieldName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains($0)
                }
            }
    }

    static func isFieldValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
