import ShoalCrypto
import ShoalS3
import Testing

@Suite struct `An error document` {
    private let identifiers = RequestIdentifiers(
        requestID: "4442587FB7D0A2F9",
        hostID: "vlR7PnpV2Ce81l0PRw6jlUpck7Jo5ZsQjryTjKlc5aLWGVHPZLj5NeC6qMa0emYBDXOo6QBU0Wo=")

    @Test(arguments: [
        ("error-no-such-key", S3Error(.noSuchKey, elements: [.init("Key", "my-key")])),
        (
            "error-escaping",
            S3Error(
                .invalidArgument, "<&> \"quoted\" 'single'",
                elements: [
                    .init("ArgumentName", "a\r\nb\tc"), .init("ArgumentValue", "\u{1}\u{7F}é\u{FFFE}€\u{1F41F}"),
                ])
        ),
        (
            "error-method-not-allowed",
            S3Error(.methodNotAllowed, elements: [.init("Method", "POST"), .init("ResourceType", "OBJECT")])
        ),
        ("error-without-message", S3Error(.invalidArgument, "", elements: [.init("ArgumentName", "x-amz-acl")])),
    ])
    func `is written byte for byte as S3 writes it`(name: String, error: S3Error) throws {
        #expect(String(decoding: error.document(identifiers), as: UTF8.self) == (try goldenXML(name)))
    }

    @Test(arguments: S3Error.Code.allCases)
    func `has a failing status and a message for every code`(code: S3Error.Code) {
        #expect((300...599).contains(code.status.code))
        #expect(!code.usualMessage.isEmpty)
        #expect(S3Error(code).message == code.usualMessage)
    }

    @Test func `is signed with identifiers of S3's shape`() {
        let zeros = RequestIdentifiers(random: [UInt8](repeating: 0, count: RequestIdentifiers.randomByteCount))
        #expect(zeros.requestID == "0000000000000000")
        #expect(zeros.hostID == String(repeating: "A", count: 76))
        let counted = RequestIdentifiers(random: Array(0..<UInt8(RequestIdentifiers.randomByteCount)))
        #expect(counted.requestID == "000G40R40M30E209")
        let random = RequestIdentifiers(random: randomBytes(RequestIdentifiers.randomByteCount))
        #expect(random.requestID.count == 16)
        #expect(random.requestID.allSatisfy { "0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains($0) })
        #expect(random.hostID.count == 76)
        #expect(Base64.decode(Array(random.hostID.utf8))?.count == 57)
    }
}
