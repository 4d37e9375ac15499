import CShoalSystem
import Glibc
import ShoalProcess
import Testing

@Suite struct `A secret on the command line` {
    private static let secret = "very-secret-7f3a9b"
    private static let token = "very-secret-token-51c2"
    private static let accountSecret = "very-secret-account-9e01"

    @Test func `of serve is gone from the process list once the server runs`() throws {
        let id = String(repeating: "ab", count: 32)
        let server = try ServerProcess([
            "--ephemeral", "--secret-key", Self.secret, "--admin-token=\(Self.token)", "--account",
            "access=other,secret=\(Self.accountSecret),id=\(id),name=Bea",
        ])
        let line = try ProcessFacts.commandLine(of: server.child.pid)
        #expect(line.contains("--secret-key\0****"), "\(line)")
        for secret in [Self.secret, Self.token, Self.accountSecret] { #expect(!line.contains(secret), "\(line)") }

        // It was read before it was wiped.
        let client = S3Client(port: server.port, secretKey: Self.secret)
        #expect(try client.send("GET", "")?.status == 200)
        let other = S3Client(port: server.port, accessKey: "other", secretKey: Self.accountSecret)
        #expect(try other.send("GET", "")?.status == 200)
        let endpoint = ["--endpoint", server.endpoint]
        #expect(try ShoalCommand.run(["fault", "ls", "--admin-token", Self.token] + endpoint).end == .code(0))
        #expect(try ShoalCommand.run(["fault", "ls", "--admin-token", "wrong"] + endpoint).end == .code(4))
        #expect(!server.child.errorText.contains("very-secret"))
    }

    /// The command is held in its last step, writing the URL to a full pipe, and looked at there.
    @Test func `of presign is gone from the process list before the URL is printed`() throws {
        let folder = TemporaryFolder()
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let descriptor = shoal_open(pipe, O_RDWR | O_NONBLOCK, 0)
        defer { close(descriptor) }
        let filling = [UInt8](repeating: 0, count: 4_096)
        while write(descriptor, filling, filling.count) > 0 {}

        let child = try ChildProcess(
            "/bin/sh",
            [
                "-c", "exec \"$0\" \"$@\" >\"$PIPE\"", ServerProcess.executable, "presign", "get", "photos/a",
                "--secret-key", Self.secret, "--session-token", Self.token,
            ], environment: ["PIPE": pipe])
        try waitUntilWriting(child)
        let line = try ProcessFacts.commandLine(of: child.pid)
        #expect(line.contains("presign") && line.contains("--secret-key\0****"), "\(line)")
        #expect(!line.contains("very-secret"), "\(line)")
    }

    /// Until the child is inside write(2), which /proc shows as system call 1 on x86-64 and 64 on arm64.
    private func waitUntilWriting(_ child: ChildProcess) throws {
        #if arch(x86_64)
            let number = "1 0x1 "
        #else
            let number = "64 0x1 "
        #endif
        for _ in 0..<1_000_000 {
            let isShoal = try ProcessFacts.commandLine(of: child.pid).hasPrefix(ServerProcess.executable)
            if try isShoal && File.text("/proc/\(child.pid)/syscall").hasPrefix(number) { return }
            sched_yield()
        }
        throw Surprise("the command never wrote its URL: \(child.errorText)")
    }

    @Test func `shows neither in a log nor in an answer to a wrong signature`() throws {
        let server = try ServerProcess(["--ephemeral", "--secret-key", Self.secret, "--log", "json"])
        let wrong = S3Client(port: server.port, secretKey: "not-" + Self.secret)
        let response = try #require(try wrong.send("GET", ""))
        #expect(response.status == 403)
        #expect(!response.text.contains("very-secret"))
        #expect(try server.stop() == .code(0))
        #expect(!server.child.errorText.contains("very-secret"))
    }
}
