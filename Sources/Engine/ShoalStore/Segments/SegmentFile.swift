import Synchronization

/// One open segment: a file of many small bodies, `DIR/segments/<n>`.
final class SegmentFile: Sendable {
    let number: UInt64
    let file: DiskFile
    /// Bodies in it that the catalogue does not know yet.
    private let pins = Atomic<Int>(0)

    init(_ number: UInt64, _ file: DiskFile) {
        self.number = number
        self.file = file
    }

    var isPinned: Bool { pins.load(ordering: .acquiring) != 0 }

    func pin() { pins.wrappingAdd(1, ordering: .relaxed) }

    func unpin() { pins.wrappingSubtract(1, ordering: .releasing) }
}
