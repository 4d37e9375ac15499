import ShoalFaults
import ShoalHTTP
import ShoalS3
import ShoalSigV4
import ShoalTLS

/// A request as fault rules see it. Made only when a rule is armed.
struct RequestSubject: FaultSubject {
    let head: RequestHead
    /// Nil if the target could not be routed.
    let route: Route?
    let now: Timestamp
    let connection: UInt64
    let exchange: UInt64
    let isSecure: Bool
    let hello: TLSHello?
    /// The peer's address with its port.
    let peer: String
    let attempt: UInt64
    /// What a form's fields say, once they have come.
    var form: FormEvidence?

    var operation: S3Operation { route?.operation ?? .unknown }

    var bucket: ArraySlice<UInt8>? { route?.bucket.map { Array($0.text.utf8)[...] } }

    var key: ArraySlice<UInt8>? { (form?.key ?? route?.key).map { $0.bytes[...] } }

    var client: ArraySlice<UInt8> { Array(PeerAddress.host(of: peer).utf8)[...] }

    var serverName: ArraySlice<UInt8>? { hello?.serverName.map { Array($0.utf8)[...] } }

    var applicationProtocols: ArraySlice<UInt8>? { hello?.protocolText.map { Array($0.utf8)[...] } }

    var expectsContinue: Bool { head.expectsContinue }

    var contentLength: UInt64? {
        switch head.framing {
        case .none: 0
        case .length(let count): count
        case .chunked: nil
        }
    }

    var isPresigned: Bool { signatureInQuery != nil }

    private var signatureInQuery: ArraySlice<UInt8>? {
        route?.query.first("X-Amz-Signature") ?? route?.query.first("Signature")
    }

    var signature: ArraySlice<UInt8>? {
        if let signature = signatureInQuery ?? form?.signature?[...] { return signature }
        guard let authorization = head.first("authorization"),
            let equals = authorization.lastIndex(of: UInt8(ascii: "="))
        else { return nil }
        return authorization[(equals + 1)...]
    }

    var accessKeyID: ArraySlice<UInt8>? { form?.accessKeyId ?? ClaimedAccessKey(head)?.accessKeyId }

    var signedAt: Timestamp? {
        (route?.query.first("X-Amz-Date") ?? head.first("x-amz-date") ?? form?.date?[...])
            .flatMap(Timestamp.init(amzDate:))
    }

    func header(_ name: String) -> ArraySlice<UInt8>? {
        let line = head.fieldLines.first { line in
            let candidate = head.name(of: line)
            return candidate.count == name.utf8.count
                && zip(candidate, name.utf8).allSatisfy { $0.lowercasedASCII == $1 }
        }
        return line.map(head.value(of:))
    }

    func query(_ name: String) -> ArraySlice<UInt8>? {
        route?.query.first { $0.name.elementsEqual(name.utf8) }?.value
    }
}

/// What the fields of a form say of it that other requests say in their heads.
final class FormEvidence: Sendable {
    let key: ObjectKey?
    let signature: [UInt8]?
    let date: [UInt8]?
    /// The permanent key that it claims to be sent by.
    let accessKeyId: ArraySlice<UInt8>?

    init(_ form: PostForm) {
        accessKeyId =
            ClaimedAccessKey(
                credential: form.first("x-amz-credential")?[...], accessKeyId: form.first("awsaccesskeyid")?[...],
                token: form.first("x-amz-security-token")?[...])?.accessKeyId
        key = try? form.key()  // a form without one is refused elsewhere
        signature = form.first("x-amz-signature") ?? form.first("signature")
        date = form.first("x-amz-date")
    }
}
