/// Everything that must not be seen, gathered while it is used.
final class Confidences {
    private var texts: Set<String> = []

    func add(_ text: String?) {
        // Shorter texts could stand anywhere by chance.
        if let text, text.utf8.count >= 8 { texts.insert(text) }
    }

    /// What a request carries: signatures, tokens, the whole query of a signed URL, the credentials of its headers.
    func add(_ request: WireRequest) {
        let query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        if query.contains("ignature=") { add(query) }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            let isSecret = ["X-Amz-Signature", "Signature", "X-Amz-Security-Token"].contains(
                parts.first.map(String.init))
            if isSecret { add(parts.dropFirst().first.map(String.init)) }
        }
        for header in request.headers {
            switch header.name.lowercased() {
            case "authorization":
                add(header.value)
                add(header.value.split(separator: "Signature=").dropFirst().first.map(String.init))
            case "x-amz-security-token", "cookie": add(header.value)
            default: break
            }
        }
        // Chunk and trailer signatures of an aws-chunked body.
        let body = String(decoding: request.body, as: UTF8.self)
        for mark in ["chunk-signature=", "x-amz-trailer-signature:"] {
            for piece in body.split(separator: mark).dropFirst() where body.contains(mark) {
                add(String(piece.prefix(64)))
            }
        }
    }

    /// Those that `text` holds.
    func found(in text: String) -> [String] { texts.filter { text.contains($0) }.sorted() }

    var count: Int { texts.count }
}
