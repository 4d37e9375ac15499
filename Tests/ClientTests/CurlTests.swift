import ShoalProcess
import Testing

@Suite(.disabled(if: Tools.isMissing("curl"), "curl is not installed")) struct `curl` {
    private let folder = TemporaryFolder()
    private let server: ServerProcess

    init() throws { server = try ServerProcess(["--ephemeral", "--bucket", "photos"]) }

    @discardableResult
    private func run(_ words: [String]) throws -> CommandResult {
        let result = try CommandResult.of("curl", ["-q", "-sS", "--fail-with-body", "--noproxy", "*"] + words)
        #expect(result.end == .code(0), "\(result)")
        return result
    }

    private func presigned(_ words: [String]) throws -> String {
        String(try ShoalCommand.run(["presign", "--endpoint", server.endpoint] + words).output.dropLast())
    }

    private func expectPhoto(_ key: String) throws {
        let stored = try #require(try server.connect().send("GET", "photos/\(key)"))
        #expect(stored.body.isSame(as: try Client.imageBytes()))
        #expect(stored["Content-Type"] == "image/jpeg")
    }

    @Test func `uploads and downloads a photo through presigned URLs`() throws {
        let type = ["-H", "Content-Type: image/jpeg"]
        let url = try presigned(["put", "photos/by-url.jpg", "--content-type", "image/jpeg"])
        try run(type + ["-T", Client.image, url])
        try expectPhoto("by-url.jpg")
        let back = folder.path + "/back.jpg"
        let got = try run(["-o", back, "-w", "%{content_type}", try presigned(["get", "photos/by-url.jpg"])])
        #expect(got.output == "image/jpeg")
        #expect(try File.read(back).isSame(as: try Client.imageBytes()))
    }

    @Test func `signs by itself with --aws-sigv4`() throws {
        // curl 7.88 sends no such header by itself, and S3 refuses a request without one.
        let digest = ["-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD"]
        let signing = ["--aws-sigv4", "aws:amz:us-east-1:s3", "--user", "shoal:shoal-secret"] + digest
        let url = server.endpoint + "/photos/signed.jpg"
        try run(signing + ["-H", "Content-Type: image/jpeg", "-T", Client.image, url])
        try expectPhoto("signed.jpg")
        #expect(try run(signing + [url]).outputBytes.isSame(as: try Client.imageBytes()))
        #expect(try run(signing + [server.endpoint + "/photos?list-type=2"]).output.contains("<Key>signed.jpg</Key>"))
        try run(signing + ["-X", "DELETE", url])
        #expect(try server.connect().send("HEAD", "photos/signed.jpg")?.status == 404)
    }

    @Test func `waits for 100 Continue before a large body, and sends it over the same connection as the next one`()
        throws
    {
        let large = try folder.write([UInt8](repeating: 6, count: 3 << 20), to: "large")
        let words = try ["a", "b"].flatMap { key in
            [
                "-T", large, try presigned(["put", "photos/\(key)"]), "-o", "/dev/null", "-w",
                "%{http_code} %{num_connects}\n",
            ]
        }
        let result = try run(["-v", "-H", "Expect: 100-continue"] + words)
        #expect(result.output == "200 1\n200 0\n", "\(result)")
        #expect(result.errors.contains("< HTTP/1.1 100 Continue"), "\(result)")
    }

    @Test func `resumes a download with a range`() throws {
        try run(["-T", Client.image, try presigned(["put", "photos/resumed"])])
        let image = try Client.imageBytes()
        let back = try folder.write(Array(image.prefix(1_000)), to: "partial.jpg")
        try run(["-C", "-", "-o", back, try presigned(["get", "photos/resumed"])])
        #expect(try File.read(back).isSame(as: image))
    }
}
