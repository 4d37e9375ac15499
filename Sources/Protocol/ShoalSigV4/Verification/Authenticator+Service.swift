import ShoalCrypto
import ShoalHTTP
import ShoalS3

extension Authenticator {
    /// Judges a request to another service than S3, such as `sts`, with its whole body, whose digest such services sign
    /// instead of a header. Version 4 in header or query; the rejections are in S3's words.
    /// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
    package func verify(
        _ head: RequestHead, body: [UInt8], service: StaticString, at now: Timestamp,
        lookup: (ArraySlice<UInt8>) -> Credential?
    ) -> Verdict {
        do throws(S3Error) {
            let query = RawQuery(head)
            let digest = Hexadecimal.encode(Digest.of(body, .sha256))
            let claim: SignatureClaim
            switch try Mechanism(head, query) {
            case .none: return .anonymous(.unsigned)
            case .headerV4(let scheme, let parameters):
                claim = try SignatureClaim(header: parameters, scheme: scheme, of: head, digest: digest, at: now)
            case .queryV4: claim = try SignatureClaim(query: query, of: head, digest: digest, at: now)
            case .headerV2, .queryV2:
                throw S3Error(.invalidRequest, "This service only supports Signature Version 4.")
            }
            return .accepted(try verify(claim, of: head, query, service: service, at: now, lookup: lookup))
        } catch {
            return .rejected(error)
        }
    }
}
