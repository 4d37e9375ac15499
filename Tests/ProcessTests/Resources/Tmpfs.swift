import Glibc
import ShoalProcess

/// A file system of a few mebibytes in memory, unmounted when the value goes.
final class Tmpfs {
    static let reason = "mounting a tmpfs needs root with CAP_SYS_ADMIN"

    /// Whether this process may not mount one.
    static let isMissing: Bool = {
        do {
            _ = try Tmpfs(mebibyteCount: 1)
            return false
        } catch {  // Whatever the obstacle is, the tests that need one are skipped in words.
            return true
        }
    }()

    private let folder = TemporaryFolder()

    var path: String { folder.path }

    init(mebibyteCount: Int, isReadOnly: Bool = false) throws {
        let result = mount("tmpfs", folder.path, "tmpfs", isReadOnly ? UInt(MS_RDONLY) : 0, "size=\(mebibyteCount)m")
        guard result == 0 else { throw Surprise("mount: \(String(cString: strerror(errno)))") }
    }

    deinit { umount(folder.path) }
}
