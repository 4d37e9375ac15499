import Glibc
import ShoalCrypto
import ShoalLog
import ShoalS3
import ShoalSigV4
import ShoalWire

/// Sends signed requests over one connection, whole or in part.
package final class S3Client {
    package let wire: WireClient
    private let endpoint: Endpoint
    private let signer: Presigner

    package static let usualAccessKey = "shoal"
    package static let usualSecretKey = "shoal-secret"

    package init(
        port: UInt16, accessKey: String = usualAccessKey, secretKey: String = usualSecretKey,
        trust: WireTLS.Trust? = nil
    ) {
        wire = WireClient(port: port, tls: trust)
        guard let endpoint = Endpoint("http://127.0.0.1:\(port)") else { preconditionFailure("an endpoint has a host") }
        self.endpoint = endpoint
        signer = Presigner(accessKeyId: accessKey, secret: secretKey.utf8, region: "us-east-1")
    }

    /// The answer; nil if the connection ended, or nothing came for `milliseconds`.
    package func send(
        _ method: String, _ path: String, query: [(String, String)] = [], headers: [(String, String)] = [],
        body: ArraySlice<UInt8> = [], milliseconds: Int32 = 30_000
    ) throws -> WireResponse? {
        wire.send(
            try head(method, path, query: query, headers: headers, bodyByteCount: body.count) + body)
        return wire.receiveResponse(toHead: method == "HEAD", milliseconds: milliseconds)
    }

    /// The signed head of a request; `path` is `bucket/key`, `bucket`, or empty for the service.
    package func head(
        _ method: String, _ path: String, query: [(String, String)] = [], headers: [(String, String)] = [],
        bodyByteCount: Int = 0
    ) throws -> [UInt8] {
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let request = UnsignedRequest(
            method, at: endpoint, bucket: path.isEmpty ? nil : parts[0],
            key: parts.count == 2 ? Array(parts[1].utf8) : nil,
            query: query, headers: headers)
        let now = Timestamp(milliseconds: SystemClock.wallMilliseconds())
        let signed = try signer.sign(request, payload: "UNSIGNED-PAYLOAD", at: now)
        var text = "\(method) \(signed.target) HTTP/1.1\r\nHost: \(signed.host)\r\n"
        for header in signed.headers { text += "\(header.name): \(header.value)\r\n" }
        if method == "PUT" || bodyByteCount > 0 { text += "Content-Length: \(bodyByteCount)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}

extension [UInt8] {
    /// Compares whole stretches of memory: byte by byte, a test of large bodies would take minutes without optimisation.
    package func isSame(as other: some RandomAccessCollection<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard !isEmpty else { return true }
        return other.withContiguousStorageIfAvailable { other in
            withUnsafeBytes { memcmp($0.baseAddress!, other.baseAddress!, count) == 0 }
        } ?? elementsEqual(other)
    }

    /// The ETag, with its quotes, of an object that was put in one piece.
    package var quotedETag: String { "\"\(Hexadecimal.string(Digest.of(self, .md5)))\"" }

    /// The ETag of one that was uploaded as a single part.
    package var quotedETagOfOnePart: String {
        "\"\(Hexadecimal.string(Digest.of(Digest.of(self, .md5), .md5)))-1\""
    }
}
