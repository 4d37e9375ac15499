import ShoalServer
import ShoalSigV4

/// The key pair that the server accepts and that `presign` signs with: the same flags, variables and defaults.
enum CredentialOptions {
    static let accessKey = OptionDeclaration(
        "access-key", .text("ID"), "the access key id", usual: ServeOptions.usualAccessKey)
    static let secretKey = OptionDeclaration(
        "secret-key", .text("SECRET"), "its secret", usual: ServeOptions.usualSecretKey, isSecret: true)
    static let secretKeyFile = OptionDeclaration("secret-key-file", .file, "a file that holds the secret")

    static let sessionToken = OptionDeclaration(
        "session-token", .text("TOKEN"), "the token of temporary credentials", isSecret: true)

    static let all = [accessKey, secretKey, secretKeyFile]

    static func secretKey(_ arguments: ParsedArguments) throws(UsageError) -> String {
        try SecretOptions.secret(secretKey, orFile: secretKeyFile, in: arguments) ?? ServeOptions.usualSecretKey
    }

    static func presigner(
        _ arguments: ParsedArguments, region: OptionDeclaration
    ) throws(UsageError) -> Presigner {
        Presigner(
            accessKeyId: arguments.value(accessKey) ?? ServeOptions.usualAccessKey,
            secret: try secretKey(arguments).utf8, sessionToken: arguments.value(sessionToken),
            region: arguments.value(region) ?? "")
    }

    /// The same, with the temporary credentials of the environment where nothing else says whose key it is.
    static func presignerOfSession(
        _ arguments: ParsedArguments, region: OptionDeclaration
    ) throws(UsageError) -> Presigner {
        let isGiven = (all + [sessionToken]).contains { arguments.values[$0.name] != nil }
        guard !isGiven, let session = arguments.session else { return try presigner(arguments, region: region) }
        return Presigner(
            accessKeyId: session.accessKey, secret: session.secretKey.utf8, sessionToken: session.sessionToken,
            region: arguments.value(region) ?? "")
    }
}
