import Glibc

/// Secrets come from a flag, from a file named by a flag, or from the environment; a file keeps them out of both the
/// shell's history and the process list.
enum SecretOptions {
    /// Bytes of a file that holds a secret.
    private static let fileByteCountMax = 4_096

    /// The command line is asked before the environment, the option before its file.
    static func secret(
        _ option: OptionDeclaration, orFile file: OptionDeclaration, in arguments: ParsedArguments
    ) throws(UsageError) -> String? {
        let optionGiven = arguments.given.contains(option.name)
        let fileGiven = arguments.given.contains(file.name)
        guard !(optionGiven && fileGiven) else {
            throw UsageError("give either --\(option.name) or --\(file.name)")
        }
        let usesFile = fileGiven || (!optionGiven && arguments.values[option.name] == nil)
        guard usesFile, let path = arguments.value(file) else { return arguments.value(option) }
        return try read(path, for: file)
    }

    /// The first line of the file.
    private static func read(_ path: String, for option: OptionDeclaration) throws(UsageError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UsageError("--\(option.name): \(path): \(SystemError.text)") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: fileByteCountMax)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw UsageError("--\(option.name): \(path): \(SystemError.text)") }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw UsageError("--\(option.name): \(path) is empty") }
        return String(decoding: line, as: UTF8.self)
    }

    /// Overwrites the secrets among the process's own arguments, so that `ps` no longer shows them.
    static func wipe(_ secrets: [String]) {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            let text = String(cString: argument)
            for secret in secrets where !secret.isEmpty && (text == secret || text.hasSuffix("=" + secret)) {
                memset(argument + (text.utf8.count - secret.utf8.count), Int32(UInt8(ascii: "*")), secret.utf8.count)
            }
        }
    }
}

/// What the last system call complained about.
enum SystemError {
    static var text: String { strerror(errno).map { String(cString: $0) } ?? "error \(errno)" }
}
