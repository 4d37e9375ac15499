/// What a captive portal answers in place of the store: a page to log in at, or the way to one.
package struct ForeignPage: Hashable, Sendable {
    /// Nil for a page of our own.
    package var html: String?
    /// Where the page is: then the answer is a 302.
    package var location: String?

    package init(html: String? = nil, location: String? = nil) {
        self.html = html
        self.location = location
    }

    package static let usualHTML =
        "<!DOCTYPE html><html><head><title>Wi-Fi</title></head><body>Please log in.</body></html>"

    /// Why it cannot be shown, in words; nil if it can.
    var flaw: String? {
        if let html, html.utf8.count > InjectedAnswer.bodyByteCountMax {
            return "the page is longer than \(InjectedAnswer.bodyByteCountMax) bytes"
        }
        guard let location, location.isEmpty || !InjectedAnswer.isFieldValue(location) else { return nil }
        return "the location cannot stand in a header line"
    }
}

/// The answer of S3 to a request that should go elsewhere.
package struct InjectedRedirect: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// For this request only; the answer has a `Location`.
        case temporary = "307"
        /// From now on; S3 tells the endpoint in its document and the region in a header, and no `Location`.
        case permanent = "301"
    }

    package var kind: Kind
    /// The bucket's region, as the answer tells it.
    package var region: String
    /// Host, and port if need be; nil for that of AWS in the region.
    package var endpoint: String?

    package init(_ kind: Kind, region: String = Self.usualRegion, endpoint: String? = nil) {
        self.kind = kind
        self.region = region
        self.endpoint = endpoint
    }

    package static let usualRegion = "eu-west-1"
    private static let nameByteCountMax = 255

    /// Why nobody can be sent there, in words; nil if somebody can.
    var flaw: String? {
        if !Self.isName(region, with: "-") { return "a region is made of letters, digits and '-'" }
        guard let endpoint, !Self.isName(endpoint, with: "-.:[]") else { return nil }
        return "an endpoint is a host, with a port if need be, such as 127.0.0.1:9000"
    }

    private static func isName(_ text: String, with marks: String) -> Bool {
        (1...nameByteCountMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: marks.utf8.contains(byte)
                }
            }
    }
}
