import ShoalProcess
import Testing

/// The scripts of `make sweep-clients`: what they do without faults is what their sweeps strike.
@Suite(.disabled(if: Client.isBotoMissing, Comment(rawValue: Client.botoReason))) struct `Clients that are swept` {
    private let folder = TemporaryFolder()

    /// The operations that a sweep would strike, with their points.
    private func plan(_ command: [String]) throws -> [Substring] {
        let environment = [
            "PYTHONPATH": Client.sweeps, "PYTHONDONTWRITEBYTECODE": "1", "HOME": folder.path, "TMPDIR": folder.path,
            "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": "/dev/null",
            "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        ]
        let words = ["sweep", "--actions", "close", "--attempts", "first", "--list", "--"] + command
        let result = try ShoalCommand.run(words, environment: environment)
        #expect(result.end == .code(0), "\(result)")
        return result.output.split(separator: "\n").compactMap { $0.split(separator: "\t").last }
    }

    private func python(_ script: String, _ arguments: [String] = []) -> [String] {
        [Client.python, "\(Client.sweeps)/\(script)"] + arguments
    }

    private static let partWords = ["CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload"]

    private func expectOnePut(_ command: [String]) throws {
        let plan = try plan(command)
        #expect(plan.contains { $0.hasPrefix("PutObject @commit.after 1*close") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("UploadPart") }, "\(plan)")
    }

    private func expectParts(_ command: [String]) throws {
        let plan = try plan(command)
        for word in Self.partWords {
            #expect(plan.contains { $0.hasPrefix("\(word) @commit.after 1*close") }, "\(plan)")
        }
        #expect(!plan.contains { $0.hasPrefix("AbortMultipartUpload") }, "\(plan)")
    }

    @Test func `are boto3 with its defaults`() throws {
        try expectOnePut(python("boto3_put.py"))
        try expectParts(python("boto3_multipart.py"))
    }

    @Test(.disabled(if: Tools.isMissing("curl"), "curl is not installed"))
    func `are curl with presigned URLs, over one connection for two objects`() throws {
        try expectOnePut(python("curl_put.py"))
        try expectParts(python("curl_multipart.py"))
        let both = try plan(python("curl_put.py", ["first.jpg", "second.jpg"]))
        for age in ["fresh", "reused"] {
            #expect(both.contains { $0.hasPrefix("PutObject @auth 1*close connection=\(age)") }, "\(both)")
        }
    }

    @Test(.disabled(if: Tools.isMissing("rclone"), "rclone is not installed"))
    func `are rclone with its defaults`() throws {
        try expectOnePut(["sh", "\(Client.sweeps)/rclone_copy.sh", "1000", "photo.jpg"])
        try expectParts(["sh", "\(Client.sweeps)/rclone_copy.sh", "10485783", "film.mov"])
    }

    @Test(.disabled(if: Tools.isMissing("chromium"), "chromium is not installed: `packaging/install browser`"))
    func `are a browser with XMLHttpRequest, behind its preflights`() throws {
        try expectOnePut(python("browser.py", ["put"]))
        try expectParts(python("browser.py", ["multipart"]))
    }
}
