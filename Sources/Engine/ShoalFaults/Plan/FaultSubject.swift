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
    /// The date the signature carries.
    var signedAt: Timestamp? { get }
    /// The scope's time at which the request is judged.
    var now: Timestamp { get }
    /// The connection's number.
    var connection: UInt64 { get }
    /// Ordinal on the connection, from 1.
    var exchange: UInt64 { get }

    /// The value of the first header line called `name` (in lower case).
    func header(_ name: String) -> ArraySlice<UInt8>?
    /// The percent-decoded value of the first query parameter called `name`.
    func query(_ name: String) -> ArraySlice<UInt8>?
}

extension FaultSubject {
    package var uploadID: ArraySlice<UInt8>? { query("uploadId") }

    package var partNumber: UInt64? {
        query("partNumber").flatMap { BytePosition.digits(String(decoding: $0, as: UTF8.self)) }
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

extension Matcher {
    /// Whether every field holds for `subject`, the operation aside.
    func fits(_ subject: some FaultSubject) -> Bool {
        if let connection, connection != (subject.exchange > 1 ? .reused : .fresh) { return false }
        if let presigned, presigned != subject.isPresigned { return false }
        if let key, !key.matches(subject.key) { return false }
        if let bucket, !bucket.matches(subject.bucket) { return false }
        if let exchange, !exchange.matches(subject.exchange) { return false }
        if let size, !size.matches(subject.contentLength) { return false }
        if let partNumber, !partNumber.matches(subject.partNumber) { return false }
        if let uploadId, !uploadId.matches(subject.uploadID) { return false }
        return headers.allSatisfy { $0.pattern.matches(subject.header($0.name)) }
    }
}
