import ShoalProcess
import Testing

@Suite struct `A client over TLS` {
    private let folder = TemporaryFolder()
    private let server: ServerProcess

    init() throws { server = try ServerProcess(["--ephemeral", "--bucket", "photos", "--tls"]) }

    @Test(.disabled(if: Tools.isMissing("curl"), "curl is not installed"))
    func `is curl, which uploads and downloads through presigned URLs, with a bucket in the host too`() throws {
        let authority = try #require(server.authorityPath)
        func curl(_ words: [String]) throws -> CommandResult {
            try CommandResult.of(
                "curl", ["-q", "-sS", "--fail-with-body", "--noproxy", "*", "--cacert", authority] + words)
        }
        func presigned(_ words: [String]) throws -> String {
            String(try ShoalCommand.run(["presign"] + words).output.dropLast())
        }
        let photo = ["photos/harbour.jpg", "--endpoint", server.endpoint]
        let put = try curl(["-T", Client.image, try presigned(["put"] + photo)])
        #expect(put.end == .code(0), "\(put)")
        let signing = ["--aws-sigv4", "aws:amz:us-east-1:s3", "--user", "shoal:shoal-secret"]
        let hosted = [
            "-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD", "https://photos.s3.localhost:\(server.port)/harbour.jpg",
        ]
        for words in [[try presigned(["get"] + photo)], signing + hosted] {
            let got = try curl(words)
            #expect(got.outputBytes.isSame(as: try Client.imageBytes()), "\(got.errors)")
        }
        let distrusting = try CommandResult.of("curl", ["-q", "-sS", "--noproxy", "*", server.endpoint])
        #expect(distrusting.end == .code(60), "\(distrusting)")
    }

    @Test(
        .disabled(if: Client.isBotoMissing, "\(Client.botoReason)"),
        arguments: ["objects.py", "multipart.py", "presigned.py"])
    func `is boto3, for everything it does with objects and parts`(script: String) throws {
        let arguments = ["multipart.py": [folder.path], "presigned.py": ["s3v4"]][script] ?? []
        let result = try CommandResult.of(
            Client.python, ["\(Client.scripts)/\(script)"] + arguments,
            environment: Client.environment(server, in: folder))
        #expect(result.end == .code(0) && result.output == "ok\n", "\(script): \(result)")
    }

    @Test(.disabled(if: Client.isBotoMissing, "\(Client.botoReason)"))
    func `is the AWS CLI, which splits a large file, and refuses a stranger`() throws {
        let large = [UInt8](repeating: 5, count: 20_000_000)
        try folder.write(large, to: "large.bin")
        let environment = Client.environment(server, in: folder)
        for words in [
            ["s3", "cp", folder.path + "/large.bin", "s3://photos/large.bin"],
            ["s3", "cp", "s3://photos/large.bin", folder.path + "/back.bin"],
        ] {
            let result = try CommandResult.of(Client.awsCLI, words, environment: environment)
            #expect(result.end == .code(0), "aws \(words): \(result)")
        }
        #expect(try File.read(folder.path + "/back.bin").isSame(as: large))
        let rule = try ShoalCommand.run(
            ["fault", "add", "@tls.hello 1*tls.cert(expired)", "--endpoint", server.endpoint, "--cacert"]
                + [try #require(server.authorityPath)])
        #expect(rule.end == .code(0), "\(rule)")
        let refused = try CommandResult.of(
            Client.awsCLI, ["s3", "ls", "s3://photos"],
            environment: environment.merging(["AWS_MAX_ATTEMPTS": "1"]) { _, new in new })
        #expect(refused.errors.contains("certificate has expired"), "\(refused)")
    }

    @Test func `is shoal itself, which says whom it does not trust and what to do`() throws {
        let authority = try #require(server.authorityPath)
        let stranger = try folder.write(
            Array((try File.text("/etc/ssl/certs/ca-certificates.crt")).utf8), to: "others.pem")
        let distrusting = try ShoalCommand.run(["reset", "--endpoint", server.endpoint, "--cacert", stranger])
        #expect(distrusting.end == .code(4))
        #expect(
            distrusting.errors.contains("is not trusted") && distrusting.errors.contains("--cacert FILE")
                && distrusting.errors.contains("shoal ca --endpoint \(server.endpoint)"), "\(distrusting)")
        #expect(try ShoalCommand.run(["reset", "--endpoint", server.endpoint, "--cacert", authority]).end == .code(0))
        for variable in ["SHOAL_CA_BUNDLE", "AWS_CA_BUNDLE"] {
            var environment = ["SHOAL_ENDPOINT": server.endpoint, "AWS_CA_BUNDLE": stranger]
            environment[variable] = authority
            #expect(try ShoalCommand.run(["health"], environment: environment).output.hasPrefix("ok "))
        }
        let printed = try ShoalCommand.run(["ca", "--endpoint", server.endpoint])
        #expect(printed.output == (try File.text(authority)), "\(printed)")
        try folder.write(Array("a".utf8), to: "tree/from-seed/a.txt")
        let seeded = try ShoalCommand.run(
            ["seed", folder.path + "/tree", "--endpoint", server.endpoint, "--cacert", authority])
        #expect(seeded.end == .code(0), "\(seeded)")
        #expect(try server.connect().send("GET", "from-seed/a.txt")?.text == "a")
    }
}
