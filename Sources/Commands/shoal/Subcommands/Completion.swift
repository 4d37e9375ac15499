/// `shoal completion`: prints the script that a shell completes commands and flags with.
struct Completion: Subcommand {
    static let declaration = CommandDeclaration(
        ["completion"], "print a completion script for a shell",
        operands: [Operand("SHELL", "bash or zsh", kind: .choice(["bash", "zsh"]))],
        examples: [
            .init("source <(shoal completion bash)", "in ~/.bashrc"),
            .init("shoal completion zsh > \"${fpath[1]}/_shoal\"", "once, for zsh"),
        ])

    let shell: String

    init(_ arguments: ParsedArguments) { shell = arguments.operand(0) ?? "" }

    func run(on terminal: Terminal) -> ExitCode {
        terminal.write(shell == "zsh" ? ZshCompletion.script() : BashCompletion.script())
        return .done
    }
}
