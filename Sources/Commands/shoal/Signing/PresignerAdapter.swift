import ShoalAdminAPI
import ShoalS3

/// What a presigned URL is to allow.
struct PresignOrder: Sendable {
    var method: String
    var base: BaseURL
    var bucket: String
    /// Nil for a request about the bucket itself.
    var key: ObjectKey?
    /// Whether the bucket goes into the host name instead of the path.
    var isVirtualHost = false
    /// Seconds, 1 to 604,800.
    var expires: Int64
    /// Headers the client will have to send just so; names in lower case.
    var headers: [(name: String, value: String)] = []
    /// Further query parameters, not yet encoded.
    var query: [(name: String, value: String)] = []
    var accessKey: String
    var secretKey: String
    var sessionToken: String?
    var region: String
    var defect: URLDefect?
}

/// Signs URLs without a server.
protocol URLPresigner: Sendable {
    /// The URL, good from `now` on.
    func url(for order: PresignOrder, at now: Timestamp) throws -> String
}

/// Where `presign` and `seed` meet the signatures.
struct PresignerAdapter: URLPresigner {
    func url(for order: PresignOrder, at now: Timestamp) throws -> String {
        throw UsageError("this build cannot sign for \(order.base)")
    }
}
