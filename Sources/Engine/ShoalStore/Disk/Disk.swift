import Glibc

/// The files of a store: the seam at which a decorator can let a step fail.
///
/// SQLite reads and writes its own files beside it. Every step throws `StoreError.disk` with path and error number.
package protocol Disk: Sendable {
    func open(_ path: String, _ access: FileAccess) throws(StoreError) -> DiskFile
    /// Writes all of `bytes` or throws; what a failed write left behind is undefined.
    func write(_ bytes: UnsafeRawBufferPointer, to file: DiskFile, at offset: UInt64) throws(StoreError)
    /// Fills `buffer` as far as the file reaches; the number of bytes read.
    func read(_ file: DiskFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int
    func size(of file: DiskFile) throws(StoreError) -> UInt64
    func truncate(_ file: DiskFile, to size: UInt64) throws(StoreError)
    /// Returns when the bytes and the size are on the device: fdatasync(2).
    func synchronize(_ file: DiskFile) throws(StoreError)
    /// Returns when names made, renamed or removed in the directory are on the device.
    func synchronizeDirectory(_ path: String) throws(StoreError)
    func rename(_ old: String, to new: String) throws(StoreError)
    func remove(_ path: String) throws(StoreError)
    /// True if it was made, false if it stood there already.
    func makeDirectory(_ path: String) throws(StoreError) -> Bool
    /// Names in the directory, in no order, without `.` and `..`; none if there is no directory.
    func names(in directory: String) throws(StoreError) -> [String]
    /// The room of the file system that holds the path.
    func space(of path: String) throws(StoreError) -> DiskSpace
    /// The numeric user id of the owner.
    func owner(of path: String) throws(StoreError) -> UInt32
    /// The user id this process acts as; 0 may do everything.
    var effectiveUser: UInt32 { get }
}

package enum FileAccess: Sendable {
    case readOnly
    /// Reading and writing; fails if it is not there.
    case update
    /// Reading and writing; made if it is not there.
    case readWrite
    /// Reading and writing; fails if it is there.
    case createNew
}

/// An open file, closed when the last reference goes.
package final class DiskFile: Sendable {
    package let descriptor: Int32
    package let path: String

    /// Takes over the descriptor.
    package init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }
}

extension Disk {
    /// All bytes of a file.
    func contents(of path: String) throws(StoreError) -> [UInt8] {
        let file = try open(path, .readOnly)
        var bytes = [UInt8](repeating: 0, count: Int(try size(of: file)))
        let count = try bytes.withMutableBytes { (buffer) throws(StoreError) in
            try read(file, at: 0, into: buffer)
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Removes a file that may be gone already.
    func removeIfPresent(_ path: String) throws(StoreError) {
        do { try remove(path) } catch { guard error.isMissingFile else { throw error } }
    }
}

/// The forms of `withUnsafeBytes` that keep the type of what is thrown.
extension [UInt8] {
    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Result
    ) throws(StoreError) -> Result { try span.withUnsafeBytes(body) }

    mutating func withMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var span = mutableSpan
        return try span.withUnsafeMutableBytes(body)
    }
}
