import ShoalStore

/// `shoal fsck`: checks a data directory that no server uses.
struct Fsck: Subcommand {
    static let content = OptionDeclaration(
        "content", .none, "read every object and compare it with its ETag as well", twin: false)

    static let declaration = CommandDeclaration(
        ["fsck"], "check a data directory while no server uses it",
        discussion: "Exit code 1 if something is missing, unknown or altered. Nothing is changed.",
        operands: [Operand("DIR", "the directory of `serve --data`", kind: .directory)], options: [content],
        examples: [.init("shoal fsck shoal-data --content", "slow, and certain")])

    let directory: String
    let isContentWanted: Bool

    init(_ arguments: ParsedArguments) {
        directory = arguments.operand(0) ?? ""
        isContentWanted = arguments.isOn(Self.content)
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let report = FsckReport(try StoreCheck(directory: directory, verifyContent: isContentWanted))
        terminal.write(Self.text(of: report, contentChecked: isContentWanted))
        return report.isClean ? .done : .checkFailed
    }

    static func text(of report: FsckReport, contentChecked: Bool) -> String {
        let damage = contentChecked ? ", \(report.alteredCount) altered" : ""
        let summary =
            "\(report.objectCount) objects of \(ByteCountText.of(report.byteCount)): "
            + "\(report.missingCount) acknowledged but missing, \(report.unknownCount) stored but unknown\(damage)"
        var lines = report.items.map { "\($0.kind)\t\(Table.printable($0.name))" }
        let unlisted = report.missingCount + report.alteredCount + report.unknownCount - report.items.count
        if unlisted > 0 { lines.append("… and \(unlisted) more") }
        return (lines + [summary]).map { $0 + "\n" }.joined()
    }
}
