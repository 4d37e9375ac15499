import CShoalSystem
import Glibc

/// A folder of a test, removed with everything in it when the value goes.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/shoal-test-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "no folder can be made in /tmp: \(String(cString: strerror(errno)))")
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { shoal_remove_tree(path) }

    /// Makes the file, and the folders that lead to it.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        var parent = path
        for part in name.split(separator: "/").dropLast() {
            parent += "/" + part
            mkdir(parent, 0o755)
        }
        let file = "\(path)/\(name)"
        try File.write(bytes, to: file)
        return file
    }
}

/// Whole files.
package enum File {
    package static func read(_ path: String) throws -> [UInt8] {
        let descriptor = shoal_open(path, O_RDONLY, 0)
        guard descriptor >= 0 else { throw SystemFailure(path) }
        defer { close(descriptor) }
        return contents(of: descriptor)
    }

    /// What is left to read, whatever its length; also of files in /proc, which have none.
    static func contents(of descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    package static func text(_ path: String) throws -> String { String(decoding: try read(path), as: UTF8.self) }

    package static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = shoal_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw SystemFailure(path) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
            guard count > 0 else { throw SystemFailure(path) }
            written += count
        }
    }

    /// Sorted names, `.` and `..` left out; none if there is no such folder.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// A system call that failed: on what, and what the system says about it.
package struct SystemFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ subject: String, number: Int32 = errno) { description = "\(subject): \(String(cString: strerror(number)))" }
}
