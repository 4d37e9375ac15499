import ShoalAdminAPI
import ShoalJSON

/// `shoal credentials`: asks the server for a key pair that expires.
struct Credentials: Subcommand {
    static let expires = OptionDeclaration(
        "expires", .text("TIME"), "how long they are good by the server's clock: 1s to 36h", usual: "1h", twin: false)
    static let issuer = OptionDeclaration(
        "access-key", .text("ID"), "the permanent access key they speak for; that of the server's first account",
        twin: false)
    static let env = OptionDeclaration("env", .none, "print lines for `eval` in a shell, as without it", twin: false)
    static let json = OptionDeclaration(
        "json", .none, "print JSON, as `credential_process` in an AWS profile wants it", twin: false)

    static let declaration = CommandDeclaration(
        ["credentials"], "make temporary credentials: access key, secret and session token",
        discussion: """
            `shoal clock +37h` lets any of them expire at once. A new secret of the permanent key ends them too; a restart does not.
            """,
        options: [expires, issuer, env, json] + ServerOptions.scoped,
        examples: [
            .init(#"eval "$(shoal credentials --expires 15m)""#, "every AWS SDK in this shell uses them"),
            .init("shoal credentials --json", "for a profile with `credential_process`"),
        ])

    let request: TemporaryKeysRequest
    let isJSONWanted: Bool
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        let milliseconds = try arguments.duration(Self.expires) ?? 0
        let range = 1...Int64(TemporaryKeysRequest.expiresInMax)
        guard milliseconds % 1_000 == 0, range.contains(milliseconds / 1_000) else {
            throw UsageError(
                "--expires takes whole seconds from 1s to 36h, not '\(arguments.value(Self.expires) ?? "")'")
        }
        request = TemporaryKeysRequest(
            expiresIn: Int(milliseconds / 1_000), accessKey: arguments.value(Self.issuer))
        isJSONWanted = arguments.isOn(Self.json)
        guard !isJSONWanted || !arguments.isOn(Self.env) else { throw UsageError("give either --env or --json") }
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let client = try AdminClient(arguments)
        let body = try client.send("POST", AdminPath.credentials(client.scope), body: request.bytes)
        let keys = try TemporaryKeys(decoding: body)
        terminal.print(isJSONWanted ? Self.json(of: keys) : Self.lines(of: keys))
        return .done
    }

    /// What a POSIX shell evaluates.
    static func lines(of keys: TemporaryKeys) -> String {
        [
            ("AWS_ACCESS_KEY_ID", keys.accessKeyId), ("AWS_SECRET_ACCESS_KEY", keys.secretAccessKey),
            ("AWS_SESSION_TOKEN", keys.sessionToken),
        ].map { "export \($0.0)=\(CurlCommand.quoted($0.1))" }.joined(separator: "\n")
    }

    /// https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html
    static func json(of keys: TemporaryKeys) -> String {
        let document: JSON = [
            "Version": 1, "AccessKeyId": .string(keys.accessKeyId), "SecretAccessKey": .string(keys.secretAccessKey),
            "SessionToken": .string(keys.sessionToken), "Expiration": .string(keys.expiration),
        ]
        return document.text
    }
}
