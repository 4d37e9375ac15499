/// An answer: status, header lines already in wire form, and a body.
///
/// The connection adds `Content-Length` and `Connection`; everything else, `Date` included, is the caller's.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    /// Header lines in wire form, each ended by CRLF.
    package private(set) var fieldLines: [UInt8]
    package var body: Body
    package var length: Length = .ofBody
    /// The connection ends after this answer, because what follows on it cannot be told.
    package var endsConnection = false

    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Bytes of an open file, sent without passing through user memory.
        case file(any FileSlice)

        package var byteCount: UInt64 {
            switch self {
            case .none: 0
            case .bytes(let bytes): UInt64(bytes.count)
            case .file(let slice): slice.byteCount
            }
        }
    }

    /// What `Content-Length` says.
    package enum Length: Sendable, Equatable {
        case ofBody
        /// The length a GET would have: the answer to a HEAD.
        case declared(UInt64)
        /// No such field: 204, 304, and answers that declare their framing themselves.
        case omitted
        /// No such field: the body is one chunk, and the chunk of no bytes that ends a body never comes.
        case unterminated
    }

    package init(_ status: HTTPStatus, body: Body = .none) {
        self.status = status
        self.body = body
        fieldLines = []
        fieldLines.reserveCapacity(512)
    }
}

/// Bytes of one file or of several behind one another, readable for as long as the value lives.
package protocol FileSlice: Sendable {
    var byteCount: UInt64 { get }

    /// What it is a part of: where in that it begins, and how many bytes that has.
    var place: (start: UInt64, whole: UInt64) { get }

    /// The bytes from byte `position` on that lie behind one another in one file; the descriptor is good until the next
    /// call. `position` is less than `byteCount`.
    func run(at position: UInt64) throws -> FileRun
}

extension FileSlice {
    package var place: (start: UInt64, whole: UInt64) { (0, byteCount) }
}

/// Bytes of an open file.
package struct FileRun: Sendable {
    package let descriptor: Int32
    package let offset: UInt64
    package let byteCount: UInt64

    package init(descriptor: Int32, offset: UInt64, byteCount: UInt64) {
        self.descriptor = descriptor
        self.offset = offset
        self.byteCount = byteCount
    }
}

// MARK: - Header lines

extension HTTPResponse {
    package mutating func add(_ name: StaticString, _ value: StaticString) {
        add(name, writing: { lines in value.withUTF8Buffer { lines.append(contentsOf: $0) } })
    }

    package mutating func add(_ name: StaticString, _ value: String) {
        add(name, writing: { $0.append(contentsOf: value.utf8) })
    }

    package mutating func add(_ name: StaticString, _ value: some Collection<UInt8>) {
        add(name, writing: { $0.append(contentsOf: value) })
    }

    package mutating func add(name: String, value: String) {
        fieldLines.append(contentsOf: name.utf8)
        fieldLines.append(contentsOf: [UInt8(ascii: ":"), .space])
        fieldLines.append(contentsOf: value.utf8)
        endLine()
    }

    /// A line whose value is written straight into the buffer; the value must hold neither CR nor LF.
    package mutating func add(_ name: StaticString, writing value: (inout [UInt8]) -> Void) {
        name.withUTF8Buffer { fieldLines.append(contentsOf: $0) }
        fieldLines.append(UInt8(ascii: ":"))
        fieldLines.append(.space)
        value(&fieldLines)
        endLine()
    }

    /// Lines that are in wire form already, each ended by CRLF.
    package mutating func addLines(_ lines: some Collection<UInt8>) { fieldLines.append(contentsOf: lines) }

    /// Lets the caller append whole lines, each ended by CRLF.
    package mutating func withFieldLines(_ write: (inout [UInt8]) -> Void) { write(&fieldLines) }

    /// Removes the lines called `name`, in any case of letters.
    package mutating func removeLines(named name: String) {
        var kept: [UInt8] = []
        for line in fieldLines.split(separator: .lineFeed) {
            let isMeant = line.prefix { $0 != UInt8(ascii: ":") }.elementsEqual(name.utf8) {
                $0.lowercasedASCII == $1.lowercasedASCII
            }
            if !isMeant { kept += line + [.lineFeed] }
        }
        fieldLines = kept
    }

    /// Puts what `change` makes of it in place of each value whose name, in lower case, is meant.
    package mutating func changeValues(of isMeant: (String) -> Bool, _ change: (String) -> String) {
        let lines = fieldLines.split(separator: .lineFeed)
        fieldLines = []
        for line in lines {
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
            guard isMeant(name.lowercased()) else {
                fieldLines += line + [.lineFeed]
                continue
            }
            // Behind the colon and its blank, up to the CR.
            let value = line.dropFirst(name.utf8.count + 2).dropLast()
            add(name: name, value: change(String(decoding: value, as: UTF8.self)))
        }
    }

    private mutating func endLine() {
        fieldLines.append(.carriageReturn)
        fieldLines.append(.lineFeed)
    }
}

// MARK: - The head in wire form

extension HTTPResponse {
    /// Writes status line, header lines and the empty line.
    package func writeHead(into buffer: inout [UInt8], closes: Bool) {
        buffer.append(contentsOf: "HTTP/1.1 ".utf8)
        buffer.appendDecimal(UInt64(status.code))
        buffer.append(.space)
        buffer.append(contentsOf: status.reasonPhrase.utf8)
        buffer.append(contentsOf: [.carriageReturn, .lineFeed])
        buffer.append(contentsOf: fieldLines)
        if let count = contentLength {
            buffer.append(contentsOf: "Content-Length: ".utf8)
            buffer.appendDecimal(count)
            buffer.append(contentsOf: [.carriageReturn, .lineFeed])
        }
        if length == .unterminated { buffer.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8) }
        if closes { buffer.append(contentsOf: "Connection: close\r\n".utf8) }
        buffer.append(contentsOf: [.carriageReturn, .lineFeed])
        if length == .unterminated, body.byteCount > 0 {
            buffer.append(contentsOf: String(body.byteCount, radix: 16).utf8)
            buffer.append(contentsOf: [.carriageReturn, .lineFeed])
        }
    }

    private var contentLength: UInt64? {
        switch length {
        case .omitted, .unterminated: nil
        case .declared(let count): count
        case .ofBody: status.forbidsBody ? nil : body.byteCount
        }
    }
}

extension [UInt8] {
    /// Appends the decimal digits of `value`.
    package mutating func appendDecimal(_ value: UInt64) {
        if value >= 10 { appendDecimal(value / 10) }
        append(UInt8(ascii: "0") + UInt8(value % 10))
    }
}
