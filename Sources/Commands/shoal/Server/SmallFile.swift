import Glibc

/// A file that is read whole, such as one of rules.
enum SmallFile {
    static let byteCountMax = 4 << 20

    /// Throws a `UsageError` that says what the system said, or that it is too large.
    static func bytes(_ path: String) throws(UsageError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UsageError("\(path): \(SystemError.text)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw UsageError("\(path): \(SystemError.text)") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= byteCountMax else { throw UsageError("\(path): larger than 4 MiB") }
        }
    }
}
