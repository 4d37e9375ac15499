import CShoalSystem
import Glibc

/// Why a server does not start, in a sentence that says what to change.
package struct StartFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Small files a start reads and writes.
enum StartFile {
    static let byteCountMax = 16 << 20

    static func read(_ path: String, byteCountMax: Int = byteCountMax) throws(StartFailure) -> [UInt8] {
        let descriptor = shoal_open(path, O_RDONLY, 0)
        guard descriptor >= 0 else { throw StartFailure("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw StartFailure("\(path): \(String(cString: strerror(errno)))") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= byteCountMax else {
                throw StartFailure("\(path) is larger than \(byteCountMax >> 20) MiB")
            }
        }
    }

    /// Writes a file that nobody ever sees half.
    static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws(StartFailure) {
        let temporary = "\(path).\(getpid())"
        let descriptor = shoal_open(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode)
        guard descriptor >= 0 else { throw StartFailure("\(temporary): \(String(cString: strerror(errno)))") }
        let bytes = Array(text.utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            done += count
        }
        close(descriptor)
        guard done == bytes.count, rename(temporary, path) == 0 else {
            throw StartFailure("\(path): \(String(cString: strerror(errno)))")
        }
    }
}
