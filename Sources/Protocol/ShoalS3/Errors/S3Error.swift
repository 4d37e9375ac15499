import ShoalHTTP

/// A failure S3 defines: what the client is told, and a cause that only the log sees.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
package struct S3Error: Error, Sendable {
    package let code: Code
    /// The text of `<Message>`, to the letter; S3 ends some with a full stop and others not.
    package let message: String
    /// The extra elements between `<Message>` and `<RequestId>`, in S3's order.
    package let elements: [Element]
    /// Further response headers, such as `Allow`.
    package let headers: [(name: String, value: String)]
    package let cause: (any Error)?

    package struct Element: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// `message` is the code's usual one unless given.
    package init(
        _ code: Code, _ message: String? = nil, elements: [Element] = [],
        headers: [(name: String, value: String)] = [], cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message ?? code.usualMessage
        self.elements = elements
        self.headers = headers
        self.cause = cause
    }

    package var status: HTTPStatus { code.status }

    /// 400 `InvalidArgument` with the pair of elements S3 names the argument by; `value` nil leaves out the second.
    package static func invalidArgument(_ message: String, name: String, value: String?) -> S3Error {
        S3Error(
            .invalidArgument, message,
            elements: [Element("ArgumentName", name)] + (value.map { [Element("ArgumentValue", $0)] } ?? []))
    }
}

extension S3Error: Equatable {
    /// Whether a client is told the same; causes are for the log.
    package static func == (left: S3Error, right: S3Error) -> Bool {
        left.code == right.code && left.message == right.message && left.elements == right.elements
            && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }
}
