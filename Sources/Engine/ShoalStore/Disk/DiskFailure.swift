import Glibc

/// A system call on a file that failed: what, where, and with which error number.
package struct DiskFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Step: String, Sendable, CaseIterable {
        case open, read, write, truncate, sync, rename, remove, list, inspect, lock
        case makeDirectory = "make directory"
        case syncDirectory = "sync directory"
    }

    package enum Kind: Sendable {
        /// No space, no inode, or the quota is used up.
        case full
        case denied
        case readOnly
        /// The process or the machine has no descriptors left.
        case outOfDescriptors
        case missing
        case exists
        /// The device reported an error, or anything else.
        case damaged
    }

    package let step: Step
    package let path: String
    /// As in errno(3).
    package let number: Int32

    package init(_ step: Step, _ path: String, number: Int32 = errno) {
        self.step = step
        self.path = path
        self.number = number
    }

    package var kind: Kind {
        switch number {
        case ENOSPC, EDQUOT: .full
        case EACCES, EPERM: .denied
        case EROFS: .readOnly
        case EMFILE, ENFILE: .outOfDescriptors
        case ENOENT: .missing
        case EEXIST: .exists
        default: .damaged
        }
    }

    package var description: String { "\(step.rawValue) \(path): \(String(cString: strerror(number)))" }
}

extension StoreError {
    /// A failed system call whose error number still stands in `errno`.
    static func failed(_ step: DiskFailure.Step, _ path: String, number: Int32 = errno) -> StoreError {
        .disk(DiskFailure(step, path, number: number))
    }

    /// The file is not there, which is often an answer and no fault.
    var isMissingFile: Bool {
        if case .disk(let failure) = self { failure.kind == .missing } else { false }
    }
}
