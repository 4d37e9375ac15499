import ShoalProcess
import Testing

@Suite(.disabled(if: Client.isBotoMissing, "\(Client.botoReason)")) struct `The AWS CLI` {
    private let folder = TemporaryFolder()
    private let server: ServerProcess

    init() throws { server = try ServerProcess(["--ephemeral", "--bucket", "photos"]) }

    @discardableResult
    private func run(_ words: [String], input: [UInt8] = []) throws -> CommandResult {
        let result = try CommandResult.of(
            Client.awsCLI, words, environment: Client.environment(server, in: folder), input: input)
        #expect(result.end == .code(0), "aws \(words): \(result)")
        return result
    }

    @Test func `copies a photo up and down with aws s3 cp`() throws {
        let image = try Client.imageBytes()
        try run(["s3", "cp", Client.image, "s3://photos/trip/harbour.jpg"])
        let stored = try #require(try server.connect().send("GET", "photos/trip/harbour.jpg"))
        #expect(stored.body.isSame(as: image))
        #expect(stored["Content-Type"] == "image/jpeg")
        try run(["s3", "cp", "s3://photos/trip/harbour.jpg", folder.path + "/back.jpg"])
        #expect(try File.read(folder.path + "/back.jpg").isSame(as: image))
    }

    @Test func `splits a large file and moves it within the server`() throws {
        let large = [UInt8](repeating: 5, count: 20_000_000)
        try folder.write(large, to: "large.bin")
        try run(["s3", "cp", folder.path + "/large.bin", "s3://photos/large.bin"])
        try run(["s3", "mv", "s3://photos/large.bin", "s3://photos/moved.bin"])
        #expect(try server.connect().send("HEAD", "photos/large.bin")?.status == 404)
        try run(["s3", "cp", "s3://photos/moved.bin", folder.path + "/back.bin"])
        #expect(try File.read(folder.path + "/back.bin").isSame(as: large))
    }

    @Test func `copies a stream both ways`() throws {
        let body = Array("a stream without a length".utf8)
        try run(["s3", "cp", "-", "s3://photos/stream", "--content-type", "text/x-stream"], input: body)
        #expect(try server.connect().send("HEAD", "photos/stream")?["Content-Type"] == "text/x-stream")
        #expect(try run(["s3", "cp", "s3://photos/stream", "-"]).outputBytes == body)
    }

    @Test func `makes, lists, fills and removes a bucket`() throws {
        try run(["s3", "mb", "s3://made-by-aws"])
        try folder.write(Array("one".utf8), to: "tree/a.txt")
        try folder.write(Array("two".utf8), to: "tree/sub/b c.txt")
        try run(["s3", "sync", folder.path + "/tree", "s3://made-by-aws/tree"])
        #expect(try server.connect().send("GET", "made-by-aws/tree/sub/b c.txt")?.text == "two")
        let list = try run(["s3", "ls", "--recursive", "s3://made-by-aws"]).output
        #expect(list.contains(" 3 tree/a.txt\n") && list.contains(" 3 tree/sub/b c.txt\n"), "\(list)")
        #expect(try run(["s3", "ls"]).output.contains(" made-by-aws\n"))
        #expect(try run(["s3", "sync", folder.path + "/tree", "s3://made-by-aws/tree"]).output == "")
        try run(["s3", "rm", "--recursive", "s3://made-by-aws"])
        try run(["s3", "rb", "s3://made-by-aws"])
        #expect(try server.connect().send("HEAD", "made-by-aws")?.status == 404)
    }

    @Test func `presigns a URL that answers`() throws {
        #expect(try server.connect().send("PUT", "photos/a", body: [65, 66])?.status == 200)
        let url = try run(["s3", "presign", "s3://photos/a"]).output.dropLast()
        let explained = try ShoalCommand.run(["explain", String(url), "--endpoint", server.endpoint])
        #expect(explained.end == .code(0), "\(explained)")
    }
}
