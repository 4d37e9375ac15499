import ShoalProcess
import Testing

@Suite(.disabled(if: Client.isBotoMissing, "\(Client.botoReason)")) struct `The AWS CLI` {
    private let folder = TemporaryFolder()
    private let server: ServerProcess

    init() throws { server = try ServerProcess(["--ephemeral", "--bucket", "photos"]) }

    @discardableResult
    private func run(_ words: [String], input: [UInt8] = []) throws -> CommandResult {
        let result = try CommandResult.of(
            Client.awsCLI, words, environment: Client.environment(server, in: folder), input: input)
        #expect(result.end == .code(0), "aws \(words): \(result)")
        return result
    }

    @Test func `copies a photo up and down with aws s3 cp`() throws {
        let image = try Client.imageBytes()
        try run(["s3", "cp", Client.image, "s3://photos/trip/harbour.jpg"])
        let stored = try #require(try server.connect().send("GET", "photos/trip/harbour.jpg"))
        #expect(stored.body.isSame(as: image))
        #expect(stored["Content-Type"] == "image/jpeg")
        try run(["s3", "cp", "s3://photos/trip/harbour.jpg", folder.path + "/back.jpg"])
        #expect(try File.read(folder.path + "/back.jpg").isSame(as: image))
    }

    @Test func `splits a large file and moves it within the server`() throws {
        let large = [UInt8](repeating: 5, count: 20_000_000)
        try folder.write(large, to: "large.bin")
        try run(["s3", "cp", folder.path + "/large.bin", "s3://photos/large.bin"])
        try run(["s3", "mv", "s3://photos/large.bin", "s3://photos/moved.bin"])
        #expect(try server.connect().send("HEAD", "photos/large.bin")?.status == 404)
        try run(["s3", "cp", "s3://photos/moved.bin", folder.path + "/back.bin"])
        #expect(try File.read(folder.path + "/back.bin").isSame(as: large))
    }

    @Test func `copies a stream both ways`() throws {
        let body = Array("a stream without a length".utf8)
        try run(["s3", "cp", "-", "s3://photos/stream", "--content-type", "text/x-stream"], input: body)
        #expect(try server.connect().send("HEAD", "photos/stream")?["Content-Type"] == "text/x-stream")
        #expect(try run(["s3", "cp", "s3://photos/stream", "-"]).outputBytes == body)
    }

    @Test func `makes, lists, fills and removes a bucket`() throws {
        try run(["s3", "mb", "s3://made-by-aws"])
        try folder.write(Array("one".utf8), to: "tree/a.txt")
        try folder.write(Array("two".utf8), to: "tree/sub/b c.txt")
        // A listing tells whole seconds, on S3 too: a file of the same second as its upload would look newer, and go again.
        let files = ["a.txt", "sub/b c.txt"].map { folder.path + "/tree/" + $0 }
        let touched = try CommandResult.of("/usr/bin/touch", ["-d", "2026-01-01"] + files)
        #expect(touched.end == .code(0), "\(touched)")
        try run(["s3", "sync", folder.path + "/tree", "s3://made-by-aws/tree"])
        #expect(try server.connect().send("GET", "made-by-aws/tree/sub/b c.txt")?.text == "two")
        let list = try run(["s3", "ls", "--recursive", "s3://made-by-aws"]).output
        #expect(list.contains(" 3 tree/a.txt\n") && list.contains(" 3 tree/sub/b c.txt\n"), "\(list)")
        #expect(try run(["s3", "ls"]).output.contains(" made-by-aws\n"))
        #expect(try run(["s3", "sync", folder.path + "/tree", "s3://made-by-aws/tree"]).output == "")
        try run(["s3", "rm", "--recursive", "s3://made-by-aws"])
        try run(["s3", "rb", "s3://made-by-aws"])
        #expect(try server.connect().send("HEAD", "made-by-aws")?.status == 404)
    }

    @Test func `works with the credentials that shoal credentials prints, until they expire`() throws {
        let printed = try ShoalCommand.run(["credentials", "--expires", "15m", "--endpoint", server.endpoint])
        #expect(printed.end == .code(0), "\(printed)")
        var environment = Client.environment(server, in: folder)
        // As `eval` in a shell would set them.
        for line in printed.output.split(separator: "\n") {
            let parts = line.dropFirst("export ".count).split(separator: "=", maxSplits: 1)
            environment[String(parts[0])] = parts[1].split(separator: "'").joined()
        }
        #expect(environment["AWS_SESSION_TOKEN"] != nil)
        func aws(_ words: [String]) throws -> CommandResult {
            try CommandResult.of(Client.awsCLI, words, environment: environment)
        }
        let copied = try aws(["s3", "cp", Client.image, "s3://photos/session.jpg"])
        #expect(copied.end == .code(0), "\(copied)")
        let identity = try aws(["sts", "get-caller-identity", "--query", "Arn", "--output", "text"])
        #expect(identity.output == "arn:aws:iam::000000000000:root\n", "\(identity)")
        let url = try aws(["s3", "presign", "s3://photos/session.jpg", "--expires-in", "7200"]).output.dropLast()
        let own = try ShoalCommand.run(
            ["presign", "get", "photos/session.jpg", "--endpoint", server.endpoint],
            environment: environment.filter { $0.key.hasPrefix("AWS_") })
        for url in [String(url), String(own.output.dropLast())] {
            #expect(url.contains("X-Amz-Security-Token=") || url.contains("x-amz-security-token="))
            #expect(try ShoalCommand.run(["explain", url, "--endpoint", server.endpoint]).end == .code(0))
        }
        #expect(try ShoalCommand.run(["clock", "+16m", "--endpoint", server.endpoint]).end == .code(0))
        let late = try ShoalCommand.run(["explain", String(url), "--endpoint", server.endpoint])
        #expect(late.output.contains("400 ExpiredToken") && late.output.contains("has expired"), "\(late)")
    }

    @Test func `asks for a session and assumes a role`() throws {
        let keys = try run([
            "sts", "get-session-token", "--duration-seconds", "900", "--query", "Credentials.AccessKeyId", "--output",
            "text",
        ])
        #expect(keys.output.hasPrefix("ASIA"), "\(keys)")
        let role = try run([
            "sts", "assume-role", "--role-arn", "arn:aws:iam::000000000000:role/uploader", "--role-session-name",
            "phone", "--query", "AssumedRoleUser.Arn", "--output", "text",
        ])
        #expect(role.output == "arn:aws:sts::000000000000:assumed-role/uploader/phone\n", "\(role)")
    }

    @Test(.disabled(if: Tools.isMissing("curl"), "curl is not installed"))
    func `makes a website that curl reads`() throws {
        try run(["s3", "mb", "s3://site"])
        try run(["s3", "website", "s3://site", "--index-document", "index.html", "--error-document", "404.html"])
        try run(["s3api", "delete-public-access-block", "--bucket", "site"])
        let policy =
            #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","#
            + #""Resource":"arn:aws:s3:::site/*"}]}"#
        try run(["s3api", "put-bucket-policy", "--bucket", "site", "--policy", policy])
        for key in ["index.html", "404.html"] {
            try run(["s3", "cp", "-", "s3://site/\(key)", "--content-type", "text/html"], input: Array(key.utf8))
        }
        let url = "http://site.s3-website.localhost:\(server.port)"
        let read = try CommandResult.of(
            "curl",
            ["-q", "-sS", "--noproxy", "*", "-w", " %{http_code} %{content_type}\n", "\(url)/", "\(url)/missing"])
        #expect(read.output == "index.html 200 text/html\n404.html 403 text/html\n", "\(read)")
        let told = try run(["s3api", "get-bucket-website", "--bucket", "site", "--query", "IndexDocument.Suffix"])
        #expect(told.output == "\"index.html\"\n", "\(told)")
        try run(["s3api", "delete-bucket-website", "--bucket", "site"])
    }

    @Test func `presigns a URL that answers`() throws {
        #expect(try server.connect().send("PUT", "photos/a", body: [65, 66])?.status == 200)
        let url = try run(["s3", "presign", "s3://photos/a"]).output.dropLast()
        let explained = try ShoalCommand.run(["explain", String(url), "--endpoint", server.endpoint])
        #expect(explained.end == .code(0), "\(explained)")
    }
}
