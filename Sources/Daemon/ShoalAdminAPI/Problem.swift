import ShoalFaults
import ShoalJSON

/// Why the admin API refused, as `application/problem+json`.
/// https://www.rfc-editor.org/rfc/rfc9457.html#section-3
package struct Problem: Error, AdminMessage, Equatable {
    package static let contentType = "application/problem+json"

    /// A URI reference that names the kind of problem; `about:blank` where the status says it all.
    package let type: String
    package let title: String
    /// The HTTP status code.
    package let status: Int
    /// What about this request was wrong, and what to do about it.
    package let detail: String?
    /// Extension: where in the request's JSON, as an RFC 6901 pointer.
    package let pointer: String?
    /// Extension: the nearest valid name when an unknown one was sent.
    package let nearest: String?

    package init(
        type: String = "about:blank", title: String, status: Int, detail: String? = nil, pointer: String? = nil,
        nearest: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.pointer = pointer
        self.nearest = nearest
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        type = try reader.member("type")?.string() ?? "about:blank"
        title = try reader.required("title").string()
        status = try reader.required("status").integer()
        detail = try reader.member("detail")?.string()
        pointer = try reader.member("pointer")?.string()
        nearest = try reader.member("nearest")?.string()
    }

    package var json: JSON {
        .members([
            ("type", .string(type)), ("title", .string(title)), ("status", .count(status)), ("detail", .text(detail)),
            ("pointer", .text(pointer)), ("nearest", .text(nearest)),
        ])
    }
}
