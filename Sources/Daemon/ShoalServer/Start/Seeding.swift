import CShoalSystem
import Glibc
import ShoalCrypto
import ShoalS3
import ShoalStore
import Synchronization

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
        let writer = try store.beginBody(size: file.size, lane: seedLane)
        let md5 = Digest(.md5)
        let checksum = RunningChecksum(.crc64nvme)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
        defer { buffer.deallocate() }
        var left = file.size
        while left > 0 {
            let count = read(descriptor, buffer.baseAddress, min(buffer.count, Int(left)))
            guard count > 0 else { throw StartFailure("\(file.path) became shorter while it was read") }
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
            md5.update(bytes)
            checksum.update(bytes)
            try writer.write(bytes)
            left -= UInt64(count)
        }
        var metadata = ObjectMetadata.Builder()
        if let type = ContentTypes.type(ofKey: file.key) { metadata.set(.contentType, Array(type.utf8)[...]) }
        let record = ObjectRecord(
            key: file.key, etag: ETag(md5: md5.finish()), size: file.size, lastModified: now,
            attributes: ObjectAttributes(storageClass: .standard, metadata: metadata.build()).encoded,
            checksum: Checksum(.crc64nvme, digest: checksum.finish()))
        _ = try store.put(record, in: file.bucket, body: try writer.finish())
    }
}
