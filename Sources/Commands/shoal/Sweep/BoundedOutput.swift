/// What a command wrote: all of it, or its beginning and its end with the number of bytes between.
struct BoundedOutput {
    /// Bytes of the beginning, and of the end.
    static let byteCountMax = 16_384

    private var head: [UInt8] = []
    private var tail: [UInt8] = []
    private var droppedCount = 0

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        let room = Self.byteCountMax - head.count
        head += bytes.prefix(room)
        tail += bytes.dropFirst(room)
        // Cut rarely, not at each append.
        if tail.count > 2 * Self.byteCountMax { cut() }
    }

    private mutating func cut() {
        let surplus = tail.count - Self.byteCountMax
        guard surplus > 0 else { return }
        tail.removeFirst(surplus)
        droppedCount += surplus
    }

    var text: String {
        var whole = self
        whole.cut()
        let gap = whole.droppedCount > 0 ? "\n[\(whole.droppedCount) bytes left out]\n" : ""
        return String(decoding: whole.head, as: UTF8.self) + gap + String(decoding: whole.tail, as: UTF8.self)
    }
}
