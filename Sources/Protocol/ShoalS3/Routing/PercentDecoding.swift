import ShoalCrypto

/// The decoding S3 applies once to a path, a query and a copy source: `%XX` is a byte and `+` is a blank.
enum PercentDecoding {
    /// Appends what `encoded` stands for; false if a `%` is not followed by two hexadecimal digits.
    static func append(_ encoded: ArraySlice<UInt8>, to bytes: inout [UInt8]) -> Bool {
        encoded.withUnsafeBufferPointer { encoded in
            var index = 0
            while index < encoded.count {
                let plainEnd = endOfPlain(encoded, from: index)
                if plainEnd > index {
                    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: encoded[index..<plainEnd]))
                    index = plainEnd
                    continue
                }
                if encoded[index] == UInt8(ascii: "+") {
                    bytes.append(UInt8(ascii: " "))
                    index += 1
                    continue
                }
                guard index + 2 < encoded.count, let high = Hexadecimal.value(of: encoded[index + 1]),
                    let low = Hexadecimal.value(of: encoded[index + 2])
                else { return false }
                bytes.append(high << 4 | low)
                index += 3
            }
            return true
        }
    }

    private static func endOfPlain(_ encoded: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < encoded.count, encoded[index] != UInt8(ascii: "%"), encoded[index] != UInt8(ascii: "+") {
            index += 1
        }
        return index
    }
}
