/// `POST /_shoal/v1/scopes`: a world of its own; a name is made up unless given.
package struct CreateScopeRequest: Codable, Sendable, Equatable {
    package let name: String?

    package init(name: String?) { self.name = name }
}

/// A scope and the key that leads into it.
package struct ScopeView: Codable, Sendable, Equatable {
    package let scope: String
    package let accessKeyId: String
    /// Only in the answer to the creation, once.
    package let secretAccessKey: String?

    package init(scope: String, accessKeyId: String, secretAccessKey: String? = nil) {
        self.scope = scope
        self.accessKeyId = accessKeyId
        self.secretAccessKey = secretAccessKey
    }
}

package struct ScopeList: Codable, Sendable, Equatable {
    package let scopes: [ScopeView]

    package init(scopes: [ScopeView]) { self.scopes = scopes }
}

/// `POST /_shoal/v1/reset` and `POST …/scopes/{s}/reset`: what was there and is gone.
package struct ResetResult: Codable, Sendable, Equatable {
    package let buckets: Int
    package let rules: Int

    package init(buckets: Int, rules: Int) {
        self.buckets = buckets
        self.rules = rules
    }
}
