import CShoalSystem
import Glibc
import ShoalCrypto
import ShoalTLS

/// `DIR/tls`, where the authority of a data directory is kept: the certificate that clients have to trust, and its key,
/// which only the owner can read.
struct AuthorityFolder: Sendable {
    let certificatePath: String
    private let keyPath: String
    private let path: String

    init(in directory: String) {
        path = directory + "/tls"
        certificatePath = path + "/authority.pem"
        keyPath = path + "/authority.key"
    }

    /// The one that is there, or a new one. Throws in words for files that cannot be used.
    func authority(at now: Int64) throws(StartFailure) -> CertificateAuthority {
        guard access(certificatePath, F_OK) == 0, access(keyPath, F_OK) == 0 else { return try make(at: now) }
        let certificates = Certificate.all(inPEM: try StartFile.read(certificatePath))
        guard let certificate = certificates.first else {
            throw StartFailure("\(certificatePath) holds no certificate; \(remedy)")
        }
        let pem = try StartFile.read(keyPath)
        let key: PrivateKey
        do throws(PrivateKey.Flaw) { key = try PrivateKey(pem: pem) } catch {
            throw StartFailure("\(keyPath) holds no key that can be used; \(remedy)")
        }
        guard certificate.belongs(to: key) else {
            throw StartFailure("\(keyPath) is not the key of \(certificatePath); \(remedy)")
        }
        guard !certificate.isExpired(at: now) else {
            throw StartFailure("\(certificatePath) has expired on \(certificate.end); \(remedy)")
        }
        return CertificateAuthority(certificate, key: key)
    }

    private var remedy: String { "remove \(path) to have a new authority made, and trust that one instead" }

    /// The key is written first: with the certificate both are there.
    private func make(at now: Int64) throws(StartFailure) -> CertificateAuthority {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw StartFailure("\(path): \(String(cString: strerror(errno)))")
        }
        // Told apart by it in the lists of a browser or a phone.
        let mark = Hexadecimal.string(randomBytes(3))
        let authority = CertificateAuthority(named: "Shoal local authority \(mark)", at: now)
        try StartFile.write(authority.key.pem, to: keyPath, mode: 0o600)
        try StartFile.write(authority.certificate.pem, to: certificatePath)
        return authority
    }
}
