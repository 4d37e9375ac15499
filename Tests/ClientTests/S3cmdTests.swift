import ShoalProcess
import Testing

@Suite(.disabled(if: Tools.isMissing("s3cmd"), "s3cmd is not installed")) struct `s3cmd` {
    private let folder = TemporaryFolder()
    private let server: ServerProcess
    private let configuration: String

    init() throws {
        server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let text = """
            [default]
            access_key = shoal
            secret_key = shoal-secret
            host_base = 127.0.0.1:\(server.port)
            host_bucket = 127.0.0.1:\(server.port)
            use_https = False
            bucket_location = us-east-1
            """
        configuration = try folder.write(Array(text.utf8), to: "s3cfg")
    }

    @discardableResult
    private func run(_ words: [String]) throws -> CommandResult {
        let environment = ["HOME": folder.path, "LC_ALL": "C.UTF-8", "NO_PROXY": "127.0.0.1"]
        let result = try CommandResult.of(
            "s3cmd", ["-c", configuration, "--no-progress"] + words, environment: environment)
        #expect(result.end == .code(0), "s3cmd \(words): \(result)")
        return result
    }

    @Test(arguments: [[], ["--signature-v2"]])
    func `puts, lists, gets and deletes a photo`(signing: [String]) throws {
        let image = try Client.imageBytes()
        try run(signing + ["put", Client.image, "s3://photos/trip/a b.jpg"])
        let stored = try #require(try server.connect().send("GET", "photos/trip/a b.jpg"))
        #expect(stored.body.isSame(as: image))
        #expect(stored["Content-Type"] == "image/jpeg")
        #expect(try run(signing + ["ls", "s3://photos/trip/"]).output.contains("s3://photos/trip/a b.jpg"))
        let back = folder.path + "/back.jpg"
        try run(signing + ["get", "s3://photos/trip/a b.jpg", back])
        #expect(try File.read(back).isSame(as: image))
        try run(signing + ["del", "s3://photos/trip/a b.jpg"])
        #expect(try server.connect().send("HEAD", "photos/trip/a b.jpg")?.status == 404)
    }

    @Test func `splits a large file, copies it within the server and removes all of it`() throws {
        let large = [UInt8](repeating: 5, count: 12_000_000)
        let path = try folder.write(large, to: "large.bin")
        try run(["put", "--multipart-chunk-size-mb=5", path, "s3://photos/large.bin"])
        try run(["cp", "s3://photos/large.bin", "s3://photos/copy.bin"])
        try run(["get", "s3://photos/copy.bin", folder.path + "/back.bin"])
        #expect(try File.read(folder.path + "/back.bin").isSame(as: large))
        #expect(try run(["info", "s3://photos/copy.bin"]).output.contains("12000000"))
        try run(["del", "--recursive", "--force", "s3://photos/"])
        #expect(try run(["ls", "s3://photos/"]).output == "")
    }

    @Test func `makes and removes a bucket`() throws {
        try run(["mb", "s3://made-by-s3cmd"])
        #expect(try run(["ls"]).output.contains("s3://made-by-s3cmd"))
        try run(["rb", "s3://made-by-s3cmd"])
        #expect(try server.connect().send("HEAD", "made-by-s3cmd")?.status == 404)
    }
}
