import Glibc

/// A folder that is empty at first and gone at the end.
final class TestFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/shoal-test-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, let made = mkdtemp(base) else {
                preconditionFailure("no temporary folder: \(errno)")
            }
            return String(cString: made)
        }
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// The names of the files in it, sorted.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The bytes of a file; none if there is no such file.
    func bytes(of name: String) -> [UInt8] {
        guard let file = fopen("\(path)/\(name)", "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    func lines(of name: String) -> [String] {
        String(decoding: bytes(of: name), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func write(_ text: String, to name: String) {
        guard let file = fopen("\(path)/\(name)", "w") else { preconditionFailure("cannot write \(name): \(errno)") }
        fputs(text, file)
        fclose(file)
    }
}
