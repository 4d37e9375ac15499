import Glibc

/// A file that is gone with the value.
final class TemporaryFile {
    let path: String

    init(_ text: String) throws {
        var template = Array("/tmp/shoal-command-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemFailure(errno: errno) }
        defer { close(descriptor) }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        let count = text.withCString { write(descriptor, $0, strlen($0)) }
        guard count == text.utf8.count else { throw SystemFailure(errno: errno) }
    }

    deinit { unlink(path) }
}

/// A folder that is gone with the value, with what is in it.
final class TemporaryFolder {
    let path: String
    private var made: [String] = []

    init() throws {
        var template = Array("/tmp/shoal-command-XXXXXX".utf8CString)
        guard let name = mkdtemp(&template) else { throw SystemFailure(errno: errno) }
        path = String(cString: name)
    }

    deinit {
        for name in made.reversed() { remove(path + "/" + name) }
        rmdir(path)
    }

    func folder(_ name: String) throws {
        guard mkdir(path + "/" + name, 0o700) == 0 else { throw SystemFailure(errno: errno) }
        made.append(name)
    }

    func file(_ name: String, _ text: String) throws {
        let descriptor = creat(path + "/" + name, 0o600)
        guard descriptor >= 0 else { throw SystemFailure(errno: errno) }
        made.append(name)
        defer { close(descriptor) }
        guard text.withCString({ write(descriptor, $0, strlen($0)) }) == text.utf8.count else {
            throw SystemFailure(errno: errno)
        }
    }
}

struct SystemFailure: Error {
    let errno: Int32
}
