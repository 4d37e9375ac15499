import ShoalFaults

/// How a preset and its parameters stand on a command line: `lost-answer --times 2 --key 'photos/*' wait=2s`.
enum PresetArguments {
    static let name = Operand(
        "PRESET", "as in `shoal preset ls`", kind: .word("PRESET", of: Preset.all.map(\.name)))
    static let parameters = Operand(
        "PARAM=VALUE", "as in `shoal preset show PRESET`", isRequired: false, repeats: true)

    static let times = OptionDeclaration(
        "times", .text("N"), "strike at most N times, as times=N", twin: false)
    static let key = OptionDeclaration(
        "key", .text("PATTERN"), "only keys that fit, as key=PATTERN", twin: false)

    /// The preset of the first operand, filled with the others and with the flags.
    static func scene(_ arguments: ParsedArguments) throws(UsageError) -> PresetScene {
        let flags = [times, key].compactMap { flag in arguments.value(flag).map { "\(flag.name)=\($0)" } }
        return try scene(arguments.operand(0) ?? "", flags + arguments.operands.dropFirst())
    }

    /// A preset with parameters as `name=value`. Throws with the nearest name.
    static func scene(_ name: String, _ words: [String]) throws(UsageError) -> PresetScene {
        var values: [(name: String, value: String)] = []
        for word in words {
            guard let equals = word.firstIndex(of: "=") else {
                throw UsageError("'\(word)' is no parameter, such as times=2; see `shoal preset show \(name)`")
            }
            values.append((String(word[..<equals]), String(word[word.index(after: equals)...])))
        }
        do throws(PresetError) {
            return try Preset.named(name).filled(with: values)
        } catch {
            throw UsageError(error.description)
        }
    }
}
