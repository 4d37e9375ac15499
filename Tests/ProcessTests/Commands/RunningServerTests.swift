import Glibc
import ShoalProcess
import ShoalWire
import Testing

@Suite struct `The command line and a running server` {
    private func shoal(_ words: [String], _ server: ServerProcess, input: [UInt8] = []) throws -> CommandResult {
        try ShoalCommand.run(words, environment: ["SHOAL_ENDPOINT": server.endpoint], input: input)
    }

    @Test func `print what rules did as rules that do it again`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos", "--rng-seed", "7"])
        func statuses(_ prefix: String) throws -> [Int?] {
            try (0..<20).map { try server.connect().send("PUT", "photos/\(prefix)\($0)", body: [1])?.status }
        }
        #expect(try shoal(["fault", "add", "PutObject @auth 40%SlowDown", "--id", "dice"], server).end == .code(0))
        let struck = try statuses("a")
        #expect(struck.contains(503) && struck.contains(200))
        let exported = try shoal(["fault", "export"], server)
        #expect(exported.end == .code(0), "\(exported)")
        let folder = TemporaryFolder()
        let file = try folder.write(Array(exported.output.utf8), to: "schedule.json")
        let added = try withExtendedLifetime(folder) {
            try shoal(["fault", "add", "--file", file, "--replace"], server)
        }
        #expect(added.end == .code(0), "\(added)")
        #expect(try statuses("b") == struck)
    }

    @Test func `apply a scene by its name, and ask afterwards what it is about`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let applied = try shoal(["preset", "apply", "store-hiccup", "--times", "1", "--key", "*.jpg"], server)
        #expect(applied.end == .code(0), "\(applied)")
        let lines = applied.output.split(separator: "\n")
        #expect(lines.first == "store-hiccup\twrite *.jpg @auth 1*InternalError per=key id=store-hiccup")
        let command = try #require(lines.last?.split(separator: "shoal ").last)
        let ask = command.split(separator: " ").map { $0.filter { $0 != "'" } }
        #expect(ask == ["verify", "--preset", "store-hiccup", "times=1", "key=*.jpg"])
        #expect(try server.connect().send("PUT", "photos/a.jpg", body: [1])?.status == 500)
        #expect(try shoal(ask, server).end == .code(1))
        #expect(try server.connect().send("PUT", "photos/a.jpg", body: [1])?.status == 200)
        let verdict = try shoal(ask, server)
        #expect(verdict.end == .code(0), "\(verdict)")
        let refused = try shoal(["preset", "apply", "store-hicup"], server)
        #expect(refused.end == .code(2) && refused.errors.contains("did you mean 'store-hiccup'?"), "\(refused)")
    }

    @Test func `let go on at a gate, by a command`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        #expect(try shoal(["gate", "release", "double-tap"], server).output == "0 requests go on\n")
    }

    @Test func `add a fault, list it with what it did, and remove it`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let added = try shoal(
            ["fault", "add", "PutObject trip/* @auth SlowDown", "--times", "1", "--id", "busy"], server)
        #expect(added.end == .code(0), "\(added)")
        #expect(added.output.hasPrefix("busy\t"), "\(added)")
        #expect(try shoal(["fault", "ls", "--all-fired"], server).end == .code(3))

        let client = server.connect()
        let refused = try #require(try client.send("PUT", "photos/trip/a", body: [1]))
        #expect(refused.status == 503 && refused.text.contains("<Code>SlowDown</Code>"))
        #expect(refused["x-shoal-fault"]?.contains("busy") == true)
        #expect(try server.connect().send("PUT", "photos/trip/a", body: [1])?.status == 200)

        let list = try shoal(["fault", "ls", "--all-fired"], server)
        #expect(list.end == .code(0), "\(list)")
        #expect(list.output.contains("busy"), "\(list)")
        #expect(try shoal(["fault", "rm", "busy"], server).end == .code(0))
        #expect(try shoal(["fault", "rm", "busy"], server).end == .code(4))
        #expect(try shoal(["fault", "add", "GetObject @auth SlowDown"], server).end == .code(0))
        #expect(try shoal(["fault", "clear"], server).end == .code(0))
        #expect(try shoal(["fault", "ls"], server).output == "")
        #expect(try server.connect().send("GET", "photos/trip/a")?.status == 200)
    }

    @Test(.disabled(if: Tools.isMissing("curl"), "curl is not installed"))
    func `work in a scope of their own, and tell at its end what was unfinished`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let made = try shoal(["scope", "new", "t1", "--bucket", "photos"], server)
        #expect(made.end == .code(0) && made.output.hasSuffix("export SHOAL_SCOPE=t1\n"), "\(made)")
        // What a shell does with those lines.
        var environment = ["SHOAL_ENDPOINT": server.endpoint]
        for line in made.output.split(separator: "\n") {
            let pair = line.dropFirst("export ".count).split(separator: "=", maxSplits: 1)
            environment[String(pair[0])] = String(pair[1]).replacing("'", with: "")
        }
        #expect(environment["AWS_ENDPOINT_URL"] == server.endpoint)
        for line in ["PutObject a @auth SlowDown id=busy", "GetObject @auth reset id=never"] {
            #expect(try ShoalCommand.run(["fault", "add", line], environment: environment).succeeded)
        }
        let url = try ShoalCommand.run(["presign", "put", "photos/a"], environment: environment).output.dropLast()
        let put = try CommandResult.of(
            "curl", ["-sS", "-q", "--noproxy", "*", "-X", "PUT", "-d", "x", "-w", "%{http_code}", String(url)])
        #expect(put.output.hasSuffix("503"), "\(put)")
        #expect(try server.connect().send("PUT", "photos/a", body: [1])?.status == 200)
        #expect(try shoal(["scope", "ls"], server).output.split(separator: "\n").count == 2)
        let ended = try shoal(["scope", "rm", "t1"], server)
        #expect(ended.end == .code(3) && ended.errors.contains("rule never of t1 never fired"), "\(ended)")
        #expect(try shoal(["scope", "rm", "t1"], server).end == .code(4))
    }

    @Test func `verify what a client did, and draw its attempts`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        #expect(try shoal(["verify"], server).end == .code(0))
        #expect(
            try shoal(["fault", "add", "PutObject @auth SlowDown", "--times", "1", "--id", "busy"], server).end
                == .code(0))
        let silent = try shoal(["verify"], server)
        #expect(silent.end == .code(3) && silent.output.contains("never struck: busy"), "\(silent)")
        #expect(try shoal(["verify", "--silent-rules"], server).end == .code(0))
        for status in [503, 200] {
            #expect(try server.connect().send("PUT", "photos/a", body: [1, 2])?.status == status)
        }
        let right = try shoal(["verify", "one-commit key=a", "attempts max=2"], server)
        #expect(right.end == .code(0), "\(right)")
        #expect(right.output.hasPrefix("pass  one-commit key=a: photos/a has one commit\n"), "\(right)")
        let wrong = try shoal(["verify", "attempts max=1"], server)
        #expect(wrong.end == .code(1), "\(wrong)")
        #expect(
            wrong.output.contains("would pass: attempts max=2") && wrong.output.contains("SlowDown by busy"), "\(wrong)"
        )
        #expect(try shoal(["verify", "one-comit"], server).end == .code(2))
        let all = try shoal(["timeline"], server)
        #expect(all.output.hasPrefix("PutObject photos/a (obj-") && all.output.contains("503 SlowDown"), "\(all)")
        let id = try #require(all.output.split(separator: "(").dropFirst().first?.prefix { $0 != ")" })
        #expect(try shoal(["timeline", String(id)], server).output == all.output)
        let missing = try shoal(["timeline", "obj-none"], server)
        #expect(missing.end == .code(4) && missing.errors.contains(id), "\(missing)")
        let archive = try shoal(["journal", "--har"], server)
        #expect(archive.end == .code(0) && archive.output.hasPrefix(#"{"log":{"version":"1.2""#), "\(archive)")
    }

    /// In CI a proxy is often in the environment, and no NO_PROXY.
    @Test func `speak to this machine past every proxy`() throws {
        let server = try ServerProcess(["--ephemeral"])
        let environment = [
            "SHOAL_ENDPOINT": server.endpoint, "http_proxy": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1",
            "all_proxy": "http://127.0.0.1:1",
        ]
        let result = try ShoalCommand.run(["clock"], environment: environment, input: [])
        #expect(result.end == .code(0), "\(result)")
    }

    @Test func `name the nearest point when there is no such one`() throws {
        let server = try ServerProcess(["--ephemeral"])
        let result = try shoal(["fault", "add", "PutObject @comit.after reset"], server)
        #expect(result.end == .code(2) || result.end == .code(4), "\(result)")
        #expect(result.errors.contains("commit.after"), "\(result)")
    }

    @Test func `move the clock, so that a link expires`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let url = try shoal(["presign", "get", "photos/none", "--expires", "5m"], server).output.dropLast()
        #expect(try shoal(["explain", String(url)], server).end == .code(0))
        #expect(try shoal(["clock", "+6m"], server).output.contains("ahead of the machine"))
        #expect(try shoal(["explain", String(url)], server).end == .code(1))
        #expect(try shoal(["clock", "freeze", "2026-03-14T15:09:26Z"], server).end == .code(0))
        #expect(try shoal(["clock"], server).output.hasPrefix("2026-03-14T15:09:26"))
        #expect(try shoal(["clock", "reset"], server).end == .code(0))
        #expect(try shoal(["explain", String(url)], server).end == .code(0))
    }

    @Test func `follow the journal while requests come`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let follower = try ChildProcess(
            ServerProcess.executable, ["journal", "--follow", "--format", "ndjson", "--endpoint", server.endpoint])
        let client = server.connect()
        #expect(try client.send("PUT", "photos/followed", body: [1, 2])?.status == 200)
        let first = try #require(follower.readLine())
        #expect(first.hasPrefix("{") && first.hasSuffix("}"), "\(first)")
        var lines = [first]
        while !lines.contains(where: { $0.contains("photos/followed") || $0.contains("\"followed\"") }) {
            lines.append(try #require(follower.readLine(), "\(lines)"))
        }
        #expect(try client.send("DELETE", "photos/followed")?.status == 204)
        while !lines.contains(where: { $0.contains("DeleteObject") }) {
            lines.append(try #require(follower.readLine(), "\(lines)"))
        }
        follower.send(SIGINT)
        #expect(try follower.wait().end == .signal(SIGINT))
    }

    @Test func `print the journal as text and as lines of JSON`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        #expect(try server.connect().send("PUT", "photos/seen", body: [1, 2])?.status == 200)
        #expect(try shoal(["journal"], server).output.contains("PutObject"))
        let lines = try shoal(["journal", "--format", "ndjson"], server).output.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    }

    @Test func `seed a folder through the S3 API`() throws {
        let folder = TemporaryFolder()
        let large = [UInt8](repeating: 9, count: 300_000)
        try folder.write(Array("hello".utf8), to: "texts/deep/a b.txt")
        try folder.write(large, to: "images/large.png")
        let server = try ServerProcess(["--ephemeral"])
        for _ in 1...2 {
            let result = try shoal(["seed", folder.path], server)
            #expect(result.end == .code(0), "\(result)")
            #expect(result.errors.contains("2 objects in 2 buckets"), "\(result)")
        }
        let text = try #require(try server.connect().send("GET", "texts/deep/a b.txt"))
        #expect(text.text == "hello" && text["Content-Type"]?.hasPrefix("text/plain") == true)
        let image = try #require(try server.connect().send("GET", "images/large.png"))
        #expect(image.body.isSame(as: large) && image["Content-Type"] == "image/png")
    }

    @Test func `go back to the start state with reset`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let client = server.connect()
        #expect(try client.send("PUT", "photos/a", body: [1])?.status == 200)
        #expect(try client.send("PUT", "further")?.status == 200)
        #expect(try shoal(["fault", "add", "GetObject @auth SlowDown"], server).end == .code(0))
        #expect(try shoal(["clock", "+1h"], server).end == .code(0))
        #expect(try shoal(["reset"], server).end == .code(0))
        let fresh = server.connect()
        #expect(try fresh.send("GET", "photos/a")?.status == 404)
        #expect(try fresh.send("HEAD", "photos")?.status == 200)
        #expect(try fresh.send("HEAD", "further")?.status == 404)
        #expect(try shoal(["fault", "ls"], server).output == "")
        #expect(try !shoal(["clock"], server).output.contains("ahead"))
    }

    @Test(
        arguments: [
            (["--version"], 0), (["serve", "--help"], 0), ([], 2), (["swim"], 2), (["serve", "--no-such-flag"], 2),
            (["presign", "get", "no-key"], 2), (["health", "--endpoint", "http://127.0.0.1:1"], 1),
            (["clock", "--endpoint", "http://127.0.0.1:1"], 4),
            (["fsck", "/no/such/folder"], 4),
        ] as [([String], Int32)])
    func `end with the exit code of the contract`(words: [String], code: Int32) throws {
        let result = try ShoalCommand.run(words)
        #expect(result.end == .code(code), "\(words): \(result)")
        #expect(code == 0 || !result.errors.isEmpty)
    }
}

