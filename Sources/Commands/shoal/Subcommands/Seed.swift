import ShoalHTTPClient
import ShoalLog
import ShoalS3
import ShoalServer
import ShoalSigV4

/// `shoal seed`: uploads a folder into a running server, through the S3 API.
struct Seed: Subcommand {
    static let declaration = CommandDeclaration(
        ["seed"], "upload a folder: its sub-folders become buckets",
        discussion: "Buckets are made if they do not exist; objects of the same key are overwritten.",
        operands: [Operand("DIR", "the folder", kind: .directory)],
        options: [ServerOptions.endpoint, ServerOptions.cacert, Presign.region] + CredentialOptions.all,
        examples: [.init("shoal seed fixtures/seed", "fixtures/seed/photos/a.jpg becomes photos/a.jpg")])

    /// Seconds that each upload may wait and take.
    private static let lifetimeSeconds: Int64 = 3_600

    let directory: String
    private let base: BaseURL
    private let arguments: ParsedArguments
    private let presigner: Presigner

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        directory = arguments.operand(0) ?? ""
        base = try BaseURL(arguments.value(ServerOptions.endpoint) ?? "", in: "--\(ServerOptions.endpoint.name)")
        presigner = try CredentialOptions.presigner(arguments, region: Presign.region)
    }

    func run(on terminal: Terminal) throws -> ExitCode {
        let folder = try usableFolder()
        let client = try ServerOptions.client(arguments)
        for bucket in folder.buckets { try makeBucket(bucket, with: client) }
        var bar = ProgressBar("seed", total: folder.byteCount, on: terminal)
        defer { bar.finish() }
        var done: UInt64 = 0
        for file in folder.files {
            try upload(file, with: client) { bar.show(done + $0) }
            done += file.size
            bar.show(done)
        }
        bar.finish()
        terminal.note(
            "\(folder.files.count) objects in \(folder.buckets.count) buckets, \(ByteCountText.of(folder.byteCount))")
        return .done
    }

    private func usableFolder() throws(UsageError) -> SeedFolder {
        do throws(SeedFolder.Failure) {
            return try SeedFolder(directory)
        } catch {  // A folder that cannot be used is a wrong operand here.
            throw UsageError(error.description)
        }
    }

    /// A bucket of our own that exists already is as good.
    private func makeBucket(_ bucket: BucketName, with client: HTTPClient) throws {
        let response = try put(bucket, nil, body: .bytes([]), with: client)
        let isOurs = response.status == 409 && Self.holds(response.body, "BucketAlreadyOwnedByYou")
        guard isOurs || (200...299).contains(response.status) else {
            throw SeedRefusal(what: bucket.text, response: response)
        }
    }

    private func upload(
        _ file: SeedFolder.File, with client: HTTPClient, onProgress: @escaping (UInt64) -> Void
    ) throws {
        let response = try put(
            file.bucket, file.key, type: ContentTypes.type(ofKey: file.key), body: .file(file.path), with: client
        ) { sent, _ in onProgress(UInt64(clamping: sent)) }
        guard (200...299).contains(response.status) else {
            throw SeedRefusal(what: file.path, response: response)
        }
    }

    private func put(
        _ bucket: BucketName, _ key: ObjectKey?, type: String? = nil, body: HTTPClient.Request.Body,
        with client: HTTPClient, onProgress: ((Int64, Int64) -> Void)? = nil
    ) throws -> HTTPClient.Response {
        let headers = type.map { [(name: "content-type", value: $0)] } ?? []
        let request = UnsignedRequest(
            "PUT", at: try base.endpoint(), bucket: bucket.text, key: key?.bytes, headers: headers)
        let now = Timestamp(milliseconds: SystemClock.wallMilliseconds())
        let url = try presigner.presign(request, lifetime: Self.lifetimeSeconds, at: now).url
        do {
            return try client.send(
                HTTPClient.Request(method: "PUT", url: url, headers: headers, body: body), onProgress: onProgress)
        } catch {  // Only here is known which server was meant.
            throw ServerUnreachable(base: base, error: error)
        }
    }

    private static func holds(_ body: [UInt8], _ text: String) -> Bool { body.firstRange(of: Array(text.utf8)) != nil }
}

/// The server would not take something.
struct SeedRefusal: Error, CustomStringConvertible {
    let what: String
    let response: HTTPClient.Response

    /// S3's `<Code>` and `<Message>` where they stand in the body.
    var description: String {
        let body = String(decoding: response.body.prefix(4_096), as: UTF8.self)
        let texts = ["Code", "Message"].compactMap { element -> String? in
            guard let start = body.firstRange(of: "<\(element)>"), let end = body.firstRange(of: "</\(element)>"),
                start.upperBound <= end.lowerBound
            else { return nil }
            return String(body[start.upperBound..<end.lowerBound])
        }
        return Table.printable("\(what): " + ([String(response.status)] + texts).joined(separator: " "))
    }
}
