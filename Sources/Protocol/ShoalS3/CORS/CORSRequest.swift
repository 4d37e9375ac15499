import ShoalHTTP

/// What a browser asks before or along with a request to another origin.
/// https://fetch.spec.whatwg.org/#http-cors-protocol
package struct CORSRequest: Sendable {
    package let origin: ArraySlice<UInt8>
    /// `Access-Control-Request-Method`, or else that of this request: S3 reads the header wherever it stands.
    package let method: ArraySlice<UInt8>
    /// `Access-Control-Request-Headers`, in lower case.
    package let headers: [[UInt8]]
    private let namesMethod: Bool

    /// An actual request; nil if it names no `Origin`.
    package init?(actual head: RequestHead) {
        guard let origin = head.first("origin"), !origin.isEmpty else { return nil }
        self.init(head, origin)
    }

    /// A preflight. Throws 400 `BadRequest` without an origin or with a method that no browser asks for.
    package init(preflight head: RequestHead) throws(S3Error) {
        guard let origin = head.first("origin"), !origin.isEmpty else {
            throw S3Error(.badRequest, "Insufficient information. Origin request header needed.")
        }
        self.init(head, origin)
        guard !namesMethod || Self.methods.contains(where: { method.elementsEqual($0.utf8) }) else {
            throw Self.invalidMethod(method)
        }
    }

    private init(_ head: RequestHead, _ origin: ArraySlice<UInt8>) {
        self.origin = origin
        let named = head.first("access-control-request-method") ?? []
        namesMethod = !named.isEmpty
        method = namesMethod ? named : head.methodText
        headers = head.all("access-control-request-headers").flatMap { $0.split(separator: UInt8(ascii: ",")) }
            .map { $0.trimmed.map(\.lowercasedASCII) }.filter { !$0.isEmpty }
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]

    private static func invalidMethod(_ method: ArraySlice<UInt8>) -> S3Error {
        S3Error(.badRequest, "Invalid Access-Control-Request-Method: \(method.text)")
    }
}

// MARK: - Answers

extension CORSRequest {
    /// What is known of the bucket a preflight is about.
    package enum Bucket: Sendable {
        case absent
        /// No configuration, and none is taken for granted; also `OPTIONS /`, which names no bucket.
        case withoutConfiguration
        case configured(CORSConfiguration)
    }

    /// The header lines of the 200 that a preflight gets, names and values in S3's order. The body is empty.
    ///
    /// Throws 403 `AccessForbidden`, and 400 `BadRequest` if no method was named; `isObject` tells whether the path named
    /// a key.
    package func preflightFields(
        _ bucket: Bucket, isObject: Bool
    ) throws(S3Error) -> [(name: String, value: String)] {
        switch bucket {
        case .absent: throw forbidden("CORSResponse: Bucket not found", "BUCKET")
        case .withoutConfiguration:
            throw forbidden("CORSResponse: CORS is not enabled for this bucket.", "BUCKET")
        case .configured(let configuration):
            guard namesMethod else { throw Self.invalidMethod([]) }
            guard let rule = rule(of: configuration) else {
                throw forbidden(
                    "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, "
                        + "request method / Access-Control-Request-Method or Access-Control-Request-Headers are not "
                        + "whitelisted by the resource's CORS spec.", isObject ? "OBJECT" : "BUCKET")
            }
            return fields(rule)
        }
    }

    /// The header lines that an actual request's answer gets as well, errors included; empty if no rule matches, and
    /// the request is served without them.
    package func actualFields(_ configuration: CORSConfiguration) -> [(name: String, value: String)] {
        rule(of: configuration).map(fields) ?? []
    }

    private func rule(of configuration: CORSConfiguration) -> CORSRule? {
        configuration.rule(origin: origin, method: method, headers: headers.map { $0[...] })
    }

    private func fields(_ rule: CORSRule) -> [(name: String, value: String)] {
        let isAnyOrigin = rule.matchingOrigin(origin) == "*"
        var fields = [
            ("Access-Control-Allow-Origin", isAnyOrigin ? "*" : origin.text),
            ("Access-Control-Allow-Methods", rule.allowedMethods.joined(separator: ", ")),
        ]
        if !headers.isEmpty {
            fields.append(("Access-Control-Allow-Headers", headers.map { $0[...].text }.joined(separator: ", ")))
        }
        if !rule.exposeHeaders.isEmpty {
            fields.append(("Access-Control-Expose-Headers", rule.exposeHeaders.joined(separator: ", ")))
        }
        if let seconds = rule.maxAgeSeconds { fields.append(("Access-Control-Max-Age", "\(seconds)")) }
        if !isAnyOrigin { fields.append(("Access-Control-Allow-Credentials", "true")) }
        fields.append(("Vary", "Origin, Access-Control-Request-Headers, Access-Control-Request-Method"))
        return fields
    }

    private func forbidden(_ message: String, _ resourceType: String) -> S3Error {
        S3Error(
            .accessForbidden, message,
            elements: [.init("Method", method.text), .init("ResourceType", resourceType)])
    }
}