@Suite struct `shoal fsck` {
    @Test func `finds what is missing and what is unknown, and else exits with 0`() throws {
        let folder = TemporaryFolder()
        let server = try ServerProcess(["--data", folder.path, "--bucket", "photos"])
        let large = [UInt8](repeating: 3, count: 400_000)
        #expect(try server.connect().send("PUT", "photos/large", body: large[...])?.status == 200)
        #expect(try ShoalCommand.run(["fsck", folder.path]).end == .code(4), "the server has it")
        #expect(try server.stop() == .code(0))

        let clean = try ShoalCommand.run(["fsck", folder.path, "--content"])
        #expect(clean.end == .code(0), "\(clean)")
        #expect(clean.output == "1 objects of 390.6 KiB: 0 acknowledged but missing, 0 stored but unknown, 0 altered\n")

        let blob = try #require(Self.blob(in: folder.path))
        try File.write([UInt8](repeating: 4, count: large.count), to: blob)
        let altered = try ShoalCommand.run(["fsck", folder.path, "--content"])
        #expect(altered.end == .code(1) && altered.output.hasSuffix(" 1 altered\n"), "\(altered)")
        #expect(try ShoalCommand.run(["fsck", folder.path]).end == .code(0), "contents are read only when asked")

        unlink(blob)
        try folder.write([1], to: "staging/left-behind")
        let broken = try ShoalCommand.run(["fsck", folder.path])
        #expect(broken.end == .code(1))
        #expect(broken.output.hasSuffix(": 1 acknowledged but missing, 1 stored but unknown\n"), "\(broken)")
        #expect(broken.output.contains("photos/large"), "\(broken)")
        #expect(broken.output.contains("staging/left-behind"), "\(broken)")
    }

