import Glibc
import ShoalS3

/// A folder whose sub-folders are buckets, and the files below them the objects.
struct SeedFolder {
    struct File: Equatable {
        let bucket: BucketName
        let key: ObjectKey
        let path: String
        let size: UInt64
    }

    let buckets: [BucketName]
    /// Sorted by path.
    let files: [File]

    var byteCount: UInt64 { files.reduce(0) { $0 + $1.size } }

    /// Throws a `UsageError` for a folder that cannot be read, or a name that S3 has no place for.
    init(_ directory: String) throws(UsageError) {
        var buckets: [BucketName] = []
        var files: [File] = []
        for name in try Self.entries(of: directory) {
            let path = directory + "/" + name
            guard try Self.status(of: path).isDirectory else { continue }
            guard let bucket = BucketName(name) else {
                throw UsageError("\(path): '\(name)' is no bucket name: 3 to 63 of a-z, 0-9, '-' and '.'")
            }
            buckets.append(bucket)
            try Self.collect(path, prefix: "", bucket: bucket, into: &files)
        }
        guard !buckets.isEmpty else { throw UsageError("\(directory): no sub-folder that could become a bucket") }
        self.buckets = buckets
        self.files = files
    }

    private static func collect(
        _ directory: String, prefix: String, bucket: BucketName, into files: inout [File]
    ) throws(UsageError) {
        for name in try entries(of: directory) {
            let path = directory + "/" + name
            let status = try status(of: path)
            if status.isDirectory {
                try collect(path, prefix: prefix + name + "/", bucket: bucket, into: &files)
            } else if status.isFile {
                guard let key = ObjectKey(Array((prefix + name).utf8)) else {
                    throw UsageError("\(path): the key would be longer than 1,024 bytes")
                }
                files.append(File(bucket: bucket, key: key, path: path, size: status.size))
            }
        }
    }

    /// Sorted; without what starts with a dot.
    private static func entries(of directory: String) throws(UsageError) -> [String] {
        guard let stream = opendir(directory) else { throw UsageError("\(directory): \(SystemError.text)") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private struct Status {
        let isDirectory: Bool
        let isFile: Bool
        let size: UInt64
    }

    /// Of the link itself: a link that leads upwards would never end.
    private static func status(of path: String) throws(UsageError) -> Status {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw UsageError("\(path): \(SystemError.text)") }
        let kind = status.st_mode & S_IFMT
        return Status(isDirectory: kind == S_IFDIR, isFile: kind == S_IFREG, size: UInt64(status.st_size))
    }
}

/// The media types of common extensions.
enum ContentTypes {
    private static let types: [String: String] = [
        "avif": "image/avif", "css": "text/css", "csv": "text/csv", "gif": "image/gif", "heic": "image/heic",
        "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
        "json": "application/json", "md": "text/markdown", "mov": "video/quicktime", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
        "txt": "text/plain", "wasm": "application/wasm", "wav": "audio/wav", "webm": "video/webm",
        "webp": "image/webp", "xml": "application/xml", "zip": "application/zip",
    ]

    /// By what follows the last dot of the last segment; nil leaves it to S3's default.
    static func type(ofKey key: ObjectKey) -> String? {
        let name = key.description.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return types[name[name.index(after: dot)...].lowercased()]
    }
}
