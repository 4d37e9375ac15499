/// A range of IP addresses as CIDR writes it, or one address.
/// https://www.rfc-editor.org/rfc/rfc4632
struct AddressRange: Sendable, Equatable {
    /// 4 bytes of IPv4 or 16 of IPv6.
    let address: [UInt8]
    /// Bits that addresses have in common.
    let prefixLength: Int

    /// `203.0.113.0/24`, `2001:db8::/32`, or an address alone; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = Self.address(parts[0]) else { return nil }
        self.address = address
        guard parts.count == 2 else {
            prefixLength = address.count * 8
            return
        }
        guard let length = Int(digits: Array(parts[1].utf8)[...]), 0...(address.count * 8) ~= length else { return nil }
        prefixLength = length
    }

    func contains(_ text: String) -> Bool {
        guard let other = Self.address(text[...]), other.count == address.count else { return false }
        let (whole, rest) = (prefixLength / 8, prefixLength % 8)
        guard other[..<whole].elementsEqual(address[..<whole]) else { return false }
        guard rest > 0 else { return true }
        return (other[whole] ^ address[whole]) >> UInt8(8 - rest) == 0
    }

    private static func address(_ text: Substring) -> [UInt8]? {
        text.utf8.contains(UInt8(ascii: ":")) ? version6(text) : version4(text)
    }

    private static func version4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part -> UInt8? in
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
            return UInt8(part)
        }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func version6(_ text: Substring) -> [UInt8]? {
        guard text.utf8.count <= 45 else { return nil }
        var halves: [[UInt8]] = []
        var rest = text
        while let gap = rest.firstRange(of: "::") {
            guard let half = groups(rest[..<gap.lowerBound]) else { return nil }
            halves.append(half)
            rest = rest[gap.upperBound...]
        }
        guard let last = groups(rest) else { return nil }
        halves.append(last)
        switch halves.count {
        case 1: return halves[0].count == 16 ? halves[0] : nil
        case 2:
            let missing = 16 - halves[0].count - halves[1].count
            return missing > 0 ? halves[0] + [UInt8](repeating: 0, count: missing) + halves[1] : nil
        default: return nil
        }
    }

    /// Groups of four hexadecimal digits, of which the last may be an IPv4 address.
    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, let tail = version4(part) {
                bytes += tail
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.first != UInt8(ascii: "+"),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(truncatingIfNeeded: group)]
            }
        }
        return bytes
    }
}
