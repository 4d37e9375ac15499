/// Cuts a stream of bytes into lines, however it arrives.
struct LineSplitter {
    /// Bytes of one line; longer ones are cut.
    static let lineByteCountMax = 1 << 20

    private var pending: [UInt8] = []

    /// Hands over each line that is complete, without its CR and LF; false as soon as `onLine` returns false.
    mutating func feed(_ bytes: UnsafeRawBufferPointer, _ onLine: (ArraySlice<UInt8>) -> Bool) -> Bool {
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if pending.count < Self.lineByteCountMax { pending.append(byte) }
                continue
            }
            if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
            defer { pending.removeAll(keepingCapacity: true) }
            guard onLine(pending[...]) else { return false }
        }
        return true
    }
}
