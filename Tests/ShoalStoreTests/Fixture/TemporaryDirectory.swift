import Glibc
import ShoalStore

/// A folder that goes with this object.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/shoal-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            preconditionFailure("no temporary folder: \(String(cString: strerror(errno)))")
        }
        path = template.withUnsafeBufferPointer { buffer in buffer.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit { Self.remove(path) }

    /// A copy of a folder as it stands on the disk at this moment.
    static func copy(of source: String) throws -> TemporaryDirectory {
        let copy = TemporaryDirectory()
        try copyContents(of: source, to: copy.path)
        return copy
    }

    private static func copyContents(of source: String, to target: String) throws {
        let disk = SystemDisk()
        for name in try disk.names(in: source) {
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
            if isFolder(from) {
                _ = try disk.makeDirectory(to)
                try copyContents(of: from, to: to)
            } else {
                try copyFile(from, to: to)
            }
        }
    }

    /// A file may go between listing and copying: the housekeeper removes bodies that nothing names any more.
    private static func copyFile(_ source: String, to target: String) throws {
        do {
            try write(try read(source), to: target)
        } catch StoreError.disk(let failure) where failure.kind == .missing && failure.path == source {
            return
        }
    }

    static func read(_ path: String) throws -> [UInt8] {
        let disk = SystemDisk()
        let file = try disk.open(path, .readOnly)
        var bytes = [UInt8](repeating: 0, count: Int(try disk.size(of: file)))
        _ = try bytes.withUnsafeMutableBytes { try disk.read(file, at: 0, into: $0) }
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let disk = SystemDisk()
        let file = try disk.open(path, .readWrite)
        try disk.truncate(file, to: 0)
        try bytes.withUnsafeBytes { try disk.write($0, to: file, at: 0) }
    }

    /// Paths of all files below, relative to the folder, sorted.
    func files(in folder: String = "") throws -> [String] {
        var found: [String] = []
        for name in try SystemDisk().names(in: path + "/" + folder) {
            let relative = folder.isEmpty ? name : "\(folder)/\(name)"
            found += Self.isFolder("\(path)/\(relative)") ? try files(in: relative) : [relative]
        }
        return found.sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func remove(_ path: String) {
        for name in (try? SystemDisk().names(in: path)) ?? [] {
            let child = "\(path)/\(name)"
            if isFolder(child) { remove(child) } else { unlink(child) }
        }
        rmdir(path)
    }
}
