import Glibc

/// Bytes that were received and not consumed yet.
///
/// They are looked at where they lie, in the loop's buffer, and copied only if they outlive the turn. An idle connection
/// holds no memory here.
struct InputWindow {
    /// Bytes of the loop's buffer; valid during one turn.
    private var borrowed = UnsafeRawBufferPointer(start: nil, count: 0)
    private var kept: UnsafeMutableRawBufferPointer?
    private var keptStart = 0

    var isEmpty: Bool { count == 0 }

    var count: Int { kept.map { $0.count - keptStart } ?? borrowed.count }

    var bytes: UnsafeRawBufferPointer {
        guard let kept else { return borrowed }
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(kept)[keptStart...])
    }

    /// Puts `more` behind what is here.
    mutating func add(_ more: UnsafeRawBufferPointer) {
        guard !isEmpty else {
            free()
            borrowed = more
            return
        }
        let old = bytes
        let joined = UnsafeMutableRawBufferPointer.allocate(byteCount: old.count + more.count, alignment: 1)
        joined.copyMemory(from: old)
        UnsafeMutableRawBufferPointer(rebasing: joined[old.count...]).copyMemory(from: more)
        free()
        (kept, keptStart, borrowed) = (joined, 0, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    mutating func consume(_ byteCount: Int) {
        guard let buffer = kept else {
            borrowed = UnsafeRawBufferPointer(rebasing: borrowed[byteCount...])
            return
        }
        keptStart += byteCount
        if keptStart == buffer.count { free() }
    }

    /// Copies borrowed bytes, because the loop's buffer is about to be used again.
    mutating func keep() {
        guard kept == nil, !borrowed.isEmpty else { return }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: borrowed.count, alignment: 1)
        copy.copyMemory(from: borrowed)
        (kept, keptStart, borrowed) = (copy, 0, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// Forgets everything; to be called before the value goes away.
    mutating func free() {
        kept?.deallocate()
        (kept, keptStart, borrowed) = (nil, 0, UnsafeRawBufferPointer(start: nil, count: 0))
    }
}
