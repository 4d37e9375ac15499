/// A status code with its reason phrase (RFC 9110 §15).
package struct HTTPStatus: Sendable, Hashable {
    package let code: Int

    package init(_ code: Int) { self.code = code }

    package static let ok = HTTPStatus(200)
    package static let created = HTTPStatus(201)
    package static let accepted = HTTPStatus(202)
    package static let noContent = HTTPStatus(204)
    package static let partialContent = HTTPStatus(206)
    package static let movedPermanently = HTTPStatus(301)
    package static let seeOther = HTTPStatus(303)
    package static let temporaryRedirect = HTTPStatus(307)
    package static let notModified = HTTPStatus(304)
    package static let badRequest = HTTPStatus(400)
    package static let unauthorized = HTTPStatus(401)
    package static let forbidden = HTTPStatus(403)
    package static let notFound = HTTPStatus(404)
    package static let methodNotAllowed = HTTPStatus(405)
    package static let conflict = HTTPStatus(409)
    package static let gone = HTTPStatus(410)
    package static let lengthRequired = HTTPStatus(411)
    package static let preconditionFailed = HTTPStatus(412)
    package static let contentTooLarge = HTTPStatus(413)
    package static let rangeNotSatisfiable = HTTPStatus(416)
    package static let unprocessableContent = HTTPStatus(422)
    package static let requestHeaderFieldsTooLarge = HTTPStatus(431)
    package static let internalServerError = HTTPStatus(500)
    package static let notImplemented = HTTPStatus(501)
    package static let serviceUnavailable = HTTPStatus(503)
    package static let httpVersionNotSupported = HTTPStatus(505)
    package static let insufficientStorage = HTTPStatus(507)

    /// Whether an answer of this status has no body and no length (RFC 9112 §6.3).
    package var forbidsBody: Bool { code < 200 || code == 204 || code == 304 }

    package var reasonPhrase: String {
        switch code {
        case 100: "Continue"
        case 102: "Processing"
        case 103: "Early Hints"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: "Status \(code)"
        }
    }
}
