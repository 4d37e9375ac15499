import Glibc

/// `DIR/LOCK`: one store per directory. It holds the process id of its holder, for the sentence a second one prints.
///
/// flock(2) ends with the process however it ends, so a number that a dead process left means nothing. Letting the value go
/// unlocks in so many words: closing alone would leave the lock to whatever child is between fork and exec just then.
final class DirectoryLock: Sendable {
    private let file: DiskFile

    /// Throws `locked` if another descriptor, of this process or another, holds it.
    init(in directory: String, on disk: any Disk) throws(StoreError) {
        let path = directory + "/LOCK"
        file = try disk.open(path, .readWrite)
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw .failed(.lock, path) }
            throw .locked(path: directory, holder: Self.holder(try disk.contents(of: path)))
        }
        try disk.truncate(file, to: 0)
        let text = Array("\(getpid())\n".utf8)
        try text.withBytes { (bytes) throws(StoreError) in try disk.write(bytes, to: file, at: 0) }
    }

    deinit { flock(file.descriptor, LOCK_UN) }

    private static func holder(_ text: [UInt8]) -> Int32? {
        Int32(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
