import ShoalAdminAPI
import ShoalFaults

/// `shoal preset ls`: the scenes there are. They are part of the program; no server is asked.
struct PresetListing: Subcommand {
    static let json = OptionDeclaration("json", .none, "print them as JSON, with parameters and texts", twin: false)

    static let declaration = CommandDeclaration(
        ["preset", "ls"], "list the scenes, and what an app should do in each", options: [json],
        examples: [.init("shoal preset ls", "a line for each")])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        if arguments.isOn(Self.json) {
            terminal.print(try PresetList(Preset.all).json.text)
        } else {
            terminal.write(Self.table.text(forTerminal: terminal.outputIsTerminal))
        }
        return .done
    }

    static var table: Table {
        var table = Table([.init("PRESET"), .init("THE APP SHOULD")])
        for preset in Preset.all { table.add([preset.name, preset.advice]) }
        return table
    }
}

/// `shoal preset show`: a scene as a file of rules.
struct PresetShow: Subcommand {
    static let declaration = CommandDeclaration(
        ["preset", "show"], "print a scene as a file of rules, to read or to copy",
        operands: [PresetArguments.name, PresetArguments.parameters],
        options: [PresetArguments.times, PresetArguments.key],
        examples: [
            .init("shoal preset show lost-answer", "what it is, its parameters, its rules and its checks"),
            .init(
                "shoal preset show lost-answer --times 2 > my.shoal; shoal fault add --file my.shoal",
                "a scene of your own, from this one"),
        ])

    let scene: PresetScene

    init(_ arguments: ParsedArguments) throws { scene = try PresetArguments.scene(arguments) }

    func run(on terminal: Terminal) throws -> ExitCode {
        terminal.write(scene.text)
        return .done
    }
}
