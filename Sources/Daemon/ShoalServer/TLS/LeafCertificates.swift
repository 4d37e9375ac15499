import ShoalFaults
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalTLS
import Synchronization

/// Certificates of one authority for the names of a server, made when somebody asks for them.
///
/// Made are those of addresses, of `localhost` and what ends in it, and of the names that the server was started with and
/// what ends in these; the authority is trusted, so nothing is signed for names of strangers. Whoever asks for another name
/// is shown the usual certificate.
final class LeafCertificates: TLSIdentities {
    /// Kept at a time. Whoever asks for more names makes old ones be issued again.
    static let countMax = 256

    /// Seconds after which a certificate is issued anew.
    private static let renewal: Int64 = 180 * 86_400

    private struct Leaf {
        let identity: TLSIdentity
        let issued: Int64
    }

    private let authority: CertificateAuthority
    /// Of all certificates: a new one for each would take time and prove nothing.
    private let key = PrivateKey()
    private let domains: [String]
    private let usualNames: [SubjectName]
    private let now: @Sendable () -> Int64
    private let leaves = Mutex<[String: Leaf]>([:])

    /// - Parameter names: what the server is called; their sub-domains belong to it.
    init(
        _ authority: CertificateAuthority, names: [String],
        now: @escaping @Sendable () -> Int64 = { Timestamp(milliseconds: SystemClock.wallMilliseconds()).seconds }
    ) {
        self.authority = authority
        self.now = now
        domains = ["localhost"] + names.map { $0.lowercased() }
        usualNames = Self.usualNames(names)
    }

    private static func usualNames(_ names: [String]) -> [SubjectName] {
        var all: [SubjectName] = []
        for text in ["localhost", "127.0.0.1", "::1"] + names.flatMap({ [$0, "*." + $0] }) {
            if let name = SubjectName(text), !all.contains(name) { all.append(name) }
        }
        return all
    }

    func identity(for serverName: String?, at address: String) -> TLSIdentity {
        let names = names(for: serverName, at: address)
        let now = now()
        return leaves.withLock { leaves in
            let key = names[0].text
            if let leaf = leaves[key], now - leaf.issued < Self.renewal { return leaf.identity }
            if leaves.count >= Self.countMax { leaves.removeAll() }
            let identity = TLSIdentity(authority.issue(names, for: self.key, .ofServer(at: now)), key: self.key)
            leaves[key] = Leaf(identity: identity, issued: now)
            return identity
        }
    }

    /// What a certificate is to say, the name that was asked for first.
    private func names(for serverName: String?, at address: String) -> [SubjectName] {
        let asked = serverName ?? address
        guard let name = SubjectName(asked), isOurs(name, serverName) else { return usualNames }
        return [name] + usualNames.filter { $0 != name }
    }

    private func isOurs(_ name: SubjectName, _ serverName: String?) -> Bool {
        switch name {
        // An address in a ClientHello is a mistake of the client's; without a name it is where the client has come to.
        case .address: serverName == nil
        case .dns(let name): !name.contains("*") && domains.contains { name == $0 || name.hasSuffix("." + $0) }
        }
    }

    // MARK: Certificates with a fault

    /// One that a client must not accept, for the reason that `fault` says.
    func identity(with fault: CertificateFault, for serverName: String?, at address: String) -> TLSIdentity {
        let names = names(for: serverName, at: address)
        let now = now()
        let certificate =
            switch fault {
            case .expired: authority.issue(names, for: key, .expired(at: now))
            case .wrongHost: authority.issue([.dns(Self.strangersName)], for: key, .ofServer(at: now))
            case .selfSigned: CertificateAuthority.selfSigned(names, key: key, .ofServer(at: now))
            case .untrusted:
                CertificateAuthority(named: "An authority that nobody trusts", at: now)
                    .issue(names, for: key, .ofServer(at: now))
            }
        return TLSIdentity(certificate, key: key)
    }

    /// Reserved so that nobody has it (RFC 6761 §6.4).
    private static let strangersName = "wrong-host.invalid"
}
