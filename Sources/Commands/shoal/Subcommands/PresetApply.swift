import ShoalAdminAPI
import ShoalFaults

/// `shoal preset apply`: puts the rules of a scene in force.
struct PresetApply: Subcommand {
    static let json = OptionDeclaration("json", .none, "print what is in force as JSON", twin: false)

    static let declaration = CommandDeclaration(
        ["preset", "apply"], "put the rules of a scene in force, and say what to ask afterwards",
        discussion: """
            A scene that is applied again takes the place of its own rules. `shoal fault clear` takes them away; a scene that \
            changes the clock says how to put it right.
            """,
        operands: [PresetArguments.name, PresetArguments.parameters],
        options: [PresetArguments.times, PresetArguments.key, json] + ServerOptions.scoped,
        examples: [
            .init(
                "shoal preset apply lost-answer --times 2 --key 'photos/*'",
                "each upload of a key below photos/ is stored, but its answer is lost twice"),
            .init("shoal preset apply tunnel-mid-upload wait=2s at=1MiB", "a short tunnel behind the first mebibyte"),
        ])

    let scene: PresetScene
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        scene = try PresetArguments.scene(arguments)
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        let answer = try client.send(
            "POST", AdminPath.preset(client.scope, name: scene.preset.name),
            body: PresetParameters(scene.unusualValues).bytes)
        let applied = try AppliedPreset(decoding: answer)
        if arguments.isOn(Self.json) {
            terminal.print(applied.json.text)
        } else {
            let scope = arguments.given.contains(ServerOptions.scope.name) ? client.scope : nil
            for line in lines(of: applied, scope: scope) { terminal.print(line) }
        }
        return .done
    }

    /// What is in force, and the commands to give, in their order.
    func lines(of applied: AppliedPreset, scope: String?) -> [String] {
        let suffix = scope.map { " --scope " + CurlCommand.quoted($0) } ?? ""
        let parameters = scene.unusualValues.map { " \($0.name)=" + CurlCommand.quoted($0.value) }.joined()
        var lines = applied.rules.map { Table.printable($0.id) + "\t" + Table.printable($0.line) }
        if let clock = applied.clock { lines.append("the clock is at \(clock.now) (\(clock.offset))") }
        lines.append("the app should \(applied.advice)")
        lines += applied.meanwhile.map { "meanwhile:  \($0)\(suffix)" }
        lines.append("afterwards: shoal verify --preset \(applied.preset)\(parameters)\(suffix)")
        return lines + applied.afterwards.map { "            \($0)\(suffix)" }
    }
}
