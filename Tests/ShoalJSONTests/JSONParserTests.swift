import ShoalJSON
import ShoalSeeded
import Testing

@Suite struct `Strict JSON` {
    @Test(arguments: [
        (#"{"a":[1,-2,3.5,1e3,true,false,null,"x"]}"#, #"{"a":[1,-2,3.5,1000.0,true,false,null,"x"]}"#),
        (" [ ] ", "[]"), ("{ }", "{}"), ("0", "0"), ("-0", "0"), ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9.223372036854776e+18"),
        (#""\u00fc\ud83d\ude00\/\b\f\n\r\t\"\\""#, "\"ü😀/\\u0008\\u000c\\n\\r\\t\\\"\\\\\""),
    ])
    func `reads what RFC 8259 allows`(text: String, written: String) throws {
        #expect(try JSONParser.parse(text).text == written)
    }

    @Test(
        arguments: [
            ("", 0, "", "the text ends where a value is due"), ("{", 1, "", "a member's name in quotes is due"),
            ("[1,]", 3, "/1", "no value begins like this"), ("[1 2]", 3, "", "',' or ']' is due after an element"),
            (#"{"a":1,}"#, 7, "", "a member's name in quotes is due"),
            (#"{"a" 1}"#, 5, "/a", "':' is due after a member's name"),
            (#"{"a":1 "b":2}"#, 7, "", "',' or '}' is due after a member"),
            (#"{"a":1,"a":2}"#, 7, "/a", "the member is there twice"),
            (#"{"a/~":[x]}"#, 8, "/a~1~0/0", "no value begins like this"),
            ("1 2", 2, "", "something follows the value"), ("01", 0, "", "a number begins with"),
            ("-", 0, "", "a number begins with"),
            ("1.", 2, "", "digits are due after the point"), ("1e", 2, "", "digits are due in the exponent"),
            ("1e999", 0, "", "the number is too large"), ("tru", 0, "", "no value begins like this"),
            ("nan", 0, "", "no value begins like this"), ("'a'", 0, "", "no value begins like this"),
            ("\"a", 0, "", "the string does not end"), ("\"\\", 1, "", "the string does not end"),
            ("\"\n\"", 1, "", "a control character stands in a string unescaped"),
            (#""\x""#, 1, "", "no escape is written like this"),
            (#""\u12g4""#, 3, "", "four hexadecimal digits are due after \\u"),
            (#""\ud800""#, 1, "", "half a surrogate pair"),
            (#""\udc00""#, 1, "", "half a surrogate pair"), (#""\ud800\u0041""#, 1, "", "half a surrogate pair"),
            (#""\u+123""#, 3, "", "four hexadecimal digits"),
        ] as [(String, Int, String, String)])
    func `says where and why it is none`(text: String, offset: Int, pointer: String, message: String) {
        let flaw = #expect(throws: JSONParser.Flaw.self) { try JSONParser.parse(text) }
        #expect(flaw?.offset == offset && flaw?.pointer == pointer, "\(flaw.debugDescription)")
        #expect(flaw?.message.hasPrefix(message) == true, "\(flaw?.message ?? "")")
    }

    @Test func `refuses bytes that are no UTF-8`() {
        #expect(throws: JSONParser.Flaw.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
    }

    @Test func `is bounded in depth and size`() throws {
        let deepest = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
        #expect(try JSONParser.parse(deepest).text == deepest)
        let flaw = #expect(throws: JSONParser.Flaw.self) {
            try JSONParser.parse(String(repeating: "[", count: 100_000))
        }
        #expect(flaw?.message == "nested deeper than 32")
        #expect(throws: JSONParser.Flaw.self) { try JSONParser.parse([UInt8](repeating: 0x20, count: 1_048_577)) }
    }

    @Test(arguments: UInt64(0)..<100)
    func `survives damaged documents and reads back what it writes`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let whole =
            #"{"shoal":1,"rules":[{"id":"a","match":{"key":["x\u00e9","y"]},"at":{"body":"50%"},"do":[{"hang":{"ms":8000}}]}],"n":[1.5e-3,null]}"#
        for _ in 0..<100 {
            var bytes = Array(whole.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: index)
                case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
                default: bytes.insert("{}[]\",:\\u0e-.".utf8.randomElement(using: &random)!, at: index)
                }
            }
            guard let value = try? JSONParser.parse(bytes) else { continue }
            #expect(try JSONParser.parse(value.bytes) == value)
        }
    }
}
