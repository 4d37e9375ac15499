import ShoalAdminAPI
import ShoalJSON
import ShoalWire
import Testing

/// A scope made for a test, with clients that speak for it.
struct TestScope: Sendable {
    let name: String
    let s3: S3Client
    let admin: AdminClient
    /// Its own, if it was made with one.
    let port: UInt16?

    /// With the bucket `photos`, unless others are named.
    init(
        _ server: TestServer, _ name: String? = nil, buckets: [String] = ["photos"], ttl: Int = 3_600,
        port: Bool = false
    ) throws {
        let wanted = CreateScopeRequest(name: name, buckets: buckets, ttl: ttl, port: port)
        let answer = try AdminClient(server).send(
            "POST", "/_shoal/v1/scopes", String(decoding: wanted.bytes, as: UTF8.self))
        try #require(answer.status == 201, "\(answer.text)")
        let view = try ScopeView(decoding: answer.body)
        self.name = view.scope
        var s3 = S3Client(server)
        s3.accessKey = view.accessKeyId
        s3.secret = try #require(view.secretAccessKey)
        self.port = view.port
        if let port = view.port {
            s3.port = port
            s3.host = "127.0.0.1:\(port)"
        }
        self.s3 = s3
        admin = AdminClient(server, scope: view.scope)
    }

    /// Ends it.
    func end() throws -> ScopeReport {
        let answer = try AdminClient(s3.server).send("DELETE", "/_shoal/v1/scopes/" + name)
        try #require(answer.status == 200, "\(answer.text)")
        return try ScopeReport(decoding: answer.body)
    }
}
