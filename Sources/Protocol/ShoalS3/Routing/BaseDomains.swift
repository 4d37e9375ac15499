import ShoalHTTP

/// The host names under which buckets are host names of their own, such as `s3.localhost`.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
package struct BaseDomains: Sendable {
    /// In lower case, the longest first.
    private let domains: [[UInt8]]

    package init(_ domains: [String]) {
        self.domains = domains.map { $0.utf8.map(\.lowercasedASCII) }.filter { !$0.isEmpty }
            .sorted { $0.count > $1.count }
    }

    /// The bucket that a `Host` names, in lower case; nil for an address, a base itself, and a host that is under no
    /// base: those use path style. The longest base wins, and what stands before it is the bucket, dots included.
    package func bucket(inHost host: ArraySlice<UInt8>) -> [UInt8]? {
        let name = Self.withoutPort(host)
        for domain in domains {
            let distance = name.count - domain.count
            guard distance >= 0, zip(name.dropFirst(distance), domain).allSatisfy({ $0.lowercasedASCII == $1 }) else {
                continue
            }
            if distance == 0 { return nil }
            guard distance > 1, name[name.startIndex + distance - 1] == UInt8(ascii: ".") else { continue }
            return name.prefix(distance - 1).map(\.lowercasedASCII)
        }
        return nil
    }

    /// Without `:9000`, and without the dot that ends an absolute name.
    private static func withoutPort(_ host: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = host
        if let colon = host.lastIndex(of: UInt8(ascii: ":")), host[(colon + 1)...].allSatisfy(\.isDigitASCII) {
            name = host[..<colon]
        }
        return name.last == UInt8(ascii: ".") ? name.dropLast() : name
    }
}
