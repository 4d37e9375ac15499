import ShoalProcess
import Testing

@Suite(.disabled(if: Tools.isMissing("rclone"), "rclone is not installed")) struct `rclone` {
    private let folder = TemporaryFolder()
    private let server: ServerProcess

    /// The bucket is made by rclone, because it says `private` of everything, which S3 takes only in such a bucket.
    init() throws {
        server = try ServerProcess(["--ephemeral"])
        try run(["mkdir", "shoal:photos"])
    }

    @discardableResult
    private func run(_ words: [String]) throws -> CommandResult {
        let environment = [
            "RCLONE_CONFIG": "/dev/null", "RCLONE_CONFIG_SHOAL_TYPE": "s3", "RCLONE_CONFIG_SHOAL_PROVIDER": "Other",
            "RCLONE_CONFIG_SHOAL_ACCESS_KEY_ID": S3Client.usualAccessKey,
            "RCLONE_CONFIG_SHOAL_SECRET_ACCESS_KEY": S3Client.usualSecretKey,
            "RCLONE_CONFIG_SHOAL_ENDPOINT": server.endpoint, "HOME": folder.path, "NO_PROXY": "127.0.0.1",
        ]
        let result = try CommandResult.of("rclone", ["--retries", "1"] + words, environment: environment)
        #expect(result.end == .code(0), "rclone \(words): \(result)")
        return result
    }

    @Test func `splits a large file and copies it within the server`() throws {
        let large = [UInt8](repeating: 5, count: 12_000_000)
        try folder.write(large, to: "large.bin")
        let cutoff = ["--s3-upload-cutoff", "5M", "--s3-chunk-size", "5M"]
        try run(cutoff + ["copyto", folder.path + "/large.bin", "shoal:photos/large.bin"])
        try run(["copyto", "shoal:photos/large.bin", "shoal:photos/copy.bin"])
        #expect(try run(["cat", "shoal:photos/copy.bin"]).outputBytes.isSame(as: large))
        try run(["check", "--download", folder.path, "shoal:photos", "--include", "large.bin"])
    }

    @Test func `copies a tree up and down, lists it and reads from it`() throws {
        let image = try Client.imageBytes()
        try folder.write(image, to: "tree/trip/harbour.jpg")
        try folder.write([], to: "tree/empty")
        let large = [UInt8](repeating: 8, count: 4_000_000)
        try folder.write(large, to: "tree/large.bin")
        try run(["copy", folder.path + "/tree", "shoal:photos/up"])
        let stored = try #require(try server.connect().send("GET", "photos/up/trip/harbour.jpg"))
        #expect(stored.body.isSame(as: image))
        #expect(stored["Content-Type"] == "image/jpeg")

        let names = try run(["lsf", "-R", "--files-only", "shoal:photos/up"]).output.split(separator: "\n").sorted()
        #expect(names == ["empty", "large.bin", "trip/harbour.jpg"])
        #expect(try run(["cat", "shoal:photos/up/trip/harbour.jpg"]).outputBytes.isSame(as: image))
        try run(["copy", "shoal:photos/up", folder.path + "/back"])
        #expect(try File.read(folder.path + "/back/large.bin").isSame(as: large))
        #expect(try File.read(folder.path + "/back/empty") == [])
        // Nothing differs: sizes, times and MD5s.
        try run(["check", folder.path + "/tree", "shoal:photos/up"])
        try run(["delete", "shoal:photos/up"])
        #expect(try run(["lsf", "-R", "--files-only", "shoal:photos"]).output == "")
    }
}
