import Glibc

/// Where the bytes of a request body come from; it can go back, because libcurl resends on a connection that died idle.
final class RequestBodySource {
    /// Nil for a request without a body.
    let size: Int64?
    /// What went wrong while reading.
    private(set) var failure: HTTPClientError?

    private let bytes: [UInt8]
    private let path: String
    /// Negative unless a file is read.
    private let descriptor: Int32
    private var offset: Int64 = 0

    init(_ body: HTTPClient.Request.Body) throws(HTTPClientError) {
        switch body {
        case .none:
            (size, bytes, path, descriptor) = (nil, [], "", -1)
        case .bytes(let bytes):
            (size, self.bytes, path, descriptor) = (Int64(bytes.count), bytes, "", -1)
        case .file(let path):
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            var status = stat()
            guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw .file(path: path, errno: errno) }
            (size, bytes, self.path, self.descriptor) = (Int64(status.st_size), [], path, descriptor)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Fills `buffer` and returns the count; 0 at the end, nil when reading failed.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let wanted = Int(min(Int64(buffer.count), (size ?? 0) - offset))
        guard wanted > 0 else { return 0 }
        if descriptor < 0 {
            buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + wanted])
            offset += Int64(wanted)
            return wanted
        }
        let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
        guard count > 0 else {
            // A file that shrank ends the transfer as well: the promised length can no longer be kept.
            failure = .file(path: path, errno: count < 0 ? errno : ENODATA)
            return nil
        }
        offset += Int64(count)
        return count
    }

    func seek(to offset: Int64) { self.offset = offset }
}

extension HTTPClientError {
    static func text(of errno: Int32) -> String { strerror(errno).map { String(cString: $0) } ?? "error \(errno)" }
}
