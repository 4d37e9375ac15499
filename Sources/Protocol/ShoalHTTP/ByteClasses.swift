extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")

    /// SP or HTAB: optional white space around a field value (RFC 9110 §5.6.3).
    var isBlank: Bool { self == .space || self == 0x09 }

    /// A letter, digit or one of ``!#$%&'*+-.^_`|~`` (RFC 9110 §5.6.2).
    var isToken: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "!"), 0x23...0x27, UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Visible, blank or above ASCII: what a field value may hold (RFC 9110 §5.5).
    var isFieldContent: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

    /// Visible or above ASCII. S3 clients send raw UTF-8 in targets, though RFC 3986 has them escape it.
    var isTargetByte: Bool { self > 0x20 && self != 0x7F }
}
