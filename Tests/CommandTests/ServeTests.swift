import ShoalS3
import ShoalServer
import Testing

@testable import shoal

@Suite struct `shoal serve` {
    private func options(_ words: [String], _ environment: [String: String] = [:]) throws -> ServeOptions {
        try Serve(arguments(Serve.self, words, environment: environment)).options
    }

    @Test func `starts with the defaults of the contract`() throws {
        let options = try options([])
        #expect(options.listen == ListenAddress(host: "127.0.0.1", port: 9000))
        #expect(options.storage == .directory("./shoal-data"))
        #expect(options.accessKey == "shoal")
        #expect(options.secretKey == Secret("shoal-secret"))
        #expect(options.region == nil)
        #expect(options.domains == ["s3.localhost"])
        #expect(options.websiteDomains == ["s3-website.localhost"])
        #expect(options.profile == .strict)
        #expect(options.durability == .process)
        #expect(options.logFormat == .text)
        #expect(options.adminListen == nil)
        #expect(options.rngSeed == nil)
        #expect(options.webhooks.isEmpty)
    }

    private static let id = String(repeating: "0aF", count: 21) + "0"

    @Test func `understands every flag`() throws {
        let options = try options([
            "--listen", "[::1]:0", "--data", "d", "--bucket", "photos", "--bucket", "films", "--seed", "s",
            "--access-key", "A", "--secret-key", "S", "--account", "access=B,secret=T=,id=\(Self.id),name=Bea",
            "--region", "eu-west-1", "--public-url", "https://s3.example/", "--domain", "s3.test", "--profile",
            "lenient", "--website-domain", "www.test", "--website-domain", "s3-website-eu-west-1.test", "--durability",
            "power", "--faults", "f.json", "--rng-seed", "42", "--admin-listen",
            "127.0.0.1:1", "--admin-token", "t", "--log", "json", "--port-file", "p", "--webhook",
            "thumbs=http://127.0.0.1:8080/a=b", "--webhook", "mail_2=https://u:p@mail.example?t=1",
        ])
        #expect(options.listen == ListenAddress(host: "::1", port: 0))
        #expect(options.storage == .directory("d"))
        #expect(options.buckets.map(\.text) == ["photos", "films"])
        #expect(options.seedDirectory == "s")
        #expect(options.accessKey == "A")
        #expect(options.secretKey.text == "S")
        let bea = Account(accessKey: "B", secretKey: Secret("T="), ownerID: Self.id.lowercased(), displayName: "Bea")
        #expect(options.accounts == [bea])
        #expect(options.region == "eu-west-1")
        #expect(options.publicURLs == ["https://s3.example"])
        #expect(options.domains == ["s3.test"])
        #expect(options.websiteDomains == ["www.test", "s3-website-eu-west-1.test"])
        #expect(options.profile == .lenient)
        #expect(options.durability == .power)
        #expect(options.faultsFile == "f.json")
        #expect(options.rngSeed == 42)
        #expect(options.adminListen == ListenAddress(host: "127.0.0.1", port: 1))
        #expect(options.adminToken?.text == "t")
        #expect(options.logFormat == .json)
        #expect(options.portFile == "p")
        #expect(options.webhooks.map(\.name) == ["thumbs", "mail_2"])
        #expect(options.webhooks.map(\.url.text) == ["http://127.0.0.1:8080/a=b", "https://u:p@mail.example?t=1"])
        #expect(options.webhooks.map(\.shownURL) == ["http://127.0.0.1:8080/a=b", "https://mail.example"])
    }

    @Test func `speaks TLS by an authority of its own, or with files`() throws {
        #expect(try options([]).tls == nil)
        #expect(try options(["--tls"]).tls == .ownAuthority)
        #expect(try options([], ["SHOAL_TLS": "1"]).tls == .ownAuthority)
        let files = TLSOptions.files(certificate: "c", key: "k")
        #expect(try options(["--tls-cert", "c", "--tls-key", "k"]).tls == files)
        #expect(try options([], ["SHOAL_TLS": "1", "SHOAL_TLS_CERT": "c", "SHOAL_TLS_KEY": "k"]).tls == files)
    }

    @Test func `has a variable for every flag`() throws {
        for option in Serve.declaration.options {
            let expected = "SHOAL_" + option.name.uppercased().split(separator: "-").joined(separator: "_")
            #expect(option.variable == expected)
        }
        let environment = [
            "SHOAL_BUCKET": "a-1,b-2", "SHOAL_EPHEMERAL": "1", "SHOAL_LISTEN": "127.0.0.1:7",
            "SHOAL_WEBHOOK": "a=http://a/?b,c b=http://b",
        ]
        let fromEnvironment = try options([], environment)
        #expect(fromEnvironment.buckets.map(\.text) == ["a-1", "b-2"])
        #expect(fromEnvironment.storage == .ephemeral)
        #expect(fromEnvironment.listen.port == 7)
        #expect(fromEnvironment.webhooks.map(\.url.text) == ["http://a/?b,c", "http://b"])
    }

    @Test(arguments: [
        "http://u:pass#word@127.0.0.1/", "http://u:pa/ss@host/", "http://u:pa?ss@host/", "http://u@v@host/",
        "http://host:port/", "http://host:99999/", "ftp://host/", "http:///path", "//host/",
        "http://:8080/path", "http://u@:8080/",
    ])
    func `takes no URL of a webhook that would not be what it seems`(url: String) {
        #expect(Webhook(name: "w", url: url) == nil)
    }

