/// The encoding of names that `encoding-type=url` asks for: that of HTML forms, but for `/`.
package enum URLEncoding {
    package static func append(_ value: [UInt8], to bytes: inout [UInt8]) {
        for byte in value {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "*"):
                bytes.append(byte)
            case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.appendHexadecimalUpper(byte)
            }
        }
    }
}
