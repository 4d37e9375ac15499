import ShoalCrypto

/// An entity tag without its quotes: the MD5 of a simple upload in hexadecimal, or `hex-N` of N parts.
package struct ETag: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(md5: [UInt8]) { text = Hexadecimal.string(md5) }

    /// A tag as stored or sent by a client, without quotes.
    package init(unquoted text: String) { self.text = text }

    package var description: String { text }

    /// As it stands in a header or in XML: in quotes.
    package var quoted: String { "\"\(text)\"" }
}
