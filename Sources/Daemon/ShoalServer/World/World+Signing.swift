import ShoalHTTP
import ShoalS3
import ShoalSigV4

extension World {
    /// What the signature of a request is worth.
    func verdict(on head: RequestHead, _ route: Route?, at time: Timestamp) -> Verdict {
        authenticator.verify(
            head, at: time, hostBucket: Self.hostBucket(route), lookup: accounts.credential(of:))
    }

    /// What S3 says to a request whose signature was made of something else: its own canonical request stands in it.
    func mismatch(of head: RequestHead, _ route: Route?, at time: Timestamp) -> S3Error {
        let token = head.first("x-amz-security-token") ?? route?.query.first("X-Amz-Security-Token")
        let verdict = authenticator.verify(head, at: time, hostBucket: Self.hostBucket(route)) { accessKeyId in
            if let known = accounts.credential(of: accessKeyId) {
                return Credential(secret: known.secret + Self.otherSecret)
            }
            return token.map { Credential(secret: Self.otherSecret, session: Credential.Session(token: $0)) }
        }
        if case .rejected(let error) = verdict { return error }
        return S3Error(.signatureDoesNotMatch)
    }

    /// Makes of every secret another one.
    private static let otherSecret = Array("?".utf8)

    /// What the signature of a form is worth.
    func verdict(on form: PostFormSignature, at time: Timestamp) -> Verdict {
        authenticator.verify(form, at: time, lookup: accounts.credential(of:))
    }

    /// Why it was refused, in words. Takes milliseconds, so it does not belong on a loop.
    func diagnosis(of head: RequestHead, _ route: Route?, at time: Timestamp) -> Diagnosis {
        Diagnosis.explain(
            head, at: time, by: authenticator,
            among: Diagnosis.Surroundings(
                hosts: hostsForDiagnosis, neighbours: accounts.neighbours, hostBucket: Self.hostBucket(route)),
            lookup: accounts.credential(of:))
    }

    private static func hostBucket(_ route: Route?) -> [UInt8]? {
        route?.style == .virtualHost ? route?.bucket.map { Array($0.text.utf8) } : nil
    }

    /// Other names this server may have been signed for.
    private var hostsForDiagnosis: [String] {
        (options.publicURLs + [publicURL]).compactMap { Endpoint($0)?.authority }
    }
}
