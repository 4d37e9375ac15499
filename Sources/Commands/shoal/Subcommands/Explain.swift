import ShoalAdminAPI

/// `shoal explain`: asks the server whether it would accept a request now, and what would have to change.
struct Explain: Subcommand {
    static let method = OptionDeclaration(
        "method", letter: "X", .text("METHOD"), "the method it is sent with", usual: "GET", twin: false)
    static let header = OptionDeclaration(
        "header", letter: "H", .text("'NAME: VALUE'"), "a header it is sent with", repeats: true, twin: false)
    static let json = OptionDeclaration("json", .none, "print the server's answer as JSON", twin: false)

    static let declaration = CommandDeclaration(
        ["explain"], "tell why a request is refused, and what to change",
        discussion:
            "Exit code 0 means that it would be accepted now, 1 that it would not. `-` reads the URL from standard input.",
        operands: [Operand("URL", "the presigned URL, in quotes; - for standard input")],
        options: [method, header, json] + ServerOptions.admin,
        examples: [
            .init(
                "shoal explain --method PUT -H 'Content-Type: image/png' 'http://127.0.0.1:9000/photos/a.jpg?X-Amz-…'",
                "says, for instance, that image/jpeg was signed"),
            .init(
                "shoal presign get photos/a.jpg --defect expired | shoal explain -", "says for how long it has expired"),
        ])

    let url: String
    let methodName: String
    let headers: [(name: String, value: String)]
    let isJSONWanted: Bool
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        url = arguments.operand(0) ?? ""
        methodName = (arguments.value(Self.method) ?? "GET").uppercased()
        isJSONWanted = arguments.isOn(Self.json)
        var headers: [(name: String, value: String)] = []
        for text in arguments.values(Self.header) {
            let header = try HeaderText.pair(text)
            guard !headers.contains(where: { $0.name.lowercased() == header.name.lowercased() }) else {
                throw UsageError("the header '\(header.name)' is given twice")
            }
            headers.append(header)
        }
        self.headers = headers
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let url = url == "-" ? readLine() ?? "" : url
        guard url.contains("://") else { throw UsageError("explain takes a whole URL, with http:// in front") }
        let request = ExplainRequest(method: methodName, url: url, headers: headers)
        let body = try AdminClient(arguments).send("POST", AdminPath.explain, body: request.bytes)
        let answer = try ExplainResponse(decoding: body)
        if isJSONWanted {
            terminal.print(answer.json.text)
        } else {
            terminal.write(Self.text(of: answer))
        }
        return answer.verdict == .refused ? .checkFailed : .done
    }

    static func text(of answer: ExplainResponse) -> String {
        var lines = ["\(answer.verdict.rawValue): \(answer.summary)"]
        if let code = answer.code {
            let status = answer.status.map { "\($0) " } ?? ""
            lines.append("  S3 would say: \(status)\(code)\(answer.message.map { ": \($0)" } ?? "")")
        }
        for finding in answer.findings {
            lines.append("  - \(finding.text)")
            if let fix = finding.fix { lines.append("    fix: \(fix)") }
        }
        return lines.map { Table.printable($0) + "\n" }.joined()
    }
}
