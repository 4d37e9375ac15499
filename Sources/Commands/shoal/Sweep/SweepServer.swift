import Glibc
import ShoalLog
import ShoalServer

/// The server that a sweep runs against: one of its own that goes with it, or one that runs already.
struct SweepServer: Sendable {
    /// Where commands find S3, and the admin API.
    let endpoint: BaseURL
    private let arguments: ParsedArguments
    /// Nil for a server of somebody else.
    private let own: Server?

    /// Throws if none can be started. `seed` is what its chances are drawn from.
    init(_ arguments: ParsedArguments, seed: UInt64?) throws {
        self.arguments = arguments
        if let text = arguments.value(Sweep.endpoint) {
            endpoint = try BaseURL(text, in: "--\(Sweep.endpoint.name)")
            own = nil
            return
        }
        var options = ServeOptions()
        options.listen = ListenAddress(host: "127.0.0.1", port: 0)
        options.storage = .ephemeral
        options.rngSeed = seed
        let server = try Server(options, log: Log(level: .error))
        own = server
        endpoint = try BaseURL("http://127.0.0.1:\(server.port)", in: "the server")
    }

    /// Each for one thread.
    func client() throws -> AdminClient { own == nil ? try AdminClient(arguments) : try AdminClient(base: endpoint) }

    /// Ends a server of its own at once, with everything in it.
    func stop() { own?.stop(grace: .zero) }

    /// What a command of a run inherits: the environment of this process, and where the server is.
    var environment: [String: String] {
        var variables = Self.inherited
        // A profile would come before the keys that lead into the scope of a run.
        for name in ["AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN", "AWS_PROFILE", "SHOAL_ADMIN_ENDPOINT"] {
            variables[name] = nil
        }
        for name in ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "SHOAL_ENDPOINT"] {
            variables[name] = endpoint.description
        }
        for name in ["AWS_DEFAULT_REGION", "AWS_REGION"] { variables[name] = variables[name] ?? "us-east-1" }
        if let admin = arguments.value(ServerOptions.adminEndpoint) { variables["SHOAL_ADMIN_ENDPOINT"] = admin }
        if let bundle = arguments.value(ServerOptions.cacert) {
            for name in ["AWS_CA_BUNDLE", "SHOAL_CA_BUNDLE"] { variables[name] = bundle }
        }
        // The server is on this machine, past every proxy.
        for name in ["NO_PROXY", "no_proxy"] where own != nil {
            variables[name] = (variables[name].map { $0 + "," } ?? "") + "127.0.0.1"
        }
        return variables
    }

    private static var inherited: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return variables
    }
}
