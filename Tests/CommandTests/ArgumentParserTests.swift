import Testing

@testable import shoal

@Suite struct `The argument parser` {
    private static let command = CommandDeclaration(
        ["try"], "a command for tests", operands: [Operand("FIRST", ""), Operand("SECOND", "", isRequired: false)],
        options: [
            OptionDeclaration("listen", .text("ADDR"), "", usual: "here"),
            OptionDeclaration("bucket", letter: "b", .text("NAME"), "", repeats: true),
            OptionDeclaration("account", .text("A"), "", repeats: true, variableSeparator: ";"),
            OptionDeclaration("ephemeral", .none, ""),
            OptionDeclaration("log", .choice(["text", "json"]), ""),
            OptionDeclaration("json", .none, "", twin: false),
        ])

    private func parse(_ words: [String], _ environment: [String: String] = [:]) throws(UsageError) -> ParsedArguments {
        try ArgumentParser(command: Self.command, environment: environment).parse(words)
    }

    private func option(_ name: String) throws -> OptionDeclaration {
        try #require(Self.command.options.first { $0.name == name })
    }

    @Test func `takes flags in any order and either spelling`() throws {
        let parsed = try parse(["--listen=a=b", "one", "-b", "x", "--bucket", "y", "-bz", "--ephemeral", "two"])
        #expect(parsed.operands == ["one", "two"])
        #expect(try parsed.value(option("listen")) == "a=b")
        #expect(try parsed.values(option("bucket")) == ["x", "y", "z"])
        #expect(try parsed.isOn(option("ephemeral")))
        #expect(try !parsed.isOn(option("json")))
    }

    @Test func `lets a flag win over its variable, and both over the usual value`() throws {
        let listen = try option("listen")
        #expect(try parse(["one"]).value(listen) == "here")
        #expect(try parse(["one"], ["SHOAL_LISTEN": "there"]).value(listen) == "there")
        #expect(try parse(["one", "--listen", "flag"], ["SHOAL_LISTEN": "there"]).value(listen) == "flag")
        #expect(try parse(["one"], ["SHOAL_LISTEN": ""]).value(listen) == "here")
        let buckets = try option("bucket")
        #expect(try parse(["one", "--bucket", "c"], ["SHOAL_BUCKET": "a,b"]).values(buckets) == ["c"])
    }

    @Test func `splits a variable where the flag repeats`() throws {
        let environment = ["SHOAL_BUCKET": "a,b,,c", "SHOAL_ACCOUNT": "access=a,secret=b;access=c"]
        let parsed = try parse(["one"], environment)
        #expect(try parsed.values(option("bucket")) == ["a", "b", "c"])
        #expect(try parsed.values(option("account")) == ["access=a,secret=b", "access=c"])
    }

    @Test(arguments: [("1", true), ("true", true), ("ON", true), ("0", false), ("no", false), ("", false)])
    func `reads a switch from its variable`(text: String, isOn: Bool) throws {
        #expect(try parse(["one"], ["SHOAL_EPHEMERAL": text]).isOn(option("ephemeral")) == isOn)
    }

    @Test func `knows no variable for flags of one call`() throws {
        #expect(try !parse(["one"], ["SHOAL_JSON": "1"]).isOn(option("json")))
    }

    @Test func `takes signed lengths of time and what follows -- as operands`() throws {
        #expect(try parse(["-20m"]).operands == ["-20m"])
        #expect(try parse(["--", "--listen"]).operands == ["--listen"])
        #expect(try parse(["-"]).operands == ["-"])
    }

    @Test(arguments: [
        (["one", "--lisen", "x"], "there is no flag '--lisen'; did you mean '--listen'?"),
        (["one", "--ehpemeral"], "there is no flag '--ehpemeral'; did you mean '--ephemeral'?"),
        (["one", "--accont=1"], "there is no flag '--accont'; did you mean '--account'?"),
        (["one", "-x"], "there is no flag '-x'; `shoal try --help` lists them"),
        (["one", "--listen"], "--listen needs a value: ADDR"),
        (["one", "--listen", "a", "--listen", "b"], "--listen is given twice"),
        (["one", "--ephemeral=1"], "--ephemeral takes no value"),
        (["one", "--log", "jsn"], "there is no value of --log 'jsn'; did you mean 'json'?"),
        ([], "FIRST is missing; see `shoal try --help`"),
        (["one", "two", "three"], "'three' is one argument too many"),
    ])
    func `says what to write instead`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try parse(words) }
    }

    @Test(arguments: [
        (["SHOAL_EPHEMERAL": "maybe"], "SHOAL_EPHEMERAL is a switch: 1 or 0, not 'maybe'"),
        (["SHOAL_LOG": "tex"], "there is no value of SHOAL_LOG 'tex'; did you mean 'text'?"),
    ])
    func `names the variable that is wrong`(environment: [String: String], text: String) {
        #expect(throws: UsageError(text)) { try parse(["one"], environment) }
    }
}

@Suite struct `A command line` {
    @Test(arguments: [
        (["fault", "add", "x"], ["fault", "add"]), (["serve", "--listen", "x"], ["serve"]),
        (["help", "fault", "add"], ["help"]),
    ])
    func `leads to the subcommand with the longest path`(words: [String], path: [String]) throws {
        guard case .command(let type, _) = try CommandTree.find(words[...]) else {
            Issue.record("\(words) is a command")
            return
        }
        #expect(type.declaration.path == path)
    }

    @Test(arguments: [
        (["fautl"], "there is no command 'fautl'; did you mean 'fault'?"),
        (["fault", "list"], "there is no command 'list'; did you mean 'ls'?"),
        (["fault", "cler"], "there is no command 'cler'; did you mean 'clear'?"),
    ])
    func `that leads nowhere gets the nearest command`(words: [String], text: String) {
        #expect(throws: UsageError(text)) { try CommandTree.find(words[...]) }
    }

    @Test func `of a group alone leads to its list`() throws {
        guard case .group(["fault"], _) = try CommandTree.find(["fault"]) else {
            Issue.record("fault is a group")
            return
        }
    }
}
