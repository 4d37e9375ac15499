import ShoalFaults
import ShoalLog
import ShoalS3
import ShoalSigV4

/// `shoal presign`: signs a URL with the server's key; no server is asked.
struct Presign: Subcommand {
    static let expiresMaxSeconds: Int64 = 604_800

    static let contentType = OptionDeclaration(
        "content-type", .text("TYPE"), "pin the Content-Type the client has to send", twin: false)
    static let contentLength = OptionDeclaration(
        "content-length", .text("BYTES"), "pin the length of the body", twin: false)
    static let header = OptionDeclaration(
        "header", letter: "H", .text("'NAME: VALUE'"), "pin another header", repeats: true, twin: false)
    static let query = OptionDeclaration(
        "query", .text("NAME=VALUE"), "a further query parameter, such as partNumber=1", repeats: true, twin: false)
    static let expires = OptionDeclaration(
        "expires", .text("TIME"), "how long it is good: 1s to 7d", usual: "15m", twin: false)
    static let region = OptionDeclaration("region", .text("NAME"), "the region to sign for", usual: "us-east-1")
    static let virtualHost = OptionDeclaration(
        "virtual-host", .none, "put the bucket into the host name instead of the path", twin: false)
    static let curl = OptionDeclaration(
        "curl", .none, "print a curl command instead of the URL; FILE is what it sends or writes", twin: false)
    static let defect = OptionDeclaration(
        "defect", .choice(Defect.allCases.map(\.rawValue)), "make it bad on purpose, to see how a client copes",
        twin: false)

    static let fault = OptionDeclaration(
        "fault", .text("'POINT ACTION'"),
        "sign a fault into it, for a server with --allow-request-faults; ';' stands between several", twin: false)

    static let declaration = CommandDeclaration(
        ["presign"], "make a presigned URL",
        discussion: """
            Whoever has the URL can use it until it expires. Without a key of its own it is signed with AWS_ACCESS_KEY_ID, \
            AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN if `shoal credentials` made them.
            """,
        operands: [
            Operand("METHOD", "get, put, head or delete", kind: .choice(["get", "put", "head", "delete"])),
            Operand("BUCKET/KEY", "the object"),
            Operand("FILE", "for --curl", isRequired: false, kind: .file),
        ],
        options: [contentType, contentLength, header, query, expires, curl, virtualHost, defect, fault, region]
            + [ServerOptions.endpoint] + CredentialOptions.all
            + [CredentialOptions.sessionToken],
        examples: [
            .init("shoal presign get photos/a.jpg", "a link for a quarter of an hour"),
            .init(
                "shoal presign put photos/a.jpg --content-type image/jpeg --expires 5m --curl a.jpg",
                "the command that uploads a.jpg"),
            .init(
                "shoal presign put photos/a.jpg --fault 'commit.after 1*reset'",
                "a link that stores its first upload and loses the answer"),
            .init("shoal presign get photos/a.jpg --defect expired", "a link that is refused as expired"),
        ])

    let request: UnsignedRequest
    let lifetimeSeconds: Int64
    let badOnPurpose: Defect?
    let isCurlWanted: Bool
    let file: String?
    private let presigner: Presigner

    init(_ arguments: ParsedArguments) throws {
        let (bucket, key) = try Self.path(arguments.operand(1) ?? "")
        let base = try BaseURL(arguments.value(ServerOptions.endpoint) ?? "", in: "--\(ServerOptions.endpoint.name)")
        let isVirtualHost = arguments.isOn(Self.virtualHost)
        guard !isVirtualHost || base.isName else {
            throw UsageError("--virtual-host needs a host name: --endpoint http://s3.localhost:9000")
        }
        request = UnsignedRequest(
            (arguments.operand(0) ?? "").uppercased(), at: try base.endpoint(),
            style: isVirtualHost ? .virtualHost : .path, bucket: bucket.text, key: key.bytes,
            query: try Self.queryParameters(arguments) + Self.carriedRules(arguments),
            headers: try Self.headers(arguments))
        lifetimeSeconds = try Self.seconds(arguments)
        badOnPurpose = try arguments.choice(Self.defect, as: Defect.self)
        isCurlWanted = arguments.isOn(Self.curl)
        file = arguments.operand(2)
        guard file == nil || isCurlWanted else {
            throw UsageError("'\(file ?? "")' is one argument too many; a file goes with --curl")
        }
        presigner = try CredentialOptions.presignerOfSession(arguments, region: Self.region)
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        terminal.print(try text(at: Timestamp(milliseconds: SystemClock.wallMilliseconds())))
        return .done
    }

    /// The URL, or the command that uses it.
    func text(at now: Timestamp) throws -> String {
        let presigned = try presigner.presign(request, lifetime: lifetimeSeconds, at: now, defect: badOnPurpose)
        return isCurlWanted ? CurlCommand(presigned, file: file).text : presigned.url
    }

    private static func path(_ text: String) throws(UsageError) -> (BucketName, ObjectKey) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bucket = parts.first.flatMap({ BucketName(String($0)) }) else {
            throw UsageError("'\(text)' does not start with a bucket name; write BUCKET/KEY")
        }
        guard parts.count == 2, let key = ObjectKey(Array(parts[1].utf8)) else {
            throw UsageError("'\(text)' names no object: after the bucket comes a key of 1 to 1,024 bytes")
        }
        return (bucket, key)
    }

    private static func seconds(_ arguments: ParsedArguments) throws(UsageError) -> Int64 {
        let milliseconds = try arguments.duration(expires) ?? 0
        let seconds = milliseconds / 1_000
        guard milliseconds % 1_000 == 0, (1...expiresMaxSeconds).contains(seconds) else {
            throw UsageError("--expires takes whole seconds from 1s to 7d, not '\(arguments.value(expires) ?? "")'")
        }
        return seconds
    }

    private static func headers(_ arguments: ParsedArguments) throws(UsageError) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        if let type = arguments.value(contentType) { headers.append(("content-type", type)) }
        if let length = try arguments.integer(contentLength, in: 0...Int64.max) {
            headers.append(("content-length", String(length)))
        }
        for text in arguments.values(header) {
            let (name, value) = try HeaderText.pair(text)
            guard !headers.contains(where: { $0.name == name.lowercased() }), name.lowercased() != "host" else {
                throw UsageError("the header '\(name)' would be pinned twice")
            }
            headers.append((name.lowercased(), value))
        }
        return headers
    }

    /// Rules for the URL's own request, read here so that a slip is told at once.
    private static func carriedRules(
        _ arguments: ParsedArguments
    ) throws(UsageError) -> [(name: String, value: String)] {
        guard let text = arguments.value(fault) else { return [] }
        do throws(RuleError) {
            _ = try CarriedRules.read(text, forObject: arguments.operand(0) ?? "")
        } catch {
            throw UsageError("--\(fault.name): \(error)")
        }
        return [(CarriedRules.name, text)]
    }

    private static func queryParameters(
        _ arguments: ParsedArguments
    ) throws(UsageError) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for text in arguments.values(query) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first, !name.isEmpty, !name.lowercased().hasPrefix("x-amz-signature") else {
                throw UsageError("--query takes NAME=VALUE, not '\(text)'")
            }
            parameters.append((String(name), parts.count == 2 ? String(parts[1]) : ""))
        }
        return parameters
    }
}
