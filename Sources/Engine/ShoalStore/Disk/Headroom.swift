import Glibc
import Synchronization

/// The room of a file system, in bytes.
package struct DiskSpace: Sendable, Equatable {
    /// What this user may still fill.
    package let free: UInt64
    package let total: UInt64

    package init(free: UInt64, total: UInt64) {
        self.free = free
        self.total = total
    }
}

/// Keeps bodies out of the last part of a disk.
///
/// Deleting, listing and applying the log need space before they give any back. If bodies took it all, a full disk would
/// stay full whatever its user deletes.
final class Headroom: Sendable {
    /// A 64th of the disk, within these.
    private static let byteCounts: ClosedRange<UInt64> = (4 << 20)...(64 << 20)
    private static let share: UInt64 = 64
    /// Body bytes between two looks at the disk, at most.
    private static let allowanceMax: UInt64 = 64 << 20

    private let directory: String
    private let disk: any Disk
    /// Bytes that may come before the disk is looked at again.
    private let allowance = Mutex<UInt64>(0)

    init(in directory: String, on disk: any Disk) {
        self.directory = directory
        self.disk = disk
    }

    /// Throws as a full disk does if a body of `size` bytes would not leave enough.
    func admit(_ size: UInt64) throws(StoreError) {
        try allowance.withLock { (allowance) throws(StoreError) in
            if size <= allowance {
                allowance -= size
                return
            }
            let space = try disk.space(of: directory)
            let kept = min(max(space.total / Self.share, Self.byteCounts.lowerBound), Self.byteCounts.upperBound)
            guard space.free >= kept, space.free - kept >= size else {
                throw .failed(.write, directory, number: ENOSPC)
            }
            // Half, because others write to the disk as well, and bodies under way are not counted.
            allowance = min((space.free - kept - size) / 2, Self.allowanceMax)
        }
    }
}
