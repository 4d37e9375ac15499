import ShoalAdminAPI
import ShoalS3
import ShoalSigV4

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
        guard let endpoint = Endpoint("\(order.base)") else {
            throw UsageError("\(order.base) is no http URL of a host, such as http://127.0.0.1:9000")
        }
        let request = UnsignedRequest(
            order.method, at: endpoint, style: order.isVirtualHost ? .virtualHost : .path, bucket: order.bucket,
            key: order.key?.bytes, query: order.query, headers: order.headers)
        let presigner = Presigner(
            accessKeyId: order.accessKey, secret: order.secretKey.utf8, sessionToken: order.sessionToken,
            region: order.region)
        do throws(SigningError) {
            return try presigner.presign(
                request, lifetime: order.expires, at: now, defect: order.defect.map(Defect.init)
            ).url
        } catch .expiryOutOfRange {  // In the words of the flag that is wrong.
            throw UsageError("--expires is from 1s to 7d")
        } catch .notHTTP(let reason) {
            throw UsageError(reason)
        }
    }
}

extension Defect {
    init(_ defect: URLDefect) {
        self =
            switch defect {
            case .expired: .expired
            case .wrongSecret: .wrongSecret
            case .wrongHost: .wrongHost
            case .wrongMethod: .wrongMethod
            case .notYetValid: .notYetValid
            }
    }
}
