import Glibc
import ShoalLog

/// `journal.ndjson`, rotated to `journal.1.ndjson` and so on when it is full.
package struct JournalFile: ~Copyable, Sendable {
    /// A call that failed, and why.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let call: String
        package let path: String
        package let code: Int32

        package var description: String { "\(call) \(path): \(String(cString: strerror(code)))" }
    }

    private let path: String
    private let byteCountMax: Int
    private let rotatedCountMax: Int
    private var descriptor: Int32
    private var byteCount: Int
    /// Of the last whole line found at opening; 0 if there was none.
    let lastSeq: UInt64

    /// Opens or creates the file for appending; half a line at its end, left by a crash, is cut off.
    init(path: String, byteCountMax: Int, rotatedCountMax: Int) throws(Failure) {
        let descriptor = try Self.open(path)
        let (end, seq) = Self.lastLine(of: descriptor)
        // Only where there is something to cut: a device has no length to set.
        guard Int(lseek(descriptor, 0, SEEK_END)) <= end || ftruncate(descriptor, off_t(end)) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw Failure(call: "ftruncate", path: path, code: code)
        }
        self.path = path
        self.byteCountMax = byteCountMax
        self.rotatedCountMax = rotatedCountMax
        self.descriptor = descriptor
        byteCount = end
        lastSeq = seq > 0 ? seq : Self.lastSeq(ofFileAt: Self.rotatedPath(path, 1))
    }

    deinit { Glibc.close(descriptor) }

    /// Appends whole lines. On failure nothing of them stays, so that every line in the file is whole.
    mutating func append(_ lines: [UInt8]) throws(Failure) {
        if byteCount > 0 && byteCount + lines.count > byteCountMax { try rotate() }
        var done = 0
        while done < lines.count {
            let count = lines[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let failure = Failure(call: "write", path: path, code: count < 0 ? errno : EIO)
                // If even this fails, the next opening cuts the torn line off.
                ftruncate(descriptor, off_t(byteCount))
                throw failure
            }
            done += count
        }
        byteCount += lines.count
    }

    private mutating func rotate() throws(Failure) {
        if rotatedCountMax == 0 {
            guard ftruncate(descriptor, 0) == 0 else { throw Failure(call: "ftruncate", path: path, code: errno) }
            byteCount = 0
            return
        }
        for number in stride(from: rotatedCountMax, through: 1, by: -1) {
            let from = number == 1 ? path : Self.rotatedPath(path, number - 1)
            guard rename(from, Self.rotatedPath(path, number)) == 0 || errno == ENOENT else {
                throw Failure(call: "rename", path: from, code: errno)
            }
        }
        let next = try Self.open(path)
        Glibc.close(descriptor)
        (descriptor, byteCount) = (next, 0)
    }

    // MARK: Paths and opening

    private static func rotatedPath(_ path: String, _ number: Int) -> String {
        let suffix = ".ndjson"
        return path.hasSuffix(suffix) ? "\(path.dropLast(suffix.count)).\(number)\(suffix)" : "\(path).\(number)"
    }

    private static func open(_ path: String) throws(Failure) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(call: "open", path: path, code: errno) }
        return descriptor
    }

    private static func lastSeq(ofFileAt path: String) -> UInt64 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { Glibc.close(descriptor) }
        return lastLine(of: descriptor).seq
    }

    /// Where the last whole line ends, and its number; (0, 0) if there is none in the last 128 KiB, more than any line.
    private static func lastLine(of descriptor: Int32) -> (end: Int, seq: UInt64) {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size > 0 else { return (0, 0) }
        let count = min(size, 131_072)
        let tail = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(size - count)))
        }
        guard let newline = tail.lastIndex(of: UInt8(ascii: "\n")) else { return (0, 0) }
        let start = tail[..<newline].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let digits = tail[start..<newline].dropFirst("{\"seq\":".utf8.count).prefix { (0x30...0x39).contains($0) }
        return (size - count + newline + 1, UInt64(String(decoding: digits, as: UTF8.self)) ?? 0)
    }
}
