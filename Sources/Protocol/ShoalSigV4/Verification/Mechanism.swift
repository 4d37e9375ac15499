import ShoalHTTP
import ShoalS3

/// How a request says who sent it, decided on raw bytes before anything is verified.
enum Mechanism {
    case none
    /// The scheme as sent, and what follows its blank.
    case headerV4(scheme: ArraySlice<UInt8>, parameters: ArraySlice<UInt8>)
    /// What follows `AWS `: access key and signature.
    case headerV2(parameters: ArraySlice<UInt8>)
    case queryV4
    case queryV2

    init(_ head: RequestHead, _ query: QueryParameters) throws(S3Error) {
        let isQueryV4 = query.contains("X-Amz-Algorithm")
        let isQueryV2 = query.contains("Signature")
        guard let authorization = head.first("authorization") else {
            if isQueryV4 && isQueryV2 { throw .invalidArgument(Self.onlyOne, name: "Authorization", value: nil) }
            self = isQueryV4 ? .queryV4 : isQueryV2 ? .queryV2 : .none
            return
        }
        if isQueryV4 || isQueryV2 {
            throw .invalidArgument(Self.onlyOne, name: "Authorization", value: authorization.text)
        }
        try self.init(authorization: authorization)
    }

    private init(authorization: ArraySlice<UInt8>) throws(S3Error) {
        guard let blank = authorization.firstIndex(of: UInt8(ascii: " ")) else {
            throw .invalidArgument(Self.oneBlank, name: "Authorization", value: authorization.text)
        }
        let scheme = authorization[..<blank]
        let parameters = authorization[(blank + 1)...]
        if scheme.equalsIgnoringCase("aws4-hmac-sha256") {
            self = .headerV4(scheme: scheme, parameters: parameters)
        } else if scheme.equalsIgnoringCase("aws") {
            guard !parameters.contains(UInt8(ascii: " ")) else {
                throw .invalidArgument(Self.oneBlank, name: "Authorization", value: authorization.text)
            }
            self = .headerV2(parameters: parameters)
        } else {
            throw .invalidArgument("Unsupported Authorization Type", name: "Authorization", value: authorization.text)
        }
    }

    private static let onlyOne =
        "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or "
        + "the Authorization header should be specified"
    private static let oneBlank = "Authorization header is invalid -- one and only one ' ' (space) required"
}
