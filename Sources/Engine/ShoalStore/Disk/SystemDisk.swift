import CShoalSystem
import Glibc

/// The disk of this machine.
package struct SystemDisk: Disk {
    package init() {}

    package var effectiveUser: UInt32 { geteuid() }

    package func open(_ path: String, _ access: FileAccess) throws(StoreError) -> DiskFile {
        let flags =
            switch access {
            case .readOnly: O_RDONLY
            case .update: O_RDWR
            case .readWrite: O_RDWR | O_CREAT
            case .createNew: O_RDWR | O_CREAT | O_EXCL
            }
        let descriptor = shoal_open(path, flags, 0o600)
        guard descriptor >= 0 else { throw .failed(.open, path) }
        return DiskFile(descriptor: descriptor, path: path)
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: DiskFile, at offset: UInt64) throws(StoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = pwrite(
                file.descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
                Int(offset) + rest.startIndex)
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if written == 0 {
                // Linux does not do this for regular files; a loop that makes no progress must still end.
                throw .failed(.write, file.path, number: EIO)
            } else if errno != EINTR {
                throw .failed(.write, file.path)
            }
        }
    }

    package func read(
        _ file: DiskFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(StoreError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let got = pread(file.descriptor, rest.baseAddress, rest.count, Int(offset) + count)
            if got > 0 {
                count += got
            } else if got == 0 {
                break
            } else if errno != EINTR {
                throw .failed(.read, file.path)
            }
        }
        return count
    }

    package func space(of path: String) throws(StoreError) -> DiskSpace {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw .failed(.inspect, path) }
        let unit = UInt64(status.f_frsize)
        return DiskSpace(free: UInt64(status.f_bavail) * unit, total: UInt64(status.f_blocks) * unit)
    }

    package func size(of file: DiskFile) throws(StoreError) -> UInt64 {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { throw .failed(.inspect, file.path) }
        return UInt64(status.st_size)
    }

    package func truncate(_ file: DiskFile, to size: UInt64) throws(StoreError) {
        guard ftruncate(file.descriptor, Int(size)) == 0 else { throw .failed(.truncate, file.path) }
    }

    package func synchronize(_ file: DiskFile) throws(StoreError) {
        guard fdatasync(file.descriptor) == 0 else { throw .failed(.sync, file.path) }
    }

    package func synchronizeDirectory(_ path: String) throws(StoreError) {
        let descriptor = shoal_open(path, O_RDONLY | O_DIRECTORY, 0)
        guard descriptor >= 0 else { throw .failed(.syncDirectory, path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed(.syncDirectory, path) }
    }

    package func rename(_ old: String, to new: String) throws(StoreError) {
        guard Glibc.rename(old, new) == 0 else { throw .failed(.rename, old) }
    }

    package func remove(_ path: String) throws(StoreError) {
        guard unlink(path) == 0 else { throw .failed(.remove, path) }
    }

    package func makeDirectory(_ path: String) throws(StoreError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw .failed(.makeDirectory, path) }
        return false
    }

    package func names(in directory: String) throws(StoreError) -> [String] {
        guard let stream = opendir(directory) else {
            guard errno == ENOENT else { throw .failed(.list, directory) }
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .failed(.list, directory) }
        return names
    }

    package func owner(of path: String) throws(StoreError) -> UInt32 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .failed(.inspect, path) }
        return status.st_uid
    }
}
