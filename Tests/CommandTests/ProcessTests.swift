import Glibc
import Testing

@testable import shoal

/// The program as a process of its own, beside the one that runs the tests.
@Suite struct `The program` {
    @Test(
        arguments: [
            ([], 2, "Commands:"), (["--help"], 0, "Commands:"), (["version"], 0, "shoal "), (["fault"], 2, "fault add"),
            (["fault", "--help"], 0, "fault add"), (["help", "clock"], 0, "shoal clock"),
            (["sevre"], 2, "did you mean 'serve'?"), (["serve", "--bukcet", "a"], 2, "did you mean '--bucket'?"),
            (["serve", "--help"], 0, "SHOAL_LISTEN"), (["serve", "--tls-cert", "c"], 2, "--tls-key FILE"),
            (["ca"], 4, "is `shoal serve` running?"),
            (["presign", "get", "photos/a"], 0, "X-Amz-Signature="),
            (["fault", "ls"], 4, "is `shoal serve` running?"), (["clock", "+20m"], 4, "is `shoal serve` running?"),
            (["journal", "-f"], 4, "is `shoal serve` running?"), (["health"], 1, "is `shoal serve` running?"),
            (["fsck"], 2, "DIR is missing"), (["fsck", "/nonexistent"], 4, "/nonexistent"),
        ] as [([String], Int32, String)])
    func `tells scripts by its exit code how it went`(words: [String], code: Int32, text: String) throws {
        let nobody = try LoopbackSocket()
        defer { withExtendedLifetime(nobody) {} }
        let command = ([try programPath()] + words).map(CurlCommand.quoted).joined(separator: " ")
        let result = try shell("SHOAL_ENDPOINT=http://127.0.0.1:\(nobody.port) \(command) 2>&1 </dev/null")
        #expect(result.code == code, "\(result.output)")
        #expect(result.output.contains(text), "\(result.output)")
    }

    @Test func `writes errors to standard error only`() throws {
        let result = try shell("\(CurlCommand.quoted(try programPath())) nonsense 2>/dev/null")
        #expect(result.code == 2)
        #expect(result.output.isEmpty)
    }

    @Test func `wipes its secrets from the process list before it talks to anybody`() throws {
        let server = try LoopbackSocket()
        guard listen(server.descriptor, 1) == 0 else { throw SystemFailure(errno: errno) }
        let words = ["clock", "--endpoint", "http://127.0.0.1:\(server.port)", "--admin-token", "hush-hush"]
        let process = try spawn(try programPath(), words)
        let connection = accept(server.descriptor, nil, nil)
        let list = String(decoding: try SmallFile.bytes("/proc/\(process)/cmdline"), as: UTF8.self)
        close(connection)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        #expect(list.contains("--admin-token"))
        #expect(!list.contains("hush"))
    }

    /// Beside the test bundle, whatever program loaded that.
    private func programPath() throws -> String {
        let maps = try SmallFile.bytes("/proc/self/maps").split(separator: UInt8(ascii: "\n"))
        for line in maps {
            let text = String(decoding: line, as: UTF8.self)
            guard text.hasSuffix("PackageTests.xctest"), let start = text.firstIndex(of: "/"),
                let end = text.lastIndex(of: "/")
            else { continue }
            return text[start..<end] + "/shoal"
        }
        throw SystemFailure(errno: ENOENT)
    }

    private func shell(_ command: String) throws -> (code: Int32, output: String) {
        guard let stream = popen(command, "r") else { throw SystemFailure(errno: errno) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return ((pclose(stream) >> 8) & 0xFF, String(decoding: bytes, as: UTF8.self))
    }

    private func spawn(_ path: String, _ words: [String]) throws -> pid_t {
        var pointers = ([path] + words).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var process: pid_t = 0
        let failure = posix_spawn(&process, path, &actions, nil, &pointers, environ)
        guard failure == 0 else { throw SystemFailure(errno: failure) }
        return process
    }
}

/// A TCP socket bound to a free port of 127.0.0.1; it refuses connections until somebody listens on it.
private final class LoopbackSocket {
    let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isBound else { throw SystemFailure(errno: errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
