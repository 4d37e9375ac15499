import ShoalFaults
import ShoalJSON

/// `POST /_shoal/v1/scopes`: a world of its own; a name is made up unless given.
package struct CreateScopeRequest: AdminMessage, Equatable {
    package let name: String?

    package init(name: String?) { self.name = name }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        try reader.allow(["name"])
        name = try reader.member("name")?.string()
    }

    package var json: JSON { .members([("name", .text(name))]) }
}

/// A scope and the key that leads into it.
package struct ScopeView: AdminMessage, Equatable {
    package let scope: String
    package let accessKeyId: String
    /// Only in the answer to the creation, once.
    package let secretAccessKey: String?

    package init(scope: String, accessKeyId: String, secretAccessKey: String? = nil) {
        self.scope = scope
        self.accessKeyId = accessKeyId
        self.secretAccessKey = secretAccessKey
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        scope = try reader.required("scope").string()
        accessKeyId = try reader.required("accessKeyId").string()
        secretAccessKey = try reader.member("secretAccessKey")?.string()
    }

    package var json: JSON {
        .members([
            ("scope", .string(scope)), ("accessKeyId", .string(accessKeyId)),
            ("secretAccessKey", .text(secretAccessKey)),
        ])
    }
}

package struct ScopeList: AdminMessage, Equatable {
    package let scopes: [ScopeView]

    package init(scopes: [ScopeView]) { self.scopes = scopes }

    package init(_ reader: MessageReader) throws(MalformedMessage) { scopes = try reader.required("scopes").list() }

    package var json: JSON { ["scopes": .list(scopes)] }
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
