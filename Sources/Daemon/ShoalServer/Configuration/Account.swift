import ShoalSigV4

/// Somebody who may sign requests of the default scope.
package struct Account: Sendable, Equatable {
    package let accessKey: String
    package let secretKey: Secret
    /// The canonical user id: 64 hexadecimal digits.
    package let ownerID: String
    package let displayName: String

    package init(accessKey: String, secretKey: Secret, ownerID: String, displayName: String) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.ownerID = ownerID
        self.displayName = displayName
    }
}

/// A text that must not be seen: printing, interpolating and dumping it show that there is one, not which.
package struct Secret: Sendable, Equatable, Concealed {
    /// The text itself, for whoever signs or compares with it.
    package let text: String

    package init(_ text: String) { self.text = text }
}
