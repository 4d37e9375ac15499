import ShoalAdminAPI
import ShoalHTTPClient

/// The flags with which every command finds the running server.
enum ServerOptions {
    static let endpoint = OptionDeclaration(
        "endpoint", .text("URL"), "where the server is", usual: "http://127.0.0.1:9000")
    static let adminEndpoint = OptionDeclaration(
        "admin-endpoint", .text("URL"), "where its admin API is, if `serve --admin-listen` moved it")
    static let adminToken = OptionDeclaration(
        "admin-token", .text("TOKEN"), "the token of `serve --admin-token`", isSecret: true)
    static let adminTokenFile = OptionDeclaration("admin-token-file", .file, "a file that holds the token")
    static let cacert = OptionDeclaration(
        "cacert", .file, "the certificate to trust of a server with `--tls`", variable: "SHOAL_CA_BUNDLE",
        otherVariable: "AWS_CA_BUNDLE")
    static let scope = OptionDeclaration(
        "scope", .text("NAME"), "the isolated world it is about, as `shoal scope new` makes them",
        usual: AdminPath.defaultScope)

    static let admin = [endpoint, adminEndpoint, adminToken, adminTokenFile, cacert]
    static let scoped = admin + [scope]

    /// A client that trusts what `--cacert` says.
    static func client(_ arguments: ParsedArguments) throws -> HTTPClient {
        try HTTPClient(trusting: arguments.value(cacert).map { .file($0) } ?? .system)
    }
}