    @Test func `lets --data win over SHOAL_EPHEMERAL and --ephemeral over SHOAL_DATA`() throws {
        #expect(try options(["--data", "d"], ["SHOAL_EPHEMERAL": "1"]).storage == .directory("d"))
        #expect(try options(["--ephemeral"], ["SHOAL_DATA": "d"]).storage == .ephemeral)
    }

    @Test(arguments: [
        (["--listen", "9000"], "--listen takes an address such as 127.0.0.1:9000 or [::1]:0, not '9000'"),
        (["--listen", "::1:9000"], "--listen takes an address such as 127.0.0.1:9000 or [::1]:0, not '::1:9000'"),
        (["--listen", "a:65536"], "--listen takes an address such as 127.0.0.1:9000 or [::1]:0, not 'a:65536'"),
        (["--bucket", "A"], "'A' is no bucket name: S3 wants 3 to 63 of a-z, 0-9, '-' and '.'"),
        (["--data", "d", "--ephemeral"], "give either --data or --ephemeral"),
        (["--rng-seed", "-1"], "--rng-seed takes a whole number from 0 to 9223372036854775807 or random, not '-1'"),
        (["--tls", "--tls-cert", "c", "--tls-key", "k"], "give either --tls, or --tls-cert with --tls-key"),
        (["--tls-cert", "c"], "--tls-cert wants its key as well: --tls-key FILE"),
        (["--tls-key", "k"], "--tls-key wants its certificate as well: --tls-cert FILE"),
        (["--secret-key", "a", "--secret-key-file", "b"], "give either --secret-key or --secret-key-file"),
        (["--secret-key-file", "/no/such"], "--secret-key-file: /no/such: No such file or directory"),
        (["--account", "access=a,secret=very-secret"], "--account: id=, name= is missing"),
        (["--account", "secret=very-secret,secret=b"], "--account: secret= is given twice"),
        (["--account", "very-secret"], "--account takes access=, secret=, id= and name=, separated by commas"),
        (["--account", "access=a,secret=b,id=12,name=c"], "--account: id= takes 64 hexadecimal digits"),
        (["--webhook", "a=http://a", "--webhook", "a=http://b"], "--webhook declares 'a' twice"),
        (
            ["--listen", "0.0.0.0:9000"],
            "on 0.0.0.0:9000 the admin API would be open to other machines: set --admin-token, or keep it here with --admin-listen 127.0.0.1:9001"
        ),
        (
            ["--admin-listen", ":9001"],
            "on 0.0.0.0:9001 the admin API would be open to other machines: set --admin-token, or keep it here with --admin-listen 127.0.0.1:9001"
        ),
    ])
    func `refuses in words`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try options(words) }
    }

    @Test(arguments: [
        "http://very-secret", "=http://very-secret", "a b=http://very-secret", "a=ftp://very-secret", "a=very-secret",
        "a=http://", "a=http:///very-secret", "a=http://u@", "a=http://h/\u{7F}very-secret",
        String(repeating: "a", count: 81) + "=http://very-secret",
    ])
    func `refuses what is no webhook without repeating it`(text: String) throws {
        let error = #expect(throws: UsageError.self) { try options(["--webhook", text]) }
        #expect(error?.description.hasPrefix("--webhook takes NAME=URL, such as") == true)
        #expect(error?.description.contains("very-secret") == false)
    }

    @Test(arguments: [
        ["--listen", "0.0.0.0:9000", "--admin-token", "t"],
        ["--listen", "0.0.0.0:9000", "--admin-listen", "127.0.0.1:9001"], ["--listen", "localhost:1"],
        ["--listen", "[::1]:1"], ["--listen", "127.9.9.9:1"],
    ])
    func `starts where the admin API is out of reach or has its token`(words: [String]) throws {
        #expect(try !options(words).exposesAdminWithoutToken)
    }

    @Test func `reads a secret from a file, and lets a flag for the file win over the variable`() throws {
        let file = try TemporaryFile("from-a-file\nnot this")
        defer { withExtendedLifetime(file) {} }
        let words = ["--secret-key-file", file.path]
        #expect(try options(words).secretKey.text == "from-a-file")
        #expect(try options(words, ["SHOAL_SECRET_KEY": "variable"]).secretKey.text == "from-a-file")
        let variables = ["SHOAL_SECRET_KEY": "variable", "SHOAL_SECRET_KEY_FILE": file.path]
        #expect(try options([], variables).secretKey.text == "variable")
        #expect(try options([], ["SHOAL_SECRET_KEY_FILE": file.path]).secretKey.text == "from-a-file")
    }

    @Test func `shows its secrets to nobody who prints the options`() throws {
        let options = try options([
            "--secret-key", "hush-1", "--admin-token", "hush-2", "--account",
            "access=a,secret=hush-3,id=\(Self.id),name=n", "--webhook", "a=http://hush-4@h/?hush-5",
        ])
        var dumped = ""
        dump(options, to: &dumped)
        #expect(!"\(options)\(String(reflecting: options))\(dumped)".contains("hush"))
    }
}
