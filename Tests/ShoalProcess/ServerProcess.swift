import Glibc
import ShoalWire

/// `shoal serve` as a child, of the build that the tests belong to.
package final class ServerProcess: Sendable {
    package let child: ChildProcess
    package let port: UInt16
    /// Where an ephemeral directory goes: a child that is killed leaves it behind. Declared after `child`, which is gone
    /// first then.
    private let scratch = TemporaryFolder()

    package var endpoint: String { "\(authorityPath == nil ? "http" : "https")://127.0.0.1:\(port)" }
    /// The certificate that clients have to trust; nil without TLS.
    package let authorityPath: String?

    /// Beside the test bundle; the variable `SHOAL_UNDER_TEST` names another one.
    package static let executable: String = {
        if let chosen = getenv("SHOAL_UNDER_TEST") { return String(cString: chosen) }
        // The bundle is a library of whatever program runs the tests, so only the memory map knows where it is.
        let maps = (try? File.text("/proc/self/maps")) ?? ""  // without it the precondition speaks
        let bundle = maps.split(separator: "\n").first { $0.hasSuffix("PackageTests.xctest") }
        guard let bundle, let start = bundle.firstIndex(of: "/"), let end = bundle.lastIndex(of: "/") else {
            preconditionFailure("no test bundle is loaded, so there is no program beside it")
        }
        return bundle[start..<end] + "/shoal"
    }()

    /// Waits until the server accepts requests. Throws what it said instead.
    ///
    /// `--listen 127.0.0.1:0` is added unless `arguments` say where to listen. `descriptorCountMax` is the child's `ulimit -n`.
    package init(
        _ arguments: [String], environment: [String: String] = [:], descriptorCountMax: Int? = nil
    ) throws {
        let words = ["serve"] + (arguments.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]) + arguments
        let environment = ["TMPDIR": scratch.path].merging(environment) { _, given in given }
        if let descriptorCountMax {
            let script = "ulimit -n \(descriptorCountMax) && exec \"$0\" \"$@\""
            child = try ChildProcess("/bin/sh", ["-c", script, Self.executable] + words, environment: environment)
        } else {
            child = try ChildProcess(Self.executable, words, environment: environment)
        }
        guard let line = child.readLine(), let port = Self.port(in: line) else {
            child.send(SIGKILL)
            throw NoStart(end: try child.wait().end, errors: child.errorText)
        }
        self.port = port
        let trust = line.contains(" https://") ? child.readLine() : nil
        authorityPath = trust.flatMap(Self.authority)
    }

    private static func authority(in line: String) -> String? {
        let begin = "shoal: clients have to trust "
        return line.hasPrefix(begin) ? String(line.dropFirst(begin.count).prefix { $0 != " " }) : nil
    }

    private static func port(in line: String) -> UInt16? {
        let begin = "shoal: listening on "
        guard ["http", "https"].contains(where: { line.hasPrefix("\(begin)\($0)://127.0.0.1:") }) else { return nil }
        return line.split(separator: ":").last.flatMap { UInt16($0) }
    }

    /// SIGTERM, and how the process ended.
    @discardableResult
    package func stop() throws -> ChildProcess.End {
        child.send(SIGTERM)
        return try child.wait().end
    }

    /// A client of its own connection, with the server's usual account.
    package func connect() -> S3Client {
        // A file that cannot be read leaves a client that believes nobody, and says so.
        S3Client(port: port, trust: authorityPath.map { WireTLS.Trust((try? File.text($0)) ?? "") })
    }

    /// A server that did not start.
    package struct NoStart: Error, CustomStringConvertible {
        package let end: ChildProcess.End
        package let errors: String

        package var description: String { "no start: \(end), \(errors)" }
    }
}

/// The command line of the build that the tests belong to.
package enum ShoalCommand {
    package static func run(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = []
    ) throws -> CommandResult {
        try CommandResult.of(ServerProcess.executable, arguments, environment: environment, input: input)
    }
}
