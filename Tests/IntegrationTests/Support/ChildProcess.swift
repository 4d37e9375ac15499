import Glibc

/// A program that is run to its end, with what it wrote to its standard output.
enum ChildProcess {
    /// Whether the program is found on the path.
    static func exists(_ name: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// The exit code, or 128 and the signal's number.
    static func run(_ arguments: [String]) -> (code: Int32, output: String) {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])
        var child: pid_t = 0
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let failure = posix_spawnp(&child, arguments[0], &actions, nil, &pointers, environ)
        for pointer in pointers { free(pointer) }
        close(ends[1])
        defer { close(ends[0]) }
        precondition(failure == 0, "\(arguments[0]) cannot be started")
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(ends[0], &buffer, buffer.count), count > 0 { output += buffer[..<count] }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        return (code, String(decoding: output, as: UTF8.self))
    }
}
