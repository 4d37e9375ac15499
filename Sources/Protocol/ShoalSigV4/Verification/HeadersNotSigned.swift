import ShoalHTTP
import ShoalS3

/// The rule that a header S3 acts on must be covered by the signature.
enum HeadersNotSigned {
    /// Throws `AccessDenied` with the names that a V4 signature had to cover and does not.
    static func check(_ head: RequestHead, signedHeaders: ArraySlice<UInt8>) throws(S3Error) {
        try SignedHeaderNames.checkBound(signedHeaders)
        var missing: [[UInt8]] = []
        for line in head.fieldLines where mustBeSigned(line, of: head) {
            guard !SignedHeaderNames.contains(signedHeaders, nameOf: line, of: head) else { continue }
            let name = head.name(of: line).map(\.lowercasedASCII)
            if !missing.contains(name) { missing.append(name) }
        }
        guard !missing.isEmpty else { return }
        throw S3Error(
            .accessDenied, "There were headers present in the request which were not signed",
            elements: [
                S3Error.Element("HeadersNotSigned", hashSetOrder(missing).map(\.text).joined(separator: ", "))
            ])
    }

    /// `host`, `content-md5` and every `x-amz-…` but `x-amz-content-sha256`, which is the payload line whether signed or
    /// not.
    private static func mustBeSigned(_ line: RequestHead.FieldLine, of head: RequestHead) -> Bool {
        let name = head.name(of: line)
        guard let first = name.first else { return false }
        switch first | 0x20 {
        case UInt8(ascii: "h"): return name.equalsIgnoringCase("host")
        case UInt8(ascii: "c"): return name.equalsIgnoringCase("content-md5")
        case UInt8(ascii: "x"):
            return name.prefix(6).equalsIgnoringCase("x-amz-") && !name.equalsIgnoringCase("x-amz-content-sha256")
        default: return false
        }
    }

    /// The order in which a `java.util.HashSet` of strings iterates, which is the order AWS answers in: sorted by bucket,
    /// the table growing from 16 at three quarters full.
    static func hashSetOrder(_ names: [[UInt8]]) -> [[UInt8]] {
        var capacity = 16
        while names.count > capacity * 3 / 4 { capacity *= 2 }
        func bucket(_ name: [UInt8]) -> Int {
            let hash = name.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
            return Int((hash ^ hash >> 16) & UInt32(capacity - 1))
        }
        return names.map { (bucket: bucket($0), name: $0) }.sorted { left, right in
            left.bucket != right.bucket
                ? left.bucket < right.bucket : left.name.lexicographicallyPrecedes(right.name)
        }.map(\.name)
    }
}
