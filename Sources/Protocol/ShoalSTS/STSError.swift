import ShoalHTTP
import ShoalS3
import ShoalSigV4

/// A failure of the Security Token Service: what the client is told.
/// https://docs.aws.amazon.com/STS/latest/APIReference/CommonErrors.html
package struct STSError: Error, Sendable, Equatable {
    /// The text of `<Code>`.
    package enum Code: String, Sendable, CaseIterable {
        case accessDenied = "AccessDenied"
        case expiredToken = "ExpiredToken"
        case incompleteSignature = "IncompleteSignature"
        case invalidAction = "InvalidAction"
        case invalidClientTokenId = "InvalidClientTokenId"
        case malformedQueryString = "MalformedQueryString"
        case missingAuthenticationToken = "MissingAuthenticationToken"
        /// Not of AWS: what Shoal does not do.
        case notImplemented = "NotImplemented"
        case signatureDoesNotMatch = "SignatureDoesNotMatch"
        case validationError = "ValidationError"

        package var status: HTTPStatus {
            switch self {
            case .incompleteSignature, .invalidAction, .malformedQueryString, .validationError: .badRequest
            case .accessDenied, .expiredToken, .invalidClientTokenId, .missingAuthenticationToken,
                .signatureDoesNotMatch:
                .forbidden
            case .notImplemented: .notImplemented
            }
        }
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// What became of a signature, which S3's rules found wrong, in the words of this service.
    package init(rejection error: S3Error) {
        switch error.code {
        case .invalidAccessKeyId, .invalidToken:
            self.init(.invalidClientTokenId, "The security token included in the request is invalid.")
        case .expiredToken: self.init(.expiredToken, "The security token included in the request is expired")
        case .signatureDoesNotMatch:
            self.init(
                .signatureDoesNotMatch,
                "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
                    + "Access Key and signing method. Consult the service documentation for details.")
        case .requestTimeTooSkewed: self.init(.signatureDoesNotMatch, Self.skew(error))
        case .accessDenied: self.init(.signatureDoesNotMatch, error.message)
        case _ where error.elements.contains { $0.name == "Region" }:
            self.init(.signatureDoesNotMatch, "Credential should be scoped to a valid region.")
        case _ where error.message.contains(wrongServiceText):
            self.init(.signatureDoesNotMatch, "Credential should be scoped to correct service: 'sts'.")
        default: self.init(.incompleteSignature, error.message)
        }
    }

    private static func skew(_ error: S3Error) -> String {
        func element(_ name: String) -> String { error.elements.first { $0.name == name }?.value ?? "" }
        return "Signature expired or not yet current: the request is dated \(element("RequestTime")), it is now "
            + "\(element("ServerTime")), and 15 minutes are allowed."
    }

    /// The body of the answer, `text/xml`.
    package func document(requestID: String) -> [UInt8] {
        var document = XMLWriter()
        document.markup(#"<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>"#)
        document.element("Code", code.rawValue)
        document.element("Message", message)
        document.close("Error")
        document.element("RequestId", requestID)
        document.close("ErrorResponse")
        return document.bytes
    }
}
