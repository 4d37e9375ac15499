import ShoalWire
import Testing

@Suite struct `The name in x-amz-copy-source` {
    /// A key, what a client wrote for it, and the key that says.
    @Test(arguments: [
        ("a+b", "/photos/a%2Bb", "a+b"), ("a+b", "/photos/a+b", "a b"), ("a:b", "/photos/a%3Ab", "a:b"),
        ("a:b", "/photos/a:b", "a:b"), ("a%20b", "/photos/a%20b", "a b"), ("a%20b", "/photos/a%2520b", "a%20b"),
        ("a b", "photos/a%20b", "a b"), ("caf\u{E9}", "/photos/caf%C3%A9", "caf\u{E9}"),
        ("caf\u{E9}", "/photos/caf%25C3%25A9", "caf%C3%A9"),
    ])
    func `is decoded once, and a client that did not encode it learns what was looked for (s5cmd#279)`(
        key: String, source: String, decoded: String
    ) throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        try s3.put(key, "x")
        let answer = try s3.send(S3Call("PUT", "films", "copy", headers: [("x-amz-copy-source", source)]))
        #expect(answer.status == (key == decoded ? 200 : 404), "\(answer.text)")
        if key == decoded {
            #expect(try s3.send(S3Call("GET", "films", "copy")).text == "x")
        } else {
            #expect(answer.code == "NoSuchKey" && answer.element("Key") == decoded)
            #expect(try !s3.has("copy", in: "films"))
        }
    }
}
