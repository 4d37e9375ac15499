import ShoalS3

/// What tells one operation of the app from another, over all its attempts.
///
/// The first that applies: the header `x-shoal-op`, `amz-sdk-invocation-id`, the signature of a signed URL, and last the
/// S3 operation with bucket, key, upload and part. Only a 64-bit hash of a signature is kept, from which nobody can sign.
package struct OperationIdentity: Hashable, Sendable {
    package enum Source: UInt8, Sendable {
        case header, invocation, signature, object

        /// The word the journal uses.
        package var name: StaticString {
            switch self {
            case .header: "x-shoal-op"
            case .invocation: "invocation"
            case .signature: "signature"
            case .object: "object"
            }
        }
    }

    /// Longer values of `x-shoal-op` and of invocation IDs are cut in the journal, not in the comparison.
    package static let labelByteCountMax = 128

    package let source: Source
    package let hash: UInt64
    /// What the client sent, for the two sources that are names; empty otherwise.
    package let label: [UInt8]

    package static func == (left: OperationIdentity, right: OperationIdentity) -> Bool {
        left.hash == right.hash && left.source == right.source
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    package init(header value: ArraySlice<UInt8>) { self.init(named: .header, value) }

    package init(invocation value: ArraySlice<UInt8>) { self.init(named: .invocation, value) }

    package init(signature: ArraySlice<UInt8>) {
        var hash = Self.hash(.signature)
        hash.append(signature)
        self.init(.signature, hash.finish(), label: [])
    }

    package init(
        operation: S3Operation, bucket: ArraySlice<UInt8>?, key: ArraySlice<UInt8>?, uploadID: ArraySlice<UInt8>?,
        partNumber: UInt64?
    ) {
        var hash = Self.hash(.object)
        hash.append(field: operation.rawValue.utf8)
        hash.append(field: bucket ?? [])
        hash.append(field: key ?? [])
        hash.append(field: uploadID ?? [])
        hash.append(partNumber ?? 0)
        self.init(.object, hash.finish(), label: [])
    }

    /// What `append(to:)` writes, read back. `source` is the journal's word for a name that the client chose; without it the
    /// name is taken for an SDK's.
    package init?(text: String, source: String?) {
        for (prefix, source) in [("sig-", Source.signature), ("obj-", .object)] where text.hasPrefix(prefix) {
            guard text.utf8.count == 20, let hash = UInt64(text.dropFirst(4), radix: 16) else { continue }
            self.init(source, hash, label: [])
            return
        }
        let label = Array(text.utf8)[...]
        self.init(named: source == "\(Source.header.name)" ? .header : .invocation, label)
    }

    private init(named source: Source, _ value: ArraySlice<UInt8>) {
        var hash = Self.hash(source)
        hash.append(value)
        self.init(source, hash.finish(), label: Array(value.prefix(Self.labelByteCountMax)))
    }

    private init(_ source: Source, _ hash: UInt64, label: [UInt8]) {
        self.source = source
        self.hash = hash
        self.label = label
    }

    private static func hash(_ source: Source) -> SipHash { SipHash(key: UInt64(source.rawValue)) }

    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)

    /// Appends what the journal calls the operation: the client's name for it, or `sig-` or `obj-` and the hash.
    package func append(to out: inout [UInt8]) {
        switch source {
        case .header, .invocation: out += label
        case .signature: out += "sig-".utf8
        case .object: out += "obj-".utf8
        }
        guard source == .signature || source == .object else { return }
        for shift in stride(from: UInt64(60), through: 0, by: -4) {
            out.append(Self.hexadecimalDigits[Int(hash >> shift & 15)])
        }
    }

    /// What the journal calls a signed URL of which only the hash is known.
    package static func signatureText(_ hash: UInt64) -> String { OperationIdentity(.signature, hash, label: []).text }

    package var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
