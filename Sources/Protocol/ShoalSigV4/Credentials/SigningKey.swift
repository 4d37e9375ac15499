import ShoalCrypto

/// The key that signs everything of one secret, day and region.
/// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
package struct SigningKey: Sendable, Concealed {
    /// The code that was given the key and nothing else.
    private let keyed: HMAC

    /// Four HMACs deep: secret, day (`yyyyMMdd`), region, service, and the terminal of the scope.
    package init(
        secret: [UInt8], day: some Sequence<UInt8>, region: some Sequence<UInt8>, service: some Sequence<UInt8>
    ) {
        var key = HMAC.sha256(key: Array("AWS4".utf8) + secret, Array(day))
        key = HMAC.sha256(key: key, Array(region))
        key = HMAC.sha256(key: key, Array(service))
        keyed = HMAC(.sha256, key: HMAC.sha256(key: key, Array("aws4_request".utf8)))
    }

    /// Stage three: the signature of a string to sign.
    package func sign(_ stringToSign: ArraySlice<UInt8>) -> Signature {
        var hmac = keyed
        hmac.update(stringToSign)
        return Signature(Hexadecimal.encode(hmac.finish()))
    }
}
