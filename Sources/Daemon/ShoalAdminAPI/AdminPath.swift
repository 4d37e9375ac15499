/// Where the admin API's resources live. No bucket can be called `_shoal`, so nothing of S3 is hidden by them.
package enum AdminPath {
    /// Every admin path starts with this.
    package static let root = "/_shoal"
    /// The scope that always exists and belongs to the configured access key.
    package static let defaultScope = "default"

    private static let version = root + "/v1"

    package static let health = root + "/health"
    package static let points = version + "/points"
    package static let actions = version + "/actions"
    package static let checks = version + "/checks"
    package static let presets = version + "/presets"
    package static let openAPI = version + "/openapi.json"
    package static let authority = version + "/ca.pem"
    package static let explain = version + "/explain"
    package static let reset = version + "/reset"
    package static let scopes = version + "/scopes"

    package static func preset(_ name: String) -> String { presets + "/" + segment(name) }

    package static func scope(_ scope: String) -> String { scopes + "/" + segment(scope) }
    package static func scopeReset(_ scope: String) -> String { self.scope(scope) + "/reset" }
    package static func urls(_ scope: String) -> String { self.scope(scope) + "/urls" }
    package static func credentials(_ scope: String) -> String { self.scope(scope) + "/credentials" }
    package static func rules(_ scope: String) -> String { self.scope(scope) + "/rules" }
    package static func rule(_ scope: String, id: String) -> String { rules(scope) + "/" + segment(id) }
    package static func schedule(_ scope: String) -> String { self.scope(scope) + "/schedule" }
    package static func clock(_ scope: String) -> String { self.scope(scope) + "/clock" }
    package static func journal(_ scope: String) -> String { self.scope(scope) + "/journal" }
    package static func journalStream(_ scope: String) -> String { journal(scope) + "/stream" }
    package static func notifications(_ scope: String) -> String { self.scope(scope) + "/notifications" }
    package static func objects(_ scope: String) -> String { self.scope(scope) + "/objects" }
    package static func lifecycle(_ scope: String) -> String { self.scope(scope) + "/lifecycle" }
    package static func uploads(_ scope: String) -> String { self.scope(scope) + "/uploads" }
    package static func operations(_ scope: String) -> String { self.scope(scope) + "/operations" }
    package static func operation(_ scope: String, id: String) -> String { operations(scope) + "/" + segment(id) }
    package static func verify(_ scope: String) -> String { self.scope(scope) + "/verify" }
    package static func wait(_ scope: String) -> String { self.scope(scope) + "/wait" }
    package static func nearMisses(_ scope: String) -> String { self.scope(scope) + "/near-misses" }
    package static func notes(_ scope: String) -> String { self.scope(scope) + "/notes" }

    package static func preset(_ scope: String, name: String) -> String {
        self.scope(scope) + "/presets/" + segment(name)
    }

    package static func gateRelease(_ scope: String, gate: String) -> String {
        self.scope(scope) + "/gates/" + segment(gate) + "/release"
    }

    /// One path segment: everything but the unreserved characters of RFC 3986 §2.3 is percent-encoded.
    package static func segment(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
