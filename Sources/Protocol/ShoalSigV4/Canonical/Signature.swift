/// A signature as it stands in a request: 64 lower-case hexadecimal digits in V4, base 64 of 20 bytes in V2.
///
/// Deliberately not Equatable: `==` would leak through timing where the first difference is. It also describes itself
/// by nothing, so that no log line can hold one.
package struct Signature: Sendable, Concealed {
    /// For the client who made the request; never for a log.
    package let text: [UInt8]

    package init(_ text: some Sequence<UInt8>) { self.text = Array(text) }

    /// Takes the same time wherever two texts of one length differ.
    package func matches(_ other: Signature) -> Bool { haveSameBytes(text, other.text) }
}

/// Whether two secrets are the same, in a time that depends on their lengths only.
func haveSameBytes(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}

/// A value that neither prints nor reflects what it holds.
package protocol Concealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Concealed {
    package var description: String { "\(Self.self)(concealed)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
