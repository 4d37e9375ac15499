import ShoalS3

/// A request as rules see it. Nothing is asked unless a rule is armed, so members may be computed.
package protocol FaultSubject {
    var operation: S3Operation { get }
    /// As named in the request, valid or not.
    var bucket: ArraySlice<UInt8>? { get }
    /// Percent-decoded.
    var key: ArraySlice<UInt8>? { get }
    /// Bytes of the body as positions count them: without the chunk headers of `aws-chunked`. Nil if unknown, 0 if none.
    var contentLength: UInt64? { get }
    var isPresigned: Bool { get }
    /// As sent, from the URL or the header; nil for an anonymous request.
    var signature: ArraySlice<UInt8>? { get }
    /// The permanent access key that the request claims to speak for; nil for an anonymous one.
    var accessKeyID: ArraySlice<UInt8>? { get }
    /// The date the signature carries.
    var signedAt: Timestamp? { get }
    /// The scope's time at which the request is judged.
    var now: Timestamp { get }
    /// The connection's number.
    var connection: UInt64 { get }
    /// Ordinal on the connection, from 1.
    var exchange: UInt64 { get }
    /// The peer's IP address, without its port.
    var client: ArraySlice<UInt8> { get }
    /// Whether it came over TLS.
    var isSecure: Bool { get }
    /// Server Name Indication, in lower case.
    var serverName: ArraySlice<UInt8>? { get }
    /// What the client offered by ALPN, with commas between.
    var applicationProtocols: ArraySlice<UInt8>? { get }
    /// Ordinal of the attempt within its operation, from 1, as the journal counts it.
    var attempt: UInt64 { get }
    /// Whether the client waits for `100 Continue`.
    var expectsContinue: Bool { get }

    /// The value of the first header line called `name` (in lower case).
    func header(_ name: String) -> ArraySlice<UInt8>?
    /// The percent-decoded value of the first query parameter called `name`.
    func query(_ name: String) -> ArraySlice<UInt8>?
}

extension FaultSubject {
    // Of a connection without TLS.
    package var isSecure: Bool { false }
    package var serverName: ArraySlice<UInt8>? { nil }
    package var applicationProtocols: ArraySlice<UInt8>? { nil }

    package var uploadID: ArraySlice<UInt8>? { query("uploadId") }

    package var partNumber: UInt64? {
        query("partNumber").flatMap { BytePosition.digits(String(decoding: $0, as: UTF8.self)) }
    }

    /// `N` of `amz-sdk-request: attempt=N; max=M`.
    package var sdkAttempt: UInt64? {
        guard let value = header("amz-sdk-request") else { return nil }
        for part in value.split(separator: UInt8(ascii: ";")) {
            let words = part.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
            guard words.count == 2, String(decoding: words[0], as: UTF8.self).trimmed == "attempt" else { continue }
            return BytePosition.digits(String(decoding: words[1], as: UTF8.self).trimmed)
        }
        return nil
    }

    /// Milliseconds since a presigned URL was dated; below zero for one of the future. Nil for other requests.
    var ageOfURL: Int64? {
        guard isPresigned, let signedAt else { return nil }
        return now.milliseconds - signedAt.milliseconds
    }

    /// Which operation of the app this request is an attempt of.
    package var operationIdentity: OperationIdentity {
        if let value = header("x-shoal-op"), !value.isEmpty { return OperationIdentity(header: value) }
        if let value = header("amz-sdk-invocation-id"), !value.isEmpty { return OperationIdentity(invocation: value) }
        if isPresigned, let signature { return OperationIdentity(signature: signature) }
        return OperationIdentity(
            operation: operation, bucket: bucket, key: key, uploadID: uploadID, partNumber: partNumber)
    }
}

extension String {
    /// Without the blanks at both ends.
    fileprivate var trimmed: Substring {
        let start = firstIndex { $0 != " " } ?? endIndex
        let end = lastIndex { $0 != " " }.map(index(after:)) ?? start
        return self[start..<end]
    }
}
