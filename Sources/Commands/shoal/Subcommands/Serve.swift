import ShoalS3
import ShoalServer

/// `shoal serve`: every flag becomes a field of `ServeOptions`.
struct Serve: Subcommand {
    let options: ServeOptions
    /// Whether it is started again when it is killed.
    let supervises: Bool

    init(_ arguments: ParsedArguments) throws {
        var options = ServeOptions()
        options.listen = try Self.address(Self.listen, in: arguments) ?? options.listen
        options.adminListen = try Self.address(Self.adminListen, in: arguments)
        options.storage = try Self.storage(arguments)
        options.buckets = try Self.buckets(arguments.values(Self.bucket))
        options.seedDirectory = arguments.value(Self.seed)
        options.accessKey = arguments.value(CredentialOptions.accessKey) ?? options.accessKey
        options.secretKey = Secret(try CredentialOptions.secretKey(arguments))
        options.accounts = try arguments.values(Self.account).map(AccountText.account)
        options.region = arguments.value(Self.region)
        options.publicURLs = try Self.publicURLs(arguments)
        options.domains = arguments.values(Self.domain)
        options.websiteDomains = arguments.values(Self.websiteDomain)
        options.newBuckets =
            try arguments.choice(Self.newBuckets, as: ServeOptions.NewBuckets.self) ?? options.newBuckets
        options.profile = try arguments.choice(Self.profile, as: ServeOptions.Profile.self) ?? options.profile
        options.durability =
            try arguments.choice(Self.durability, as: ServeOptions.Durability.self) ?? options.durability
        options.webhooks = try Self.webhooks(arguments)
        options.faultsFile = arguments.value(Self.faults)
        options.allowsRequestFaults = arguments.isOn(Self.allowRequestFaults)
        options.rngSeed = try Self.seed(arguments)
        options.adminToken = try SecretOptions.secret(
            Self.adminToken, orFile: ServerOptions.adminTokenFile, in: arguments
        ).map { Secret($0) }
        options.logFormat = try arguments.choice(Self.log, as: ServeOptions.LogFormat.self) ?? options.logFormat
        options.tls = try Self.tls(arguments)
        options.portFile = arguments.value(Self.portFile)
        try Self.check(options)
        self.options = options
        supervises = arguments.isOn(Self.supervise)
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        try DaemonStart.run(options, supervises: supervises, on: terminal)
    }

    private static func check(_ options: ServeOptions) throws(UsageError) {
        guard options.exposesAdminWithoutToken else { return }
        throw UsageError(
            """
            on \(options.adminListen ?? options.listen) the admin API would be open to other machines: \
            set --admin-token, or keep it here with --admin-listen 127.0.0.1:9001
            """)
    }

    private static func address(
        _ option: OptionDeclaration, in arguments: ParsedArguments
    ) throws(UsageError) -> ListenAddress? {
        guard let text = arguments.value(option) else { return nil }
        guard let address = ListenAddress(text) else {
            throw UsageError("--\(option.name) takes an address such as 127.0.0.1:9000 or [::1]:0, not '\(text)'")
        }
        return address
    }

    /// `--ephemeral` and `--data` exclude each other where they have the same weight; a flag beats a variable.
    private static func storage(_ arguments: ParsedArguments) throws(UsageError) -> ServeOptions.Storage {
        let directory = arguments.value(data) ?? ""
        guard arguments.isOn(ephemeral) else { return .directory(directory) }
        let dataGiven = arguments.given.contains(data.name)
        guard !dataGiven || !arguments.given.contains(ephemeral.name) else {
            throw UsageError("give either --data or --ephemeral")
        }
        return dataGiven ? .directory(directory) : .ephemeral
    }

    private static func tls(_ arguments: ParsedArguments) throws(UsageError) -> TLSOptions? {
        switch (arguments.value(tlsCertificate), arguments.value(tlsKey)) {
        case (nil, nil): return arguments.isOn(tls) ? .ownAuthority : nil
        case (let certificate?, let key?):
            let own = arguments.given.contains(tls.name)
            guard !own else { throw UsageError("give either --tls, or --tls-cert with --tls-key") }
            return .files(certificate: certificate, key: key)
        case (nil, _): throw UsageError("--tls-key wants its certificate as well: --tls-cert FILE")
        case (_, nil): throw UsageError("--tls-cert wants its key as well: --tls-key FILE")
        }
    }

    /// Each once, in their order.
    static func buckets(_ texts: [String]) throws(UsageError) -> [BucketName] {
        var names: [BucketName] = []
        for text in texts {
            guard let name = BucketName(text) else {
                throw UsageError("'\(text)' is no bucket name: S3 wants 3 to 63 of a-z, 0-9, '-' and '.'")
            }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The values stay out of the errors: a URL may hold a secret.
    private static func webhooks(_ arguments: ParsedArguments) throws(UsageError) -> [Webhook] {
        var webhooks: [Webhook] = []
        for text in arguments.values(webhook) {
            guard let webhook = Webhook(text) else {
                throw UsageError(
                    """
                    --\(webhook.name) takes NAME=URL, such as thumbs=http://127.0.0.1:8080/events: a name of 1 to \
                    \(Webhook.nameLengthMax) letters, digits, '-' and '_', and a URL of http or https with a host; write %40 for an '@' that is not \
                    in front of the host, and a number behind its ':'
                    """)
            }
            guard !webhooks.contains(where: { $0.name == webhook.name }) else {
                throw UsageError("--\(Self.webhook.name) declares '\(webhook.name)' twice")
            }
            webhooks.append(webhook)
        }
        guard webhooks.count <= Webhook.countMax else {
            throw UsageError("--\(webhook.name) may be given \(Webhook.countMax) times at most")
        }
        return webhooks
    }

    /// `random` is what happens without the option.
    static func seed(_ arguments: ParsedArguments) throws(UsageError) -> UInt64? {
        guard let text = arguments.value(rngSeed), text != "random" else { return nil }
        guard let seed = UInt64(text), seed <= ServeOptions.rngSeedMax else {
            throw UsageError(
                "--\(rngSeed.name) takes a whole number from 0 to \(ServeOptions.rngSeedMax) or random, not '\(text)'")
        }
        return seed
    }

    private static func publicURLs(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
        var urls: [String] = []
        for text in arguments.values(publicURL) {
            urls.append(try BaseURL(text, in: "--\(publicURL.name)").description)
        }
        return urls
    }
}
