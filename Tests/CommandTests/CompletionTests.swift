import Glibc
import Testing

@testable import shoal

@Suite struct `Shell completion` {
    @Test(
        arguments: [
            (["shoal", "f"], ["fault", "fsck"]),
            (["shoal", "fault", ""], ["add", "ls", "export", "rm", "clear", "--help"]),
            (["shoal", "serve", "--dom"], ["--domain"]),
            (["shoal", "serve", "--profile", ""], ["strict", "lenient"]),
            (["shoal", "fault", "add", "--per", "k"], ["key"]),
            (["shoal", "presign", "p"], ["put"]),
            (["shoal", "preset", ""], ["ls", "show", "apply", "--help"]),
            (["shoal", "preset", "apply", "lost-"], ["lost-answer", "lost-answer-reused"]),
            (["shoal", "verify", "--preset", "bad"], ["bad-night"]),
            (["shoal", "completion", ""], ["bash", "zsh", "--help"]),
            (["shoal", "serve", "--listen", ""], []),
        ] as [([String], [String])])
    func `for bash offers what fits`(words: [String], expected: [String]) throws {
        let list = words.map(CurlCommand.quoted).joined(separator: " ")
        let script = try TemporaryFile(
            BashCompletion.script()
                + "COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _shoal; printf '%s\\n' \"${COMPREPLY[@]}\"\n")
        defer { withExtendedLifetime(script) {} }
        let offered = try output(of: "bash --norc \(script.path)")
        #expect(offered.split(separator: "\n").map(String.init) == expected)
    }

    @Test func `names every flag of every command, in both shells`() {
        let bash = BashCompletion.script()
        let zsh = ZshCompletion.script()
        for command in CommandTree.declarations {
            for option in command.options {
                #expect(bash.contains("--\(option.name) "), "bash: \(command.spelling) --\(option.name)")
                #expect(zsh.contains("--\(option.name)["), "zsh: \(command.spelling) --\(option.name)")
            }
        }
    }

    private func output(of command: String) throws -> String {
        guard let stream = popen(command, "r") else { throw SystemFailure(errno: errno) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        guard pclose(stream) == 0 else { throw SystemFailure(errno: EINVAL) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite struct `Help` {
    @Test func `shows every flag, variable and example of every command`() {
        for command in CommandTree.declarations {
            let text = HelpText.of(command)
            let words = text.split { " \n(),".contains($0) }.joined(separator: " ")
            #expect(text.contains(command.spelling))
            for option in command.options {
                #expect(text.contains("--\(option.name)"))
                #expect(option.variable.map { words.contains($0) } ?? true, "\(option.name) of \(command.spelling)")
            }
            for example in command.examples { #expect(text.contains(example.command)) }
            #expect(text.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
        }
    }

    @Test func `never prints a default secret`() {
        #expect(!HelpText.of(Serve.declaration).contains("shoal-secret"))
    }

    @Test func `gives an example for every command that does something`() {
        let without = CommandTree.declarations.filter(\.examples.isEmpty).map { $0.path.joined(separator: " ") }
        #expect(without == ["help", "version"])
    }

    @Test func `lists every command`() {
        let text = HelpText.overview(CommandTree.declarations, prefix: [], about: CommandTree.about)
        for command in CommandTree.declarations {
            #expect(text.contains("  \(command.path.joined(separator: " "))  "), "\(command.spelling)")
        }
    }
}
