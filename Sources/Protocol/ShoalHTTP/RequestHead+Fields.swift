extension RequestHead {
    /// A head that was never on the wire: the fields of a form, for what reads header fields. It has no request line and
    /// no body, and its values may hold anything.
    package init(fields: [(name: [UInt8], value: [UInt8])]) {
        var bytes: [UInt8] = []
        var lines: [FieldLine] = []
        for (name, value) in fields {
            let start = Int32(bytes.count)
            bytes += name
            let middle = Int32(bytes.count)
            bytes += value
            lines.append(FieldLine(name: start..<middle, value: middle..<Int32(bytes.count)))
        }
        self.init(
            bytes: bytes, methodRange: 0..<0, targetRange: 0..<0, fieldLines: lines, framing: .none,
            expectsContinue: false, keepsAlive: false, isVersion1_0: false)
    }
}
