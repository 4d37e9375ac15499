extension S3Error {
    /// The page a website shows for an error that no error document covers.
    ///
    /// `errorDocumentFailure` tells why the error document, if there is one, could not be shown.
    /// https://docs.aws.amazon.com/AmazonS3/latest/userguide/CustomErrorDocSupport.html
    package func websitePage(_ identifiers: RequestIdentifiers, errorDocumentFailure: S3Error? = nil) -> [UInt8] {
        let title = "\(status.code) \(status.reasonPhrase)"
        var page = "<html>\n<head><title>\(title)</title></head>\n<body>\n<h1>\(title)</h1>\n<ul>\n"
        page += listItems
        page += Self.item("RequestId", identifiers.requestID) + Self.item("HostId", identifiers.hostID) + "</ul>\n"
        if let errorDocumentFailure {
            page += "<h3>An Error Occurred While Attempting to Retrieve a Custom Error Document</h3>\n<ul>\n"
            page += errorDocumentFailure.listItems + "</ul>\n"
        }
        page += "<hr/>\n</body>\n</html>\n"
        return Array(page.utf8)
    }

    /// The headers in which a website says the same to programs; what no header can hold is left out.
    package var websiteHeaders: [(name: String, value: String)] {
        let lines =
            [("x-amz-error-code", code.rawValue), ("x-amz-error-message", message)]
            + elements.map { ("x-amz-error-detail-\($0.name)", $0.value) }
        return lines.filter { !Array($0.1.utf8).contains(where: \.isControl) }
    }

    private var listItems: String {
        Self.item("Code", code.rawValue) + Self.item("Message", message)
            + elements.map { Self.item($0.name, $0.value) }.joined()
    }

    private static func item(_ name: String, _ value: String) -> String {
        var text: [UInt8] = []
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "&"): text += Array("&amp;".utf8)
            case UInt8(ascii: "<"): text += Array("&lt;".utf8)
            case UInt8(ascii: ">"): text += Array("&gt;".utf8)
            case UInt8(ascii: "\""): text += Array("&quot;".utf8)
            default: text.append(byte)
            }
        }
        return "<li>\(name): \(String(decoding: text, as: UTF8.self))</li>\n"
    }
}
