import ShoalFaults
import ShoalJSON

/// `POST /_shoal/v1/scopes`: a world of its own.
package struct CreateScopeRequest: AdminMessage, Equatable {
    /// Seconds that a scope may be unused before it goes; 0 for as long as the server runs.
    package static let usualTTL = 3_600
    package static let ttlMax = 7 * 86_400
    package static let nameByteCountMax = 64

    /// Made up if nil: 1 to 64 letters, digits, `.`, `_` and `-`.
    package let name: String?
    /// Buckets to make in it.
    package let buckets: [String]
    /// Seconds.
    package let ttl: Int
    /// Whether it gets a port of its own.
    package let port: Bool

    package init(name: String? = nil, buckets: [String] = [], ttl: Int = usualTTL, port: Bool = false) {
        self.name = name
        self.buckets = buckets
        self.ttl = ttl
        self.port = port
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        try reader.allow(["name", "buckets", "ttl", "port"])
        name = try reader.member("name")?.string()
        if let name, !Self.isName(name) {
            throw try reader.required("name").flaw(
                "a scope's name is 1 to \(Self.nameByteCountMax) of letters, digits, '.', '_' and '-'")
        }
        var buckets: [String] = []
        for element in try reader.member("buckets")?.elements() ?? [] { buckets.append(try element.string()) }
        self.buckets = buckets
        ttl = try reader.member("ttl")?.integer() ?? Self.usualTTL
        port = try reader.member("port")?.bool() ?? false
        guard (0...Self.ttlMax).contains(ttl) else {
            throw try reader.required("ttl").flaw(
                "ttl is a number of seconds from 1 to \(Self.ttlMax), or 0 for a scope that stays")
        }
    }

    /// Names stand in URLs.
    private static func isName(_ text: String) -> Bool {
        (1...nameByteCountMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    package var json: JSON {
        .members([
            ("name", .text(name)), ("buckets", .array(buckets.map { .string($0) })), ("ttl", .count(ttl)),
            ("port", port ? true : nil),
        ])
    }
}

/// A scope and the key that leads into it.
package struct ScopeView: AdminMessage, Equatable {
    package let scope: String
    package let accessKeyId: String
    /// Only in the answer to the creation, once.
    package let secretAccessKey: String?
    /// Where S3 is served: at the scope's own port if it has one.
    package let endpoint: String
    /// The scope's own; nil if its requests come by the server's.
    package let port: UInt16?
    /// Seconds that it may be unused; 0 for a scope that stays.
    package let ttl: Int

    package init(
        scope: String, accessKeyId: String, secretAccessKey: String? = nil, endpoint: String, port: UInt16? = nil,
        ttl: Int
    ) {
        self.scope = scope
        self.accessKeyId = accessKeyId
        self.secretAccessKey = secretAccessKey
        self.endpoint = endpoint
        self.port = port
        self.ttl = ttl
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        scope = try reader.required("scope").string()
        accessKeyId = try reader.required("accessKeyId").string()
        secretAccessKey = try reader.member("secretAccessKey")?.string()
        endpoint = try reader.required("endpoint").string()
        port = try reader.member("port")?.integer()
        ttl = try reader.required("ttl").integer()
    }

    package var json: JSON {
        .members([
            ("scope", .string(scope)), ("accessKeyId", .string(accessKeyId)),
            ("secretAccessKey", .text(secretAccessKey)), ("endpoint", .string(endpoint)),
            ("port", port.map { .count($0) }), ("ttl", .count(ttl)),
        ])
    }
}

package struct ScopeList: AdminMessage, Equatable {
    package let scopes: [ScopeView]

    package init(scopes: [ScopeView]) { self.scopes = scopes }

    package init(_ reader: MessageReader) throws(MalformedMessage) { scopes = try reader.required("scopes").list() }

    package var json: JSON { ["scopes": .list(scopes)] }
}

/// `DELETE …/scopes/{s}`: what was unfinished when the scope went.
package struct ScopeReport: AdminMessage, Equatable {
    package let scope: String
    package let buckets: Int
    /// Rules that struck nobody, by id.
    package let neverFired: [String]
    /// Uploads in parts that were begun and not ended.
    package let openUploads: [UploadView]
    /// Connections whose last request was the scope's, still open.
    package let openConnections: Int

    package init(
        scope: String, buckets: Int, neverFired: [String], openUploads: [UploadView], openConnections: Int
    ) {
        self.scope = scope
        self.buckets = buckets
        self.neverFired = neverFired
        self.openUploads = openUploads
        self.openConnections = openConnections
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        scope = try reader.required("scope").string()
        buckets = try reader.required("buckets").integer()
        var ids: [String] = []
        for element in try reader.required("neverFired").elements() { ids.append(try element.string()) }
        neverFired = ids
        openUploads = try reader.required("openUploads").list()
        openConnections = try reader.required("openConnections").integer()
    }

    package var json: JSON {
        .members([
            ("scope", .string(scope)), ("buckets", .count(buckets)),
            ("neverFired", .array(neverFired.map { .string($0) })), ("openUploads", .list(openUploads)),
            ("openConnections", .count(openConnections)),
        ])
    }
}

/// `POST /_shoal/v1/reset` and `POST …/scopes/{s}/reset`: what was there and is gone.
package struct ResetResult: AdminMessage, Equatable {
    package let buckets: Int
    package let rules: Int

    package init(buckets: Int, rules: Int) {
        self.buckets = buckets
        self.rules = rules
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        buckets = try reader.required("buckets").integer()
        rules = try reader.required("rules").integer()
    }

    package var json: JSON { ["buckets": .count(buckets), "rules": .count(rules)] }
}