    private static func blob(in data: String) -> String? {
        for name in File.names(in: data + "/blobs") {
            let path = "\(data)/blobs/\(name)"
            if let file = File.names(in: path).first { return path + "/" + file }
        }
        return nil
    }
}

@Suite struct `A completion script` {
    @Test(.disabled(if: Tools.isMissing("bash"), "bash is not installed"))
    func `is valid bash and completes a subcommand`() throws {
        let script = try ShoalCommand.run(["completion", "bash"]).outputBytes
        let checked = try CommandResult.of("bash", ["-n"], input: script)
        #expect(checked.succeeded && checked.errors.isEmpty, "\(checked)")
        let asked = Array(
            "\nCOMP_WORDS=(shoal pre) COMP_CWORD=1; $(complete -p shoal | sed 's/.*-F \\([^ ]*\\).*/\\1/'); echo \"${COMPREPLY[*]}\"\n"
                .utf8)
        let completed = try CommandResult.of("bash", ["--norc"], input: script + asked)
        #expect(completed.output.contains("presign"), "\(completed)")
    }

    @Test(.disabled(if: Tools.isMissing("zsh"), "zsh is not installed"))
    func `is valid zsh`() throws {
        let script = try ShoalCommand.run(["completion", "zsh"]).outputBytes
        let checked = try CommandResult.of("zsh", ["-n"], input: script)
        #expect(checked.succeeded && checked.errors.isEmpty, "\(checked)")
    }
}
