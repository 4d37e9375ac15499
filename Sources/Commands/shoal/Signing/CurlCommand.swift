import ShoalSigV4

/// The curl command that uses a presigned URL, ready to paste into a shell.
struct CurlCommand {
    let request: PresignedRequest
    /// What is uploaded, or written to.
    let file: String?

    init(_ request: PresignedRequest, file: String?) {
        self.request = request
        self.file = file
    }

    var text: String {
        var words = ["curl"]
        switch request.method {
        case "PUT": words += ["--upload-file", file.map(Self.quoted) ?? "FILE"]
        case "HEAD": words += ["--head"]
        case "DELETE": words += ["--request", "DELETE"]
        default: words += file.map { ["--output", Self.quoted($0)] } ?? []
        }
        // curl sends the length of what it uploads by itself, and pinned it is checked there.
        for header in request.headers where header.name != "content-length" {
            words += ["--header", Self.quoted("\(header.name): \(header.value)")]
        }
        return (words + [Self.quoted(request.url)]).joined(separator: " ")
    }

    /// As one word of a POSIX shell.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:@%+,".utf8.contains(byte)
            }
        }
        if isPlain, !text.isEmpty { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
