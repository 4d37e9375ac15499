import ShoalFaults

/// The arguments of one subcommand, told apart but not yet understood.
struct ParsedArguments: Sendable {
    let operands: [String]
    /// By the option's name: what the command line gave, else what the environment gave.
    let values: [String: [String]]
    /// Names of the options that stood on the command line itself.
    let given: Set<String>
    /// Temporary credentials in the environment.
    var session: SessionEnvironment?

    /// Whether a switch is on.
    func isOn(_ option: OptionDeclaration) -> Bool { values[option.name] != nil }

    /// The value, or the option's usual one.
    func value(_ option: OptionDeclaration) -> String? { values[option.name]?.last ?? option.usual }

    /// Every value of a repeating option, or its usual one.
    func values(_ option: OptionDeclaration) -> [String] { values[option.name] ?? option.usual.map { [$0] } ?? [] }

    func operand(_ index: Int) -> String? { operands.indices.contains(index) ? operands[index] : nil }

    /// A whole number within `range`.
    func integer<Number: FixedWidthInteger & Sendable>(
        _ option: OptionDeclaration, in range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        guard let text = value(option) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw UsageError(
                "--\(option.name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// A length of time in milliseconds; a bare number means seconds.
    func duration(_ option: OptionDeclaration) throws(UsageError) -> Int64? {
        guard let text = value(option) else { return nil }
        let seconds = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let milliseconds = DurationText.milliseconds(seconds ? text + "s" : text) else {
            throw UsageError("--\(option.name) takes a length of time such as 90s, 20m or 1h30m, not '\(text)'")
        }
        return milliseconds
    }

    /// A member of a String enum by its raw value.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: OptionDeclaration, as: Choice.Type
    ) throws(UsageError) -> Choice? where Choice.RawValue == String {
        guard let text = value(option) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        throw .unknown("value of --\(option.name)", text, among: Choice.allCases.map(\.rawValue))
    }
}

/// A call that was not understood: exit code 2. The text says what to write instead.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// `there is no KIND 'NAME'; did you mean …?`
    static func unknown(_ kind: String, _ name: String, among names: [String]) -> UsageError {
        let hint = NearestName.of(name, among: names).map { "; did you mean '\($0)'?" } ?? ""
        return UsageError("there is no \(kind) '\(name)'\(hint)")
    }
}
