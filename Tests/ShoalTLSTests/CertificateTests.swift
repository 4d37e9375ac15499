import Glibc
import ShoalTLS
import Testing

@Suite struct `A certificate` {
    private static let now: Int64 = 1_800_000_000
    private let authority = CertificateAuthority(named: "A test's authority", at: now)

    @Test func `of an authority may sign certificates and nothing else, for ten years`() throws {
        let text = try describe(authority.certificate)
        #expect(text.contains("Subject: CN = A test's authority"))
        #expect(text.contains("Basic Constraints: critical\n                CA:TRUE, pathlen:0"))
        #expect(text.contains("Key Usage: critical\n                Certificate Sign, CRL Sign"))
        #expect(text.contains("ASN1 OID: prime256v1"))
        #expect(!authority.certificate.isExpired(at: Self.now + 3_640 * 86_400))
        #expect(authority.certificate.isExpired(at: Self.now + 3_650 * 86_400))
    }

    @Test func `of a server has what browsers and Apple's systems ask for`() throws {
        let key = PrivateKey()
        let names = [SubjectName.dns("photos.s3.localhost"), .address("127.0.0.1"), .address("::1"), .dns("*.a.test")]
        let certificate = authority.issue(names, for: key, .ofServer(at: Self.now))
        let text = try describe(certificate)
        #expect(text.contains("Basic Constraints: critical\n                CA:FALSE"))
        #expect(text.contains("Key Usage: critical\n                Digital Signature"))
        #expect(text.contains("Extended Key Usage: \n                TLS Web Server Authentication"))
        #expect(
            text.contains("DNS:photos.s3.localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:*.a.test"))
        #expect(certificate.belongs(to: key))
        #expect(!certificate.belongs(to: PrivateKey()))
        let validity = Validity.ofServer(at: Self.now)
        #expect(validity.end - validity.start <= 398 * 86_400)
        #expect(validity.start < Self.now && validity.end > Self.now)
        #expect(certificate.isExpired(at: validity.end + 1) && !certificate.isExpired(at: validity.end - 1))
    }

    @Test func `reads back from PEM with its key, and those behind it`() throws {
        let bytes = Array((authority.certificate.pem + authority.certificate.pem).utf8)
        let read = Certificate.all(inPEM: bytes)
        #expect(read.count == 2)
        #expect(read[0].fingerprint == authority.certificate.fingerprint)
        #expect(read[0].fingerprint.count == 95)
        #expect(read[0].belongs(to: try PrivateKey(pem: Array(authority.key.pem.utf8))))
        #expect(Certificate.all(inPEM: Array("no certificate".utf8)).isEmpty)
    }

    @Test func `key that is none, or wants a password, is told apart`() throws {
        #expect(throws: PrivateKey.Flaw.self) { _ = try PrivateKey(pem: Array("no key".utf8)) }
        #expect(throws: PrivateKey.Flaw.encrypted) { _ = try PrivateKey(pem: Array(Self.encryptedKey.utf8)) }
    }

    /// Made for this test: `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:x`.
    private static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiO+PxbvgGL7wICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEHdWH7ibW8/3NlTa4+++K80EgZAv
        v1ODuCYID1C9RWhGowoFGhxAl+CcEhiCamvAElzoXTvdezJ8dD3TcyT+nHBRni11
        ywzbj8j6iZ2wQ2IDQScKgC1JNbc6cfYQ+VjNDvKMLMX1qRXUN6uHLXBNUGLGWe6K
        9d5lUUewIKIk3o+7fjzCdPfc6XdEQuOcT3EEpGLoUZ9/33JP2IywXj3yWjEEQpc=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    @Test(
        arguments: [
            ("127.0.0.1", .address("127.0.0.1")), ("::1", .address("::1")),
            ("Photos.S3.Localhost", .dns("photos.s3.localhost")),
            ("*.s3.localhost", .dns("*.s3.localhost")), ("a b", nil), ("", nil), (".a", nil), ("a,DNS:evil", nil),
            ("a*", nil), ("ü", nil),
        ] as [(String, SubjectName?)])
    func `is for a name that cannot say more than itself`(text: String, name: SubjectName?) {
        #expect(SubjectName(text) == name)
    }

    /// As `openssl x509 -text` prints it, by way of the program: another reader of the same bytes.
    private func describe(_ certificate: Certificate) throws -> String {
        var template = Array("/tmp/shoal-certificate-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(path) }
        let pem = Array(certificate.pem.utf8)
        #expect(write(descriptor, pem, pem.count) == pem.count)
        close(descriptor)
        let pipe = try #require(popen("openssl x509 -noout -text -in \(path)", "r"))
        defer { pclose(pipe) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, pipe)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
