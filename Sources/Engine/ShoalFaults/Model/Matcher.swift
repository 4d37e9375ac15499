import ShoalS3

/// Which requests a rule is about; all fields must hold, and a nil field holds for every request.
package struct Matcher: Hashable, Sendable {
    package enum ConnectionAge: String, CaseIterable, Sendable {
        /// The first exchange of its connection.
        case fresh
        /// Any later one: HTTP stacks resend silently there.
        case reused
    }

    package struct Header: Hashable, Sendable {
        /// In lower case.
        package let name: String
        package let pattern: TextPattern

        package init(name: String, pattern: TextPattern) {
            self.name = name
            self.pattern = pattern
        }
    }

    /// The fields' names, as both forms of a rule spell them.
    package enum Field: String, CaseIterable, Sendable {
        case operation = "op"
        case bucket, key, uploadId, partNumber, size, presigned, header, connection, exchange
    }

    /// One of these; empty for any operation, which is also what the group `any` becomes.
    package var operations: [OperationPattern]
    package var bucket: TextPattern?
    package var key: TextPattern?
    package var uploadId: TextPattern?
    package var partNumber: NumberPattern?
    /// Of the request's Content-Length, in bytes.
    package var size: NumberPattern?
    package var presigned: Bool?
    /// Names differ.
    package var headers: [Header]
    package var connection: ConnectionAge?
    /// Ordinal on its connection, from 1.
    package var exchange: NumberPattern?

    package init(
        operations: [OperationPattern] = [], bucket: TextPattern? = nil, key: TextPattern? = nil,
        uploadId: TextPattern? = nil, partNumber: NumberPattern? = nil, size: NumberPattern? = nil,
        presigned: Bool? = nil, headers: [Header] = [], connection: ConnectionAge? = nil,
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

    /// Every operation the matcher lets through.
    package var operationSet: Set<S3Operation> {
        Set(
            S3Operation.allCases.filter { operation in
                operations.isEmpty || operations.contains { $0.contains(operation) }
            })
    }
}
