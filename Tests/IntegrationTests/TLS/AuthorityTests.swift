import CShoalSystem
import Glibc
import ShoalJSON
import ShoalServer
import ShoalTLS
import ShoalWire
import Testing

@Suite struct `The authority of a server` {
    @Test func `is made once for a data directory, and nobody else reads its key`() throws {
        let first = try TestServer { $0.tls = .ownAuthority }
        let pem = try #require(first.trust?.authority)
        first.stop()
        var status = stat()
        #expect(stat(first.data + "/tls/authority.key", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let second = try TestServer {
            $0.tls = .ownAuthority
            $0.storage = .directory(first.data)
        }
        #expect(second.trust?.authority == pem)
        #expect(try S3Client(second).put("a", "x").status == 200)
        let another = try TestServer { $0.tls = .ownAuthority }
        #expect(another.trust?.authority != pem)
    }

    @Test func `is given to whoever asks, a phone with another name for the server included`() throws {
        let server = try TestServer {
            $0.tls = .ownAuthority
            $0.adminToken = Secret("t")
        }
        let answer = try AdminClient(server).send(
            "GET", "/_shoal/v1/ca.pem", headers: [("Host", "shoal.home:9001")])
        #expect(answer.status == 200)
        #expect(answer.text == server.trust?.authority)
        #expect(answer["Content-Type"] == "application/x-x509-ca-cert")
        #expect(try AdminClient(server).send("GET", "/_shoal/v1/scopes").status == 401)
    }

    @Test func `is missing in words where there is none`() throws {
        let plain = try AdminClient(try TestServer()).send("GET", "/_shoal/v1/ca.pem")
        #expect(plain.status == 404)
        #expect(try JSONParser.parse(plain.body)["detail"]?.string?.contains("serve --tls") == true)
        let files = try GivenFiles()
        let given = try TestServer { $0.tls = files.options }
        #expect(given.trust == nil)
        let answer = try AdminClient(given).send("GET", "/_shoal/v1/ca.pem")
        #expect(try JSONParser.parse(answer.body)["detail"]?.string?.contains("was given its certificate") == true)
    }

    @Test(
        arguments: [
            ("authority.key", "no key", "holds no key that can be used"),
            ("authority.pem", "no certificate", "holds no certificate"),
            ("authority.key", nil, "is not the key of"),
        ] as [(String, String?, String)])
    func `that cannot be used stops the start and says what to do`(name: String, text: String?, words: String) throws {
        let first = try TestServer { $0.tls = .ownAuthority }
        first.stop()
        try write(text ?? PrivateKey().pem, to: first.data + "/tls/" + name)
        let error = #expect(throws: StartFailure.self) {
            _ = try TestServer {
                $0.tls = .ownAuthority
                $0.storage = .directory(first.data)
            }
        }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("remove \(first.data)/tls") == true)
    }
}

@Suite struct `A certificate that is given` {
    @Test func `is shown to everybody, with what leads to its root`() throws {
        let files = try GivenFiles()
        let server = try TestServer { $0.tls = files.options }
        var trust = WireTLS.Trust(files.authority.certificate.pem)
        trust.server = "store.test"
        let connection = WireClient(port: server.port, tls: trust)
        connection.send("GET / HTTP/1.1\r\nHost: store.test\r\n\r\n")
        #expect(connection.receiveResponse()?.status == 403)
    }

    @Test func `that has expired is served with a warning`() throws {
        let files = try GivenFiles(validity: .expired(at: Int64(time(nil))))
        let server = try TestServer { $0.tls = files.options }
        #expect(server.log.contains("the certificate has expired"))
        var trust = WireTLS.Trust(files.authority.certificate.pem)
        trust.server = "store.test"
        let connection = WireClient(port: server.port, tls: trust)
        connection.send("x")
        #expect(connection.tls?.distrust == "certificate has expired")
    }

    @Test(arguments: [
        ("certificate", "/nowhere", "/nowhere: No such file or directory"),
        ("certificate", "key", "holds no certificate in PEM form"),
        ("key", "certificate", "holds no private key in PEM form"),
        ("key", "stranger", "is not the key of the first certificate"),
        ("key", "encrypted", "is encrypted; write it without a password: openssl pkey -in"),
    ])
    func `and cannot be used stops the start and says why`(file: String, path: String, words: String) throws {
        let files = try GivenFiles()
        let chosen = files.paths[path] ?? path
        let error = #expect(throws: StartFailure.self) {
            _ = try TestServer {
                $0.tls = .files(
                    certificate: file == "certificate" ? chosen : files.paths["certificate"]!,
                    key: file == "key" ? chosen : files.paths["key"]!)
            }
        }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}

/// A certificate for `store.test` of an authority of its own, in files.
final class GivenFiles: Sendable {
    let authority: CertificateAuthority
    /// `certificate`, `key`, and keys that will not do.
    let paths: [String: String]
    private let directory = TestDirectory()

    var options: TLSOptions { .files(certificate: paths["certificate"]!, key: paths["key"]!) }

    init(validity: Validity? = nil) throws {
        let now = Int64(time(nil))
        authority = CertificateAuthority(named: "A test's authority", at: now)
        let key = PrivateKey()
        let certificate = authority.issue([.dns("store.test")], for: key, validity ?? .ofServer(at: now))
        let texts = [
            "certificate": certificate.pem, "key": key.pem, "stranger": PrivateKey().pem,
            "encrypted": Self.encryptedKey,
        ]
        var paths: [String: String] = [:]
        for (name, text) in texts {
            paths[name] = "\(directory.path)/\(name).pem"
            try write(text, to: "\(directory.path)/\(name).pem")
        }
        self.paths = paths
    }

    /// Made for this test, with a password.
    private static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiO+PxbvgGL7wICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEHdWH7ibW8/3NlTa4+++K80EgZAv
        v1ODuCYID1C9RWhGowoFGhxAl+CcEhiCamvAElzoXTvdezJ8dD3TcyT+nHBRni11
        ywzbj8j6iZ2wQ2IDQScKgC1JNbc6cfYQ+VjNDvKMLMX1qRXUN6uHLXBNUGLGWe6K
        9d5lUUewIKIk3o+7fjzCdPfc6XdEQuOcT3EEpGLoUZ9/33JP2IywXj3yWjEEQpc=
        -----END ENCRYPTED PRIVATE KEY-----
        """
}

private func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
}
