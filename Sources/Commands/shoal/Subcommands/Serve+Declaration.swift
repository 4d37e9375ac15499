import ShoalServer

extension Serve {
    static let listen = OptionDeclaration(
        "listen", .text("HOST:PORT"), "where to listen; port 0 lets the system choose", usual: "127.0.0.1:9000")
    static let data = OptionDeclaration("data", .directory, "where everything is kept", usual: "./shoal-data")
    static let ephemeral = OptionDeclaration(
        "ephemeral", .none, "keep everything in a temporary directory, removed at the end")
    static let bucket = OptionDeclaration(
        "bucket", .text("NAME"), "a bucket to make if it does not exist", repeats: true)
    static let seed = OptionDeclaration(
        "seed", .directory, "make each sub-folder a bucket and each file in it an object")
    static let region = OptionDeclaration(
        "region", .text("NAME"), "refuse signatures for any other region; without it every region is fine")
    static let publicURL = OptionDeclaration(
        "public-url", .text("URL"), "where clients reach this server, if not at --listen", repeats: true)
    static let domain = OptionDeclaration(
        "domain", .text("NAME"), "a host name whose sub-domains are buckets", repeats: true, usual: "s3.localhost")
    static let websiteDomain = OptionDeclaration(
        "website-domain", .text("NAME"), "a host name whose sub-domains are the websites of buckets", repeats: true,
        usual: "s3-website.localhost")
    static let profile = OptionDeclaration(
        "profile", .choice(ServeOptions.Profile.allCases.map(\.rawValue)),
        "refuse what S3 refuses, or accept it and write down what S3 would have said", usual: "strict")
    static let newBuckets = OptionDeclaration(
        "new-buckets", .choice(ServeOptions.NewBuckets.allCases.map(\.rawValue)),
        "closed to the public and without lists, as S3 makes them, or open to both, as it did before 2023",
        usual: "private")
    static let durability = OptionDeclaration(
        "durability", .choice(ServeOptions.Durability.allCases.map(\.rawValue)),
        "whether an acknowledged object survives the end of the process, or a power cut too", usual: "process")
    static let account = OptionDeclaration(
        "account", .text("access=A,secret=S,id=64HEX,name=NAME"), "a further account; in the variable, ';' separates",
        repeats: true, variableSeparator: ";", isSecret: true)
    static let webhook = OptionDeclaration(
        "webhook", .text("NAME=URL"),
        "where events for a queue, topic or function of that name go; in the variable, a blank separates",
        repeats: true, variableSeparator: " ", isSecret: true)
    static let faults = OptionDeclaration("faults", .file, "fault rules to start with, as JSON")
    static let allowRequestFaults = OptionDeclaration(
        "allow-request-faults", .none,
        "let a request bring faults along: in its header x-shoal-fault, or signed into its URL")
    static let rngSeed = OptionDeclaration(
        "rng-seed", .text("N"), "what chance is drawn from, to repeat a run",
        usual: "random")
    static let adminListen = OptionDeclaration(
        "admin-listen", .text("HOST:PORT"), "serve the admin API there instead of beside S3")
    static let adminToken = OptionDeclaration(
        "admin-token", .text("TOKEN"), "what the admin API's clients have to show", isSecret: true)
    static let supervise = OptionDeclaration(
        "supervise", .none, "start the server again when it is killed, as the fault `crash` does")
    static let tls = OptionDeclaration(
        "tls", .none, "speak TLS, with certificates of an authority of its own, which is made once and kept in --data")
    static let tlsCertificate = OptionDeclaration(
        "tls-cert", .file, "speak TLS with the certificate in this PEM file, and those behind it that lead to a root")
    static let tlsKey = OptionDeclaration("tls-key", .file, "the key of --tls-cert, in PEM and not encrypted")
    static let log = OptionDeclaration(
        "log", .choice(ServeOptions.LogFormat.allCases.map(\.rawValue)), "what log lines look like", usual: "text")
    static let portFile = OptionDeclaration("port-file", .file, "write the number of the port there once it is open")

    static let declaration = CommandDeclaration(
        ["serve"], "run the server",
        discussion: """
            The first line on standard output is `shoal: listening on URL`, as soon as requests are accepted. \
            SIGTERM and SIGINT finish what is in flight for up to ten seconds.
            """,
        options: [listen, data, ephemeral, bucket, seed] + CredentialOptions.all + [
            account, region, publicURL, domain, websiteDomain, profile, newBuckets, durability, webhook, faults,
            allowRequestFaults,
            rngSeed, adminListen,
            adminToken, ServerOptions.adminTokenFile, tls, tlsCertificate, tlsKey, log, portFile, supervise,
        ],
        examples: [
            .init("shoal serve --bucket photos", "on http://127.0.0.1:9000, kept in ./shoal-data"),
            .init("shoal serve --ephemeral --listen 127.0.0.1:0 --port-file port", "for a test, on a free port"),
            .init(
                "shoal serve --listen 0.0.0.0:9000 --admin-listen 127.0.0.1:9001",
                "for phones on the same network, with the admin API kept to this machine"),
            .init(
                "shoal serve --tls", "on https://127.0.0.1:9000; the second line names the certificate to trust"),
            .init(
                "shoal serve --webhook thumbs=http://127.0.0.1:8080/events",
                "posts events there of buckets that notify arn:aws:sqs:us-east-1:000000000000:thumbs"),
        ])
}
