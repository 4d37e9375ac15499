import ShoalAdminAPI

/// `shoal ca`: what clients have to trust of a server with `--tls`.
struct AuthorityPrint: Subcommand {
    static let declaration = CommandDeclaration(
        ["ca"], "print the certificate that clients of a server with TLS have to trust",
        discussion: """
            From a server of this machine it is taken without asking who that is; of another machine copy the file that \
            `shoal serve --tls` names at its start.
            """,
        options: ServerOptions.admin,
        examples: [
            .init("shoal ca --endpoint https://127.0.0.1:9000 > ca.pem", "then: curl --cacert ca.pem …"),
            .init("export AWS_CA_BUNDLE=$PWD/ca.pem SHOAL_CA_BUNDLE=$PWD/ca.pem", "for SDKs, and for `shoal`"),
        ])

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    func run(on terminal: Terminal) throws -> ExitCode {
        // What a variable trusts need not be this server.
        let client = try AdminClient(arguments, trustsLoopback: !arguments.given.contains(ServerOptions.cacert.name))
        terminal.write(String(decoding: try client.send("GET", AdminPath.authority), as: UTF8.self))
        return .done
    }
}
