import ShoalHTTP

/// Writes the head of a request that is not sent from here, and reads it back as a server would.
enum HeadText {
    /// Throws for a header that would not stay one line, and for whatever the parser of the server refuses.
    static func parse(
        requestLine: String, headers: [(name: String, value: String)]
    ) throws(SigningError) -> RequestHead {
        var text = "\(requestLine)\r\n"
        for header in headers {
            guard isToken(header.name) else { throw .notHTTP("the header name \(header.name) is no token") }
            guard header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .notHTTP("the value of \(header.name) holds a control character")
            }
            text += "\(header.name): \(header.value)\r\n"
        }
        let bytes = Array((text + "\r\n").utf8)
        do throws(HeadRefusal) {
            var parser = HeadParser()
            guard let parsed = try parser.parse(bytes.span) else { throw HeadRefusal.tooLarge }
            return parsed.head
        } catch {
            throw .notHTTP(error.reason)
        }
    }

    /// RFC 9110 §5.6.2.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte.isDigitASCII || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.lowercasedASCII)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}
