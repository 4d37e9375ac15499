/// A request exactly as it goes over the wire: nothing is added to what stands here.
struct WireRequest: Sendable {
    typealias Field = (name: String, value: String)

    var method: String
    var target: String
    var host: String
    var headers: [Field]
    var body: [UInt8]

    /// Request line and header lines with the empty line behind them.
    var head: [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    var bytes: [UInt8] { head + body }

    /// The first header of that name; setting nil removes all of that name.
    subscript(name: String) -> String? {
        get { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            headers.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { headers.append((name, newValue)) }
        }
    }
}

/// A request as a client means it, before anybody signs it.
struct S3Call: Sendable {
    var method: String
    var bucket: String?
    var key: String?
    var query: [WireRequest.Field] = []
    /// Signed and sent.
    var headers: [WireRequest.Field] = []
    /// Sent without being signed.
    var unsigned: [WireRequest.Field] = []
    var body: [UInt8] = []

    init(
        _ method: String, _ bucket: String? = nil, _ key: String? = nil, query: [WireRequest.Field] = [],
        headers: [WireRequest.Field] = [], unsigned: [WireRequest.Field] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.bucket = bucket
        self.key = key
        self.query = query
        self.headers = headers
        self.unsigned = unsigned
        self.body = body
    }

    init(
        _ method: String, _ bucket: String? = nil, _ key: String? = nil, query: [WireRequest.Field] = [],
        headers: [WireRequest.Field] = [], unsigned: [WireRequest.Field] = [], body: String
    ) {
        self.init(
            method, bucket, key, query: query, headers: headers, unsigned: unsigned, body: Array(body.utf8))
    }
}
