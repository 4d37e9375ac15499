import ShoalHTTP
import Testing

/// What becomes of bytes that are given to a `HeadParser`.
enum HeadOutcome: Equatable {
    case head(Facts)
    case incomplete
    case refused(HeadRefusal)

    /// A head in a form that can be compared.
    struct Facts: Equatable {
        let bytes: [UInt8]
        let byteCount: Int
        let method: RequestHead.Method
        let target: [UInt8]
        let fields: [[ArraySlice<UInt8>]]
        let framing: BodyFraming
        let expectsContinue: Bool
        let keepsAlive: Bool
    }

    /// Parses `bytes` as they grow to each of `ends`.
    init(_ bytes: [UInt8], arrivingUpTo ends: [Int]) {
        var parser = HeadParser()
        do throws(HeadRefusal) {
            for end in ends {
                if let (head, byteCount) = try parser.parse(bytes.span.extracting(0..<end)) {
                    self = .head(Facts(head, byteCount))
                    return
                }
            }
            self = .incomplete
        } catch {
            self = .refused(error)
        }
    }

    init(_ bytes: [UInt8]) { self.init(bytes, arrivingUpTo: [bytes.count]) }

    init(_ text: String) { self.init(Array(text.utf8)) }

    var isHead: Bool { if case .head = self { true } else { false } }
}

extension HeadOutcome.Facts {
    init(_ head: RequestHead, _ byteCount: Int) {
        self.init(
            bytes: head.bytes, byteCount: byteCount, method: head.method, target: Array(head.target),
            fields: head.fieldLines.map { [head.name(of: $0), head.value(of: $0)] }, framing: head.framing,
            expectsContinue: head.expectsContinue, keepsAlive: head.keepsAlive)
    }
}

/// What becomes of bytes that are given to a `ChunkedDecoder`.
struct ChunkedOutcome: Equatable {
    enum End: Equatable {
        /// The bytes that belong to the body, over all pieces.
        case ended(byteCount: Int)
        case incomplete
        case refused(HeadRefusal)
    }

    var payload: [UInt8] = []
    var end = End.incomplete

    /// Decodes `bytes`, cut into pieces at the ascending `cuts`.
    init(_ bytes: [UInt8], cutAt cuts: [Int] = []) {
        var decoder = ChunkedDecoder()
        do throws(HeadRefusal) {
            for (from, to) in zip([0] + cuts, cuts + [bytes.count]) {
                if let consumed = try take(Array(bytes[from..<to]), &decoder) {
                    end = .ended(byteCount: from + consumed)
                    return
                }
            }
        } catch {
            end = .refused(error)
        }
    }

    init(_ text: String) { self.init(Array(text.utf8)) }

    private mutating func take(_ piece: [UInt8], _ decoder: inout ChunkedDecoder) throws(HeadRefusal) -> Int? {
        var start = 0
        while true {
            switch try decoder.next(piece.span, from: start) {
            case .payload(let range):
                #expect(!range.isEmpty && range.lowerBound >= start && range.upperBound <= piece.count)
                payload += piece[range]
                start = range.upperBound
            case .needsMore:
                #expect(!decoder.isDone)
                return nil
            case .end(let consumed):
                #expect(decoder.isDone)
                return consumed
            }
        }
    }
}

/// A head of GET `/` for host `h`; `fields` are further lines without their ends.
func headText(_ requestLine: String = "GET / HTTP/1.1", _ fields: [String] = []) -> String {
    ([requestLine, "Host: h"] + fields + ["", ""]).joined(separator: "\r\n")
}

/// The head that `text` is.
func parsedHead(_ text: String) throws -> RequestHead {
    var parser = HeadParser()
    let bytes = Array(text.utf8)
    return try #require(try parser.parse(bytes.span)).head
}

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
