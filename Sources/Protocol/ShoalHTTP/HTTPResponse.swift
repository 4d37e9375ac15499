/// An answer: status, header lines in wire order, and a body that is at hand (a body in a file is the engine's matter).
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    /// Name and value of each line; Date, Content-Length and Connection are written by the connection.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]

    package init(_ status: HTTPStatus, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
