import Glibc
import ShoalProcess
import Testing

@Suite(.disabled(if: Tools.isMissing("curl"), "curl is not installed")) struct `shoal sweep` {
    private static let lostAnswer = ["--only", "PutObject @commit.after", "--actions", "reset"]

    @Test func `finds a client that tries again green, and writes its reports`() throws {
        let client = try SweepClient(.good)
        let files = ["html", "junit", "json"].map { ["--\($0)", "\(client.folder.path)/sweep.\($0)"] }
        let result = try client.sweep(
            ["--points", "auth,body.end,commit.after", "--actions", "reset,SlowDown"] + files.flatMap { $0 })
        #expect(result.end == .code(0), "\(result)")
        let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.contains(["auth", "✓", "–", "✓", "–"]), "\(result)")
        #expect(rows.contains(["commit.after", "2", "–", "2", "–"]), "\(result)")
        #expect(result.output.hasSuffix("12 runs: 12 green\n"), "\(result)")
        #expect(result.errors.contains("12/12"), "\(result)")
        for (file, word) in zip(files, ["<!doctype html>", "<testsuites", #"{"shoal":1"#]) {
            #expect(try File.text(file[1]).contains(word))
        }
    }

    @Test func `finds a client that lies red, with the rule that shows it again`() throws {
        let result = try SweepClient(.liar).sweep(["--points", "body.end,commit.after", "--actions", "reset"])
        #expect(result.end == .code(1), "\(result)")
        // The same to the client, and opposite truths.
        let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.contains(["body.end", "L", "L"]) && rows.contains(["commit.after", "✓", "✓"]), "\(result)")
        #expect(result.output.contains("lied: exit code 0, and sweep/photo.jpg is missing"), "\(result)")
        #expect(
            result.output.contains("again: shoal fault add 'PutObject @body.end 1*reset connection=fresh per=rule'"),
            "\(result)")
        #expect(result.output.contains("Recv failure"), "\(result)")
    }

    @Test func `finds a client that stores twice red`() throws {
        let result = try SweepClient(.duplicating).sweep(Self.lostAnswer + ["--attempts", "first"])
        #expect(result.end == .code(1), "\(result)")
        #expect(result.output.contains("duplicated: sweep/photo-2.jpg is there in addition"), "\(result)")
    }

    @Test func `kills a client that hangs, with everything that it started`() throws {
        let client = try SweepClient(.patient)
        let result = try client.sweep(["--only", "@auth", "--actions", "hang", "--timeout", "6s"])
        #expect(result.end == .code(1), "\(result)")
        #expect(result.output.contains("hung: still ran after 6 seconds and was killed"), "\(result)")
        // Its curl, which the shell had started, has the photo's path among its words.
        let left = File.names(in: "/proc").filter { name in
            // A process may end while it is looked at.
            UInt(name) != nil && ((try? File.text("/proc/\(name)/cmdline"))?.contains(client.folder.path) ?? false)
        }
        #expect(left.isEmpty, "\(left)")
    }

    @Test func `finds a client that crashes red`() throws {
        let result = try SweepClient(.crashing).sweep(Self.lostAnswer)
        #expect(result.end == .code(1), "\(result)")
        #expect(result.output.contains("crashed: was ended by signal 11"), "\(result)")
    }

    @Test func `shows what a client does silently on a reused connection`() throws {
        let result = try SweepClient(.reusing).sweep(
            ["--only", "PutObject @commit.after", "--actions", "close", "--attempts", "first"])
        let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        // curl reports the loss on a fresh connection, and sends again by itself on a reused one.
        #expect(rows.contains(["commit.after", "~", "2"]), "\(result)")
        #expect(result.end == .code(0), "\(result)")
    }

    @Test func `is strict with those that must survive`() throws {
        let words = Self.lostAnswer + ["--attempts", "first"]
        #expect(try SweepClient(.reusing).sweep(words).end == .code(0))
        #expect(try SweepClient(.reusing).sweep(words + ["--must-survive"]).end == .code(1))
    }

    @Test func `asks checks of one's own`() throws {
        let words = Self.lostAnswer + ["--attempts", "first"]
        let result = try SweepClient(.good).sweep(words + ["--checks", "one-commit"])
        #expect(result.end == .code(1), "\(result)")
        #expect(result.output.contains("broke-check: one-commit: sweep/photo.jpg was committed 2 times"), "\(result)")
        let before = try SweepClient(.good).sweep(words + ["--checks", "attempts min=2"])
        #expect(before.end == .code(1), "\(before)")
        #expect(before.errors.contains("without any fault the check 'attempts min=2' does not hold"), "\(before)")
    }

    @Test func `goes through rules of one's own, and through a part of a plan`() throws {
        let client = try SweepClient(.good)
        let rules = try client.folder.write(
            Array("# two\nPutObject *.jpg @auth 1*SlowDown\nGetObject @auth reset\n".utf8), to: "rules")
        let result = try client.sweep(["--rules", rules])
        #expect(result.end == .code(0), "\(result)")
        #expect(result.output.hasSuffix("2 runs: 1 green, 1 grey\n"), "\(result)")
        let list = try client.sweep(Self.lostAnswer + ["--list"])
        #expect(
            list.output == """
                3\tPutObject @commit.after 1*reset connection=fresh per=rule
                4\tPutObject @commit.after reset

                """, "\(list)")
    }

    @Test func `works in scopes of a running server, and leaves none behind`() throws {
        let server = try ServerProcess(["--ephemeral"])
        let result = try SweepClient(.good).sweep(Self.lostAnswer + ["--endpoint", server.endpoint])
        #expect(result.end == .code(0), "\(result)")
        let scopes = try ShoalCommand.run(["scope", "ls", "--endpoint", server.endpoint]).output
        #expect(scopes.split(separator: "\n").count == 1 && scopes.hasPrefix("default"), "\(scopes)")
    }

    @Test func `draws the same chances from the same seed`() throws {
        // One attempt: a further one has another link if it comes in another second, and with it another chance.
        let client = try SweepClient(.patient)
        let rules = try client.folder.write(
            Array((1...6).map { "PutObject @auth 50%SlowDown id=r\($0)\n" }.joined().utf8), to: "rules")
        func outcomes(_ seed: String) throws -> [Substring] {
            let result = try client.sweep(["--rules", rules, "--rng-seed", seed])
            #expect(result.output.contains("--rng-seed \(seed)"), "\(result)")
            return result.errors.split(separator: "\n")
        }
        let first = try outcomes("7")
        #expect(first.count == 6)
        let again = try outcomes("7")
        #expect(again == first)
    }

    @Test func `stops at Ctrl-C, tells what it has and takes its scopes with it`() throws {
        let server = try ServerProcess(["--ephemeral"])
        let client = try SweepClient(.patient)
        let child = try client.start(
            ["--only", "@auth", "--actions", "SlowDown,hang", "--jobs", "1", "--endpoint", server.endpoint])
        // Two runs come before the one that hangs.
        var line = child.readLine()
        while let said = line, !said.contains("2/3") { line = child.readLine() }
        #expect(line != nil)
        child.send(SIGINT)
        let (end, output) = try child.wait()
        let text = String(decoding: output, as: UTF8.self)
        #expect(
            end == .code(1) && text.contains("stopping") && text.hasSuffix("2 of 3 runs: 1 green, 1 yellow\n"),
            "\(text)")
        let scopes = try ShoalCommand.run(["scope", "ls", "--endpoint", server.endpoint]).output
        #expect(scopes.split(separator: "\n").count == 1, "\(scopes)")
    }

    @Test func `stops at the first red run if it is told to`() throws {
        let result = try SweepClient(.liar).sweep(
            ["--points", "auth", "--actions", "reset,close", "--jobs", "1", "--fail-fast"])
        #expect(result.end == .code(1), "\(result)")
        #expect(result.output.hasSuffix("1 of 4 runs: 1 red\n"), "\(result)")
    }

    // MARK: Calls that cannot work

    @Test func `says what a command that fails without faults said`() throws {
        let result = try SweepClient(.broken).sweep([])
        #expect(result.end == .code(1), "\(result)")
        #expect(
            result.errors.hasPrefix("shoal: run 1, without any fault, ended with exit code 7:\nno such photo\n"),
            "\(result)")
    }

    @Test func `says that nothing was struck`() throws {
        let idle = try SweepClient(.idle).sweep([])
        #expect(idle.end == .code(3) && idle.errors.contains("AWS_ENDPOINT_URL"), "\(idle)")
        let other = try SweepClient(.good).sweep(["--only", "GetObject"])
        #expect(other.end == .code(3) && other.errors.contains("the command's requests are PutObject"), "\(other)")
    }

    @Test(arguments: [
        ([], "COMMAND is missing"), (["--actions", "rset", "--", "true"], "reset"),
        (["--points", "comit.after", "--", "true"], "commit.after"),
        (["--only", "PutObjekt", "--", "true"], "PutObject"),
        (["--attempts", "frist", "--", "true"], "first"), (["--checks", "one-comit", "--", "true"], "one-commit"),
        (["--jobs", "0", "--", "true"], "1 to 256"), (["--timeout", "1ms", "--", "true"], "100ms"),
        (["--rules", "/no/such/file", "--", "true"], "No such file"),
        (["--html", "/no/such/folder/a.html", "--", "true"], "cannot be written"),
        (["--", "/no/such/program"], "cannot be run"),
        (["--bucket", "A", "--", "true"], "no bucket name"),
    ])
    func `refuses what it does not understand`(words: [String], hint: String) throws {
        let result = try ShoalCommand.run(["sweep"] + words)
        #expect(result.end == .code(2), "\(result)")
        #expect(result.errors.contains(hint), "\(result)")
    }
}
