import ShoalSeeded

extension [UInt8] {
    /// Bytes that mean something to a parser of heads or chunks, and bytes that none expects.
    private static let telling = Array("\r\n \t:,;0f1G/?*.".utf8) + [0, 0x7F, 0x80, 0xFF]

    /// Changes one to four places: a byte set, put in or taken out, a run doubled, or the end cut off.
    func mutated(using random: inout SeededGenerator) -> [UInt8] {
        var bytes = self
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = bytes.indices.randomElement(using: &random)!
            let byte =
                Bool.random(using: &random)
                ? Self.telling.randomElement(using: &random)! : UInt8.random(in: .min ... .max, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: bytes[place] = byte
            case 2, 3: bytes.insert(byte, at: place)
            case 4, 5: bytes.remove(at: place)
            case 6: bytes.insert(contentsOf: bytes[place...].prefix(Int.random(in: 1...40, using: &random)), at: place)
            default: bytes.removeSubrange(Swift.max(place, bytes.count - 20)...)
            }
        }
        return bytes
    }

    /// Up to eight places, ascending, between the bytes; some twice, so that a piece may be empty.
    func cuts(using random: inout SeededGenerator) -> [Int] {
        (0..<Int.random(in: 1...8, using: &random)).map { _ in Int.random(in: 0...count, using: &random) }.sorted()
    }
}
