import ShoalLog
import ShoalS3
import ShoalServer
import ShoalSigV4
import ShoalWire
import Testing

/// Signs requests and sends each on a connection of its own.
struct S3Client: Sendable {
    /// How a request shows who sends it.
    enum Proof: Sendable {
        /// `Authorization`, over the body's SHA-256 unless a header names another payload.
        case header
        /// A presigned URL that lives so many seconds.
        case presigned(seconds: Int64)
        case none
    }

    let server: TestServer
    /// Where it connects.
    var port: UInt16
    var accessKey = ServeOptions.usualAccessKey
    var secret = ServeOptions.usualSecretKey
    /// Set for temporary credentials.
    var sessionToken: String?
    var region = "us-east-1"
    /// `Host` of path-style requests, and what virtual-host ones put their bucket in front of.
    var host: String
    var style = AddressingStyle.path

    init(_ server: TestServer) {
        self.server = server
        port = server.port
        host = "127.0.0.1:\(server.port)"
    }

    /// The same client with buckets in front of the host name.
    var virtualHosted: S3Client {
        var client = self
        client.style = .virtualHost
        client.host = "s3.localhost:\(server.port)"
        return client
    }

    var presigner: Presigner {
        Presigner(accessKeyId: accessKey, secret: secret.utf8, sessionToken: sessionToken, region: region)
    }

    static var now: Timestamp { Timestamp(milliseconds: SystemClock.wallMilliseconds()) }

    func unsigned(_ call: S3Call) -> UnsignedRequest {
        UnsignedRequest(
            call.method, at: Endpoint("http://" + host)!, style: style, bucket: call.bucket,
            key: call.key.map { Array($0.utf8) }, query: call.query, headers: call.headers)
    }

    /// The request on the wire; `Content-Length` is added where a body or a PUT wants it and none is given.
    func request(_ call: S3Call, _ proof: Proof = .header, at now: Timestamp = S3Client.now) throws -> WireRequest {
        let unsigned = unsigned(call)
        var request: WireRequest
        switch proof {
        case .header:
            let payload = call.headers.first { $0.name.lowercased() == "x-amz-content-sha256" }?.value
            let signed = try presigner.sign(unsigned, payload: payload ?? sha256(call.body), at: now)
            request = WireRequest(
                method: call.method, target: signed.target, host: signed.host, headers: signed.headers, body: call.body)
        case .presigned(let seconds):
            let signed = try presigner.presign(unsigned, lifetime: seconds, at: now)
            request = WireRequest(
                method: call.method, target: signed.target, host: signed.host, headers: signed.headers, body: call.body)
        case .none:
            let query = call.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            let path = String(decoding: unsigned.path, as: UTF8.self)
            request = WireRequest(
                method: call.method, target: query.isEmpty ? path : path + "?" + query, host: unsigned.host,
                headers: call.headers, body: call.body)
        }
        request.headers += call.unsigned
        let hasLength = request["Content-Length"] != nil || request["Transfer-Encoding"] != nil
        if !hasLength, !call.body.isEmpty || ["PUT", "POST"].contains(call.method) {
            request.headers.append(("Content-Length", String(call.body.count)))
        }
        return request
    }

    @discardableResult
    func send(_ call: S3Call, _ proof: Proof = .header, at now: Timestamp = S3Client.now) throws -> WireResponse {
        try send(request(call, proof, at: now))
    }

    var connection: WireClient { WireClient(port: port, tls: server.trust) }

    /// Sends on a fresh connection and reads one answer.
    func send(_ request: WireRequest) throws -> WireResponse { try send(request, on: connection) }

    func send(_ request: WireRequest, on connection: WireClient) throws -> WireResponse {
        connection.send(request.bytes)
        return try #require(
            connection.receiveResponse(toHead: request.method == "HEAD"), "no answer to \(request.method)")
    }

    // MARK: Shorthands

    @discardableResult
    func put(_ key: String, _ body: String, headers: [WireRequest.Field] = []) throws -> WireResponse {
        try send(S3Call("PUT", "photos", key, headers: headers, body: body))
    }

    @discardableResult
    func get(_ key: String, headers: [WireRequest.Field] = []) throws -> WireResponse {
        try send(S3Call("GET", "photos", key, headers: headers))
    }

    /// Whether the object is there, whatever it holds.
    func has(_ key: String, in bucket: String = "photos") throws -> Bool {
        let status = try send(S3Call("HEAD", bucket, key)).status
        #expect([200, 404].contains(status))
        return status == 200
    }
}
