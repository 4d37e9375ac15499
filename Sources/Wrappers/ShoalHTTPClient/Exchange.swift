import CShoalCurl

/// One request on its way: what libcurl's callbacks fill.
final class Exchange {
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    private(set) var endedByCaller = false

    private var status = 0
    private let source: RequestBodySource
    private let onProgress: ((Int64, Int64) -> Void)?
    private let onData: ((Int, UnsafeRawBufferPointer) -> Bool)?
    private let isCancelled: (() -> Bool)?

    init(
        source: RequestBodySource, onProgress: ((Int64, Int64) -> Void)?,
        onData: ((Int, UnsafeRawBufferPointer) -> Bool)?, isCancelled: (() -> Bool)?
    ) {
        self.source = source
        self.onProgress = onProgress
        self.onData = onData
        self.isCancelled = isCancelled
    }

    /// Whether to go on.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let onData else {
            body.append(contentsOf: bytes)
            return true
        }
        endedByCaller = !onData(status, bytes)
        return !endedByCaller
    }

    /// A status line starts over, so that the headers of `100 Continue` do not stay.
    private func takeHeaderLine(_ line: UnsafeRawBufferPointer) {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            headers = []
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = text.firstIndex(of: ":") {
            headers.append((String(text[..<colon]), Self.trimmed(text[text.index(after: colon)...])))
        }
    }

    /// Without blanks and the line's end around it.
    private static func trimmed(_ value: Substring) -> String {
        let isBlank = { (character: Character) in character.isWhitespace }
        return String(value.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Exchange {
        guard let context else { preconditionFailure("libcurl hands back the context it was given") }
        return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    }

    static let callbacks = shoal_curl_callbacks(
        body: { context, bytes, count in
            Exchange.of(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        },
        header: { context, bytes, count in
            Exchange.of(context).takeHeaderLine(UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        },
        read: { context, bytes, count in
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: count)
            return Exchange.of(context).source.read(into: buffer) ?? Int(bitPattern: UInt.max)
        },
        seek: { context, offset in
            Exchange.of(context).source.seek(to: offset)
            return 0
        },
        progress: { context, sent, total in
            let exchange = Exchange.of(context)
            exchange.onProgress?(sent, total)
            return exchange.isCancelled?() == true ? 1 : 0
        })
}
