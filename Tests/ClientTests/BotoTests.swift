import ShoalProcess
import Testing

/// Each test is a script in `Scripts/` that compares what it sees; here its end is judged, and what it stored.
@Suite(.disabled(if: Client.isBotoMissing, "\(Client.botoReason)")) struct `boto3` {
    private let folder = TemporaryFolder()
    private let server: ServerProcess

    init() throws { server = try ServerProcess(["--ephemeral", "--bucket", "photos"]) }

    private func run(_ script: String, _ arguments: [String] = []) throws {
        let result = try CommandResult.of(
            Client.python, ["\(Client.scripts)/\(script)"] + arguments,
            environment: Client.environment(server, in: folder))
        #expect(result.end == .code(0) && result.output == "ok\n", "\(script): \(result)")
    }

    /// mavedb-api#859: with the defaults of boto3, `Expect: 100-continue` among them.
    @Test func `uploads and downloads a photo and other files with upload_file and download_file`() throws {
        let target = folder.path + "/back.jpg"
        try run("transfer.py", [Client.image, target])
        let image = try Client.imageBytes()
        #expect(try File.read(target).isSame(as: image))
        let stored = try #require(try server.connect().send("GET", "photos/transfer/harbour.jpg"))
        #expect(stored.body.isSame(as: image) && stored["Content-Type"] == "image/jpeg")
    }

    @Test func `splits large files, copies, keeps versions and removes them all`() throws {
        try run("multipart.py", [folder.path])
    }

    @Test func `puts, gets, heads, lists and deletes, and understands every refusal`() throws {
        try run("objects.py")
    }

    @Test func `is broken on purpose in the example for pytest, which holds`() throws {
        var environment = Client.environment(server, in: folder)
        environment["SHOAL_ENDPOINT"] = server.endpoint
        let result = try CommandResult.of(
            Client.python, ["-m", "pytest", "-q", "-p", "no:cacheprovider", Client.root + "/Examples/pytest"],
            environment: environment)
        #expect(result.succeeded && result.output.contains(" passed"), "\(result)")
    }

    /// The default is Signature V2 in us-east-1.
    @Test(arguments: ["default", "s3", "s3v4"])
    func `signs URLs that any HTTP client can use`(signature: String) throws {
        try run("presigned.py", [signature])
    }

    @Test(arguments: ["default", "s3", "s3v4"])
    func `signs forms that any web page can send (S3Mock#219)`(signature: String) throws {
        try run("forms.py", [signature])
    }

    @Test func `gets temporary credentials and uses them in every way`() throws {
        try run("sessions.py")
    }

    @Test(arguments: ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"])
    func `sends and gets back the checksum`(algorithm: String) throws {
        try run("checksums.py", [algorithm])
    }
}
