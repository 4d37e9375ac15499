/// The encoding of names that `encoding-type=url` asks for: that of HTML forms, but for `/`.
package enum URLEncoding {
    package static func append(_ value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
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

extension URLEncoding {
    /// The encoding of a key in the URL of its object, where S3 encodes slashes too: all but RFC 3986's unreserved bytes.
    package static func appendComponent(_ value: [UInt8], to bytes: inout [UInt8]) {
        for byte in value {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.appendHexadecimalUpper(byte)
            }
        }
    }

    /// Judges the `encoding-type` of a listing, nil if it was not sent: `url` in any case is the only one.
    /// Throws 400 `InvalidArgument`.
    static func check(_ encodingType: [UInt8]?) throws(S3Error) {
        guard let encodingType, !encodingType[...].equalsIgnoringCase("url") else { return }
        throw .invalidArgument(
            "Invalid Encoding Method specified in Request", name: "encoding-type", value: encodingType[...].text)
    }
}

extension XMLWriter {
    /// A name in a listing, encoded if the request wants it.
    mutating func element(_ name: StaticString, _ value: [UInt8], encodesURL: Bool) {
        open(name)
        text(value, encodesURL: encodesURL)
        close(name)
    }

    mutating func text(_ value: [UInt8], encodesURL: Bool) {
        if encodesURL {
            plain { URLEncoding.append(value, to: &$0) }
        } else {
            text(value[...])
        }
    }

    mutating func text(_ value: UnsafeRawBufferPointer, encodesURL: Bool) {
        if encodesURL {
            plain { URLEncoding.append(value, to: &$0) }
        } else {
            text(value)
        }
    }

    /// `<CommonPrefixes><Prefix>…</Prefix></CommonPrefixes>`.
    mutating func commonPrefix(_ prefix: [UInt8], encodesURL: Bool) {
        open("CommonPrefixes")
        element("Prefix", prefix, encodesURL: encodesURL)
        close("CommonPrefixes")
    }
}
