import CShoalSystem
import Glibc
import ShoalS3
import ShoalStore

extension World {
    /// Stores every file of a folder as an object; sub-folders are buckets. The same bytes are stored again: a seed
    /// states what is there.
    func seed(_ directory: String, progress: Server.Progress?) throws {
        let folder = try SeedFolder(directory)
        for bucket in folder.buckets { try ensureBucket(bucket) }
        var done: UInt64 = 0
        let total = folder.byteCount
        for file in folder.files {
            try store(file)
            done += file.size
            progress?(done, total)
        }
        log.info(
            "seeded",
            ["from": directory, "buckets": String(folder.buckets.count), "objects": String(folder.files.count)])
    }

    private func store(_ file: SeedFolder.File) throws {
        let descriptor = shoal_open(file.path, O_RDONLY, 0)
        guard descriptor >= 0 else { throw StartFailure("\(file.path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let copy = try BodyCopy(byteCount: file.size, checksum: .crc64nvme, in: self) { _, buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { throw StartFailure("\(file.path) became shorter while it was read") }
            return count
        }
        var metadata = ObjectMetadata.Builder()
        if let type = ContentTypes.type(ofKey: file.key) { metadata.set(.contentType, Array(type.utf8)[...]) }
        let record = ObjectRecord(
            key: file.key, etag: ETag(md5: copy.md5), size: file.size, lastModified: now,
            attributes: ObjectAttributes(storageClass: .standard, metadata: metadata.build()).encoded,
            checksum: copy.checksum)
        _ = try store.put(record, in: file.bucket, body: copy.body)
    }
}
