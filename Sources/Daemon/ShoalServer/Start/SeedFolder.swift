import Glibc
import ShoalS3

/// A folder whose sub-folders are buckets, and the files below them the objects.
package struct SeedFolder: Sendable {
    package struct File: Equatable, Sendable {
        package let bucket: BucketName
        package let key: ObjectKey
        package let path: String
        package let size: UInt64
    }

    /// Why a folder cannot be used, in a sentence that names the path.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    package let buckets: [BucketName]
    /// Sorted by path.
    package let files: [File]

    package var byteCount: UInt64 { files.reduce(0) { $0 + $1.size } }

    /// Throws for a folder that cannot be read, or a name that S3 has no place for.
    package init(_ directory: String) throws(Failure) {
        var buckets: [BucketName] = []
        var files: [File] = []
        for name in try Self.entries(of: directory) {
            let path = directory + "/" + name
            guard try Self.status(of: path).isDirectory else { continue }
            guard let bucket = BucketName(name) else {
                throw Failure("\(path): '\(name)' is no bucket name: 3 to 63 of a-z, 0-9, '-' and '.'")
            }
            buckets.append(bucket)
            try Self.collect(path, prefix: "", bucket: bucket, into: &files)
        }
        guard !buckets.isEmpty else { throw Failure("\(directory): no sub-folder that could become a bucket") }
        self.buckets = buckets
        self.files = files
    }

    private static func collect(
        _ directory: String, prefix: String, bucket: BucketName, into files: inout [File]
    ) throws(Failure) {
        for name in try entries(of: directory) {
            let path = directory + "/" + name
            let status = try status(of: path)
            if status.isDirectory {
                try collect(path, prefix: prefix + name + "/", bucket: bucket, into: &files)
            } else if status.isFile {
                guard let key = ObjectKey(Array((prefix + name).utf8)) else {
                    throw Failure("\(path): the key would be longer than 1,024 bytes")
                }
                files.append(File(bucket: bucket, key: key, path: path, size: status.size))
            }
        }
    }

    /// Sorted; without what starts with a dot.
    private static func entries(of directory: String) throws(Failure) -> [String] {
        guard let stream = opendir(directory) else {
            throw Failure("\(directory): \(String(cString: strerror(errno)))")
        }
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
    private static func status(of path: String) throws(Failure) -> Status {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
        let kind = status.st_mode & S_IFMT
        return Status(isDirectory: kind == S_IFDIR, isFile: kind == S_IFREG, size: UInt64(status.st_size))
    }
}
