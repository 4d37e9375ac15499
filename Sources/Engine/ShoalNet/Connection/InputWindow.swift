/// Bytes that were received and not consumed yet.
///
/// They are looked at where they lie, in the loop's buffer, and copied only if they outlive the turn. An idle connection
/// holds no memory here.
struct InputWindow {
    /// Bytes of the loop's buffer; valid during one turn.
    private var borrowed = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Memory of our own, filled in `keptRange`.
    private var kept: UnsafeMutableRawBufferPointer?
    private var keptRange = 0..<0

    private static let keptByteCountMin = 1_024

    var isEmpty: Bool { count == 0 }

    var count: Int { kept == nil ? borrowed.count : keptRange.count }

    var bytes: UnsafeRawBufferPointer {
        guard let kept else { return borrowed }
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(kept)[keptRange])
    }

    /// Puts `more` behind what is here.
    mutating func add(_ more: UnsafeRawBufferPointer) {
        guard !isEmpty else {
            free()
            borrowed = more
            return
        }
        keep(roomFor: more.count)
        guard let kept else { return }
        UnsafeMutableRawBufferPointer(rebasing: kept[keptRange.upperBound...]).copyMemory(from: more)
        keptRange = keptRange.lowerBound..<(keptRange.upperBound + more.count)
    }

    mutating func consume(_ byteCount: Int) {
        guard kept != nil else {
            borrowed = UnsafeRawBufferPointer(rebasing: borrowed[byteCount...])
            return
        }
        keptRange = (keptRange.lowerBound + byteCount)..<keptRange.upperBound
        if keptRange.isEmpty { free() }
    }

    /// Copies borrowed bytes, because the loop's buffer is about to be used again.
    mutating func keep() {
        guard kept == nil, !borrowed.isEmpty else { return }
        keep(roomFor: 0)
    }

    /// Sees to memory of our own with `more` bytes free at its end. It doubles, so that a head in many pieces is not
    /// copied once for each.
    private mutating func keep(roomFor more: Int) {
        if let kept, kept.count - keptRange.upperBound >= more { return }
        let old = bytes
        let needed = old.count + more
        let size = kept == nil && more == 0 ? needed : max(Self.keptByteCountMin, needed * 2)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        memory.copyMemory(from: old)
        free()
        (kept, keptRange) = (memory, 0..<old.count)
    }

    /// Forgets everything; to be called before the value goes away.
    mutating func free() {
        kept?.deallocate()
        (kept, keptRange, borrowed) = (nil, 0..<0, UnsafeRawBufferPointer(start: nil, count: 0))
    }
}
