import CShoalSystem
import Glibc
import ShoalFaults
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalTLS

/// The TLS of one server: who it says it is, and what a client has to trust.
final class ServerTLS: Sendable {
    let port: TLSPort
    /// Nil where the certificate was given: its owner knows whom to trust.
    let authority: Authority?
    /// Of a throwaway authority where the certificate was given.
    private let leaves: LeafCertificates

    /// What clients have to trust.
    struct Authority: Sendable {
        let pem: String
        /// Absolute.
        let path: String
        /// SHA-256, as browsers show it.
        let fingerprint: String
    }

    /// Throws in words for files that cannot be used.
    init(_ options: TLSOptions, names: [String], in directory: DataDirectory, log: Log) throws(StartFailure) {
        let now = Timestamp(milliseconds: SystemClock.wallMilliseconds()).seconds
        let context = TLSContext.server()
        switch options {
        case .ownAuthority:
            let folder = AuthorityFolder(in: directory.path)
            let authority = try folder.authority(at: now)
            leaves = LeafCertificates(authority, names: names)
            port = TLSPort(context, identities: leaves)
            self.authority = Authority(
                pem: authority.certificate.pem, path: Self.absolute(folder.certificatePath),
                fingerprint: authority.certificate.fingerprint)
        case .files(let certificate, let key):
            let given = try GivenCertificate(certificate: certificate, key: key)
            if given.identity.certificate.isExpired(at: now) {
                log.warning(
                    "the certificate has expired: clients will refuse it",
                    ["file": certificate, "end": given.identity.certificate.end])
            }
            leaves = LeafCertificates(CertificateAuthority(named: "Nobody", at: now), names: names)
            port = TLSPort(context, identities: given)
            authority = nil
        }
    }

    /// Which rules can strike.
    var security: TransportSecurity { authority == nil ? .givenCertificate : .ownAuthority }

    /// What a rule shows in place of the server's certificate.
    func identity(with fault: CertificateFault, for hello: TLSHello?) -> TLSIdentity {
        leaves.identity(with: fault, for: hello?.serverName, at: "127.0.0.1")
    }

    private static func absolute(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

/// A certificate from files, shown to everybody.
struct GivenCertificate: TLSIdentities {
    let identity: TLSIdentity

    /// Throws in words for what cannot be read, or does not belong together.
    init(certificate: String, key path: String) throws(StartFailure) {
        let certificates = Certificate.all(inPEM: try StartFile.read(certificate))
        guard let first = certificates.first else {
            throw StartFailure("--tls-cert: \(certificate) holds no certificate in PEM form (BEGIN CERTIFICATE)")
        }
        let bytes = try StartFile.read(path)
        let key: PrivateKey
        do throws(PrivateKey.Flaw) { key = try PrivateKey(pem: bytes) } catch {
            switch error {
            case .encrypted:
                throw StartFailure(
                    "--tls-key: \(path) is encrypted; write it without a password: openssl pkey -in \(path) -out KEY")
            case .noKey(let reason):
                throw StartFailure("--tls-key: \(path) holds no private key in PEM form (\(reason))")
            }
        }
        guard first.belongs(to: key) else {
            throw StartFailure(
                "--tls-key: \(path) is not the key of the first certificate in \(certificate); give the two that belong together"
            )
        }
        identity = TLSIdentity(first, chain: Array(certificates.dropFirst()), key: key)
    }

    func identity(for serverName: String?, at address: String) -> TLSIdentity { identity }
}
