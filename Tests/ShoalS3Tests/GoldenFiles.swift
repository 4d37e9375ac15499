import Glibc
import Testing

/// The bytes of `fixtures/xml/NAME.xml` as text.
func goldenXML(_ name: String, from file: String = #filePath) throws -> String {
    let root = file.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(root)/fixtures/xml/\(name).xml"
    let stream = try #require(fopen(path, "r"), "cannot open \(path)")
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
}
