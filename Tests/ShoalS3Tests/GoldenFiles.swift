import Glibc
import Testing

/// The bytes of `fixtures/NAME`.
func fixture(_ name: String) throws -> [UInt8] {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(root)/fixtures/\(name)"
    let stream = try #require(fopen(path, "r"), "cannot open \(path)")
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return bytes
}

/// The bytes of `fixtures/xml/NAME.xml` as text.
func goldenXML(_ name: String) throws -> String { String(decoding: try fixture("xml/\(name).xml"), as: UTF8.self) }
