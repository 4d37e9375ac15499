import ShoalFaults
import ShoalS3
import Testing

@Suite struct `An operation` {
    private let signed = TestRequest(isPresigned: true, signatureText: "abcd", headers: [:])

    @Test func `is told by header, invocation, signature and object, in this order`() {
        var request = signed
        #expect(request.operationIdentity.source == .signature)
        request.headers["amz-sdk-invocation-id"] = "1-2"
        #expect(request.operationIdentity == OperationIdentity(invocation: Array("1-2".utf8)[...]))
        request.headers["x-shoal-op"] = "photo 7"
        #expect(request.operationIdentity.text == "photo 7")
        request = TestRequest()
        #expect(request.operationIdentity.source == .object)
    }

    @Test func `is the same over its attempts and differs from its neighbours`() {
        let part = TestRequest(operation: .uploadPart, parameters: ["uploadId": "u", "partNumber": "1"])
        var again = part
        again.connection = 9
        #expect(part.operationIdentity == again.operationIdentity)
        var others = [TestRequest(), TestRequest(operation: .getObject), TestRequest(keyText: "b"), part, signed]
        others.append(TestRequest(operation: .uploadPart, parameters: ["uploadId": "u", "partNumber": "2"]))
        others.append(TestRequest(operation: .uploadPart, parameters: ["uploadId": "v", "partNumber": "1"]))
        others.append(TestRequest(bucketText: "photosa", keyText: ".jpg"))
        #expect(Set(others.map(\.operationIdentity)).count == others.count)
    }

    @Test func `never shows the signature it is told by`() {
        #expect(!signed.operationIdentity.text.contains("abcd"))
        #expect(signed.operationIdentity.label.isEmpty)
    }

    @Test(
        arguments: [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
            (8, 0x93f5_f579_9a93_2462),
            (15, 0xa129_ca61_49be_45e5),
        ] as [(Int, UInt64)])
    func `is hashed as SipHash's authors publish it`(count: Int, expected: UInt64) {
        var hash = SipHash(key: 0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
        hash.append((0..<count).map { UInt8($0) })
        #expect(hash.finish() == expected)
    }
}
