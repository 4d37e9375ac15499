// Tables of a matcher's fields by kind, so that reading, printing and judging each name them once.

extension Matcher {
    /// Fields that hold a pattern of text. A bare string is a glob in all of them.
    package static let textFields: [(field: Field, path: WritableKeyPath<Matcher, TextPattern?> & Sendable)] = [
        (.bucket, \.bucket), (.key, \.key), (.version, \.version), (.uploadId, \.uploadId), (.range, \.range),
        (.userAgent, \.userAgent), (.invocation, \.invocation), (.client, \.client), (.sni, \.serverName),
        (.alpn, \.protocols),
    ]

    package static let numberFields: [(field: Field, path: WritableKeyPath<Matcher, NumberPattern?> & Sendable)] = [
        (.partNumber, \.partNumber), (.size, \.size), (.attempt, \.attempt), (.sdkAttempt, \.sdkAttempt),
        (.exchange, \.exchange),
    ]

    package static let flagFields: [(field: Field, path: WritableKeyPath<Matcher, Bool?> & Sendable)] = [
        (.presigned, \.presigned), (.tls, \.isSecure), (.expectContinue, \.expectContinue),
    ]

    /// Whether the field is a condition.
    package func has(_ field: Field) -> Bool {
        if let entry = Self.textFields.first(where: { $0.field == field }) { return self[keyPath: entry.path] != nil }
        if let entry = Self.numberFields.first(where: { $0.field == field }) { return self[keyPath: entry.path] != nil }
        if let entry = Self.flagFields.first(where: { $0.field == field }) { return self[keyPath: entry.path] != nil }
        switch field {
        case .operation: return !operations.isEmpty
        case .ageOfUrl: return ageOfUrl != nil
        case .header: return !headers.isEmpty
        case .query: return !parameters.isEmpty
        case .connection: return connection != nil
        case .after: return after != nil
        case .any: return !alternatives.isEmpty
        case .not: return !exclusions.isEmpty
        default: return false
        }
    }
}
