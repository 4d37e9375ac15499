import Glibc

/// Standard output and standard error, and whether a person is looking at them.
struct Terminal {
    let outputIsTerminal: Bool
    let errorIsTerminal: Bool

    /// The process's own.
    static func standard() -> Terminal {
        Terminal(outputIsTerminal: isatty(STDOUT_FILENO) == 1, errorIsTerminal: isatty(STDERR_FILENO) == 1)
    }

    func write(_ bytes: some Sequence<UInt8>) { Self.write(Array(bytes), to: STDOUT_FILENO) }

    func print(_ line: String) { write(Array((line + "\n").utf8)) }

    func write(_ text: String) { write(Array(text.utf8)) }

    /// One line for the person, on standard error.
    func note(_ line: String) { noteRaw(line + "\n") }

    /// As it is, on standard error.
    func noteRaw(_ text: String) { Self.write(Array(text.utf8), to: STDERR_FILENO) }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // Whoever read us is gone, and there is nobody left to tell.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
