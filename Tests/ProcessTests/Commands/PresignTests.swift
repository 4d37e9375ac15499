import ShoalProcess
import Testing

@Suite struct `A URL of shoal presign` {
    private static let body = Array("presigned".utf8)

    private func url(_ words: [String], _ server: ServerProcess) throws -> String {
        let result = try ShoalCommand.run(["presign", "--endpoint", server.endpoint] + words)
        #expect(result.succeeded, "\(result)")
        return String(result.output.dropLast())
    }

    private func curl(_ words: [String], input: [UInt8] = []) throws -> CommandResult {
        try CommandResult.of("curl", ["-sS", "-q", "--noproxy", "*"] + words, input: input)
    }

    @Test(.disabled(if: Tools.isMissing("curl"), "curl is not installed"))
    func `puts, gets, heads and deletes with curl`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let put = try curl([
            "-X", "PUT", "-H", "Content-Type: image/jpeg", "--data-binary", "presigned", "-w", "%{http_code}",
            try url(["put", "photos/a b+c.jpg", "--content-type", "image/jpeg"], server),
        ])
        #expect(put.output == "200", "\(put)")
        let get = try curl(["-D", "-", try url(["get", "photos/a b+c.jpg"], server)])
        #expect(get.output.hasPrefix("HTTP/1.1 200 ") && get.output.hasSuffix("\r\n\r\npresigned"), "\(get)")
        let head = try curl(["-I", try url(["head", "photos/a b+c.jpg"], server)])
        #expect(head.output.contains("Content-Type: image/jpeg\r\n"), "\(head)")
        #expect(head.output.contains("Content-Length: 9\r\n"), "\(head)")
        let delete = try curl(["-X", "DELETE", "-w", "%{http_code}", try url(["delete", "photos/a b+c.jpg"], server)])
        #expect(delete.output == "204", "\(delete)")
        #expect(try server.connect().send("HEAD", "photos/a b+c.jpg")?.status == 404)
    }

    @Test(.disabled(if: Tools.isMissing("curl"), "curl is not installed"))
    func `comes as a curl command that a shell runs as it is`() throws {
        let folder = TemporaryFolder()
        let image = try folder.write(Self.body, to: "it's a photo.jpg")
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let command = try url(
            ["put", "photos/it's $HOME.jpg", "--content-type", "image/jpeg", "--curl", image], server)
        #expect(try CommandResult.of("bash", ["-c", command]).succeeded)
        let response = try #require(try server.connect().send("GET", "photos/it's $HOME.jpg"))
        #expect(response.body == Self.body)
        #expect(response["Content-Type"] == "image/jpeg")
    }

    /// floci#432: no name is looked up outside the machine.
    @Test(.disabled(if: Tools.isMissing("curl"), "curl is not installed"))
    func `works with the bucket in the host name`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        #expect(try server.connect().send("PUT", "photos/a", body: Self.body[...])?.status == 200)
        let url = try ShoalCommand.run([
            "presign", "get", "photos/a", "--virtual-host", "--endpoint", "http://s3.localhost:\(server.port)",
        ]).output.dropLast()
        #expect(url.hasPrefix("http://photos.s3.localhost:\(server.port)/a?"))
        let got = try curl(["--resolve", "photos.s3.localhost:\(server.port):127.0.0.1", String(url)])
        #expect(got.outputBytes == Self.body, "\(got)")
    }

    @Test(arguments: [
        ("expired", "AccessDenied", "expired"), ("not-yet-valid", "AccessDenied", "not yet valid"),
        ("wrong-secret", "SignatureDoesNotMatch", "secret"), ("wrong-host", "SignatureDoesNotMatch", "host"),
        ("wrong-method", "SignatureDoesNotMatch", "method"),
    ])
    func `with a defect is refused, and shoal explain says which`(defect: String, code: String, word: String) throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        #expect(try server.connect().send("PUT", "photos/a", body: Self.body[...])?.status == 200)
        let url = try url(["get", "photos/a", "--defect", defect], server)
        let explained = try ShoalCommand.run(
            ["explain", "-", "--endpoint", server.endpoint], input: Array((url + "\n").utf8))
        #expect(explained.end == .code(1), "\(explained)")
        #expect(explained.output.hasPrefix("refused: "), "\(explained)")
        #expect(explained.output.contains("S3 would say: 403 \(code)"), "\(explained)")
        #expect(explained.output.lowercased().contains(word), "\(explained)")
        guard !Tools.isMissing("curl") else { return }
        let got = try curl(["-w", "%{http_code}", url])
        #expect(got.output.hasSuffix("403") && got.output.contains("<Code>\(code)</Code>"), "\(got)")
    }

    @Test func `without a defect is accepted by shoal explain`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let url = try url(["get", "photos/a"], server)
        let explained = try ShoalCommand.run(["explain", url, "--endpoint", server.endpoint])
        #expect(explained.end == .code(0), "\(explained)")
        #expect(explained.output.hasPrefix("accepted"), "\(explained)")
    }
}
