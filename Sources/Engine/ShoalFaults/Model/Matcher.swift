import ShoalS3

/// Which requests a rule is about; all fields must hold, and a nil field holds for every request.
package struct Matcher: Hashable, Sendable {
    package enum ConnectionAge: String, CaseIterable, Sendable {
        /// The first exchange of its connection.
        case fresh
        /// Any later one: HTTP stacks resend silently there.
        case reused
    }

    /// A condition on something that has a name: a header, or a parameter of the query.
    package struct Named: Hashable, Sendable {
        /// A header's in lower case; a parameter's as it is.
        package let name: String
        package let pattern: TextPattern

        package init(name: String, pattern: TextPattern) {
            self.name = name
            self.pattern = pattern
        }
    }

    /// Something that has to have happened before.
    package enum Precedent: Hashable, Sendable {
        /// The rule of this id has fired so often.
        case rule(String, fired: Int)
        /// Such an operation has changed what is stored since the rule was put in force.
        case committed(OperationPattern)
    }

    /// The fields' names, as both forms of a rule spell them.
    package enum Field: String, CaseIterable, Sendable {
        case operation = "op"
        case bucket, key, version, uploadId, partNumber, range, size, presigned, ageOfUrl, header, query, userAgent
        case attempt, sdkAttempt, invocation, connection, exchange, client, tls, sni, alpn, expectContinue, after, any
        case not
    }

    /// How deep `any` and `not` may nest.
    package static let depthMax = 4
    /// Matchers inside one rule's, at all depths.
    package static let nestedCountMax = 64

    /// One of these; empty for any operation, which is also what the group `any` becomes.
    package var operations: [OperationPattern] {
        didSet { if operations.contains(.group(.any)) { operations = [] } }
    }
    package var bucket: TextPattern?
    package var key: TextPattern?
    package var version: TextPattern?
    package var uploadId: TextPattern?
    package var partNumber: NumberPattern?
    /// Of the `Range` header's text.
    package var range: TextPattern?
    /// Of the request's Content-Length, in bytes.
    package var size: NumberPattern?
    package var presigned: Bool?
    /// Of a presigned URL: milliseconds of the scope's time since its date.
    package var ageOfUrl: AgePattern?
    /// Names differ.
    package var headers: [Named] = []
    /// Names differ.
    package var parameters: [Named] = []
    package var userAgent: TextPattern?
    /// Ordinal of the attempt within its operation, from 1, as the journal counts it.
    package var attempt: NumberPattern?
    /// `N` of the SDK's own `amz-sdk-request: attempt=N`.
    package var sdkAttempt: NumberPattern?
    package var invocation: TextPattern?
    package var connection: ConnectionAge?
    /// Ordinal on its connection, from 1.
    package var exchange: NumberPattern?
    /// Of the peer's IP address.
    package var client: TextPattern?
    /// Whether the connection speaks TLS.
    package var isSecure: Bool?
    /// Of the server name in the ClientHello, in lower case; absent where the client sent none.
    package var serverName: TextPattern?
    /// Of what the client offers by ALPN, with commas between: `h2,http/1.1`; absent where it offers nothing.
    package var protocols: TextPattern?
    package var expectContinue: Bool?
    package var after: Precedent?
    /// One of these must hold as well; empty for no such condition.
    package var alternatives: [Matcher] = []
    /// None of these may hold.
    package var exclusions: [Matcher] = []

    package init(
        operations: [OperationPattern] = [], bucket: TextPattern? = nil, key: TextPattern? = nil,
        uploadId: TextPattern? = nil, partNumber: NumberPattern? = nil, size: NumberPattern? = nil,
        presigned: Bool? = nil, headers: [Named] = [], connection: ConnectionAge? = nil,
        exchange: NumberPattern? = nil
    ) {
        self.operations = operations.contains(.group(.any)) ? [] : operations
        self.bucket = bucket
        self.key = key
        self.uploadId = uploadId
        self.partNumber = partNumber
        self.size = size
        self.presigned = presigned
        self.headers = headers
        self.connection = connection
        self.exchange = exchange
    }

    /// Whether every request matches.
    package var isUnconditional: Bool { self == Matcher() }

    /// Every operation the matcher may let through.
    package var operationSet: Set<S3Operation> {
        var set = Set(
            S3Operation.allCases.filter { operation in
                operations.isEmpty || operations.contains { $0.contains(operation) }
            })
        if !alternatives.isEmpty { set.formIntersection(alternatives.flatMap(\.operationSet)) }
        // What is excluded under further conditions only may still come.
        for exclusion in exclusions where exclusion == Matcher(operations: exclusion.operations) {
            set.subtract(exclusion.operationSet)
        }
        return set
    }

    /// Whether it depends on what happens after the request's head has come.
    package var dependsOnEvents: Bool {
        after != nil || alternatives.contains { $0.dependsOnEvents } || exclusions.contains { $0.dependsOnEvents }
    }

    /// Every precedent it asks for, at all depths.
    package var precedents: [Precedent] {
        (after.map { [$0] } ?? []) + (alternatives + exclusions).flatMap(\.precedents)
    }
}
