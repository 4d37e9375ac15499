import ShoalCrypto
import Testing

@Suite struct `A keyed hash` {
    /// RFC 4231 §4: a short key, a key of 20 bytes, and one longer than a block.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `over SHA-256 is that of RFC 4231`(key: [UInt8], message: String, expected: String) {
        #expect(Hexadecimal.string(HMAC.sha256(key: key, Array(message.utf8))) == expected)
    }

    /// RFC 2202 §3.
    @Test(arguments: [
        ([UInt8](repeating: 0x0B, count: 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
        (
            [UInt8](repeating: 0xAA, count: 80), "Test Using Larger Than Block-Size Key - Hash Key First",
            "aa4ae5e15272d00e95705637ce8a3b55ed402112"
        ),
    ])
    func `over SHA-1 is that of RFC 2202`(key: [UInt8], message: String, expected: String) {
        #expect(Hexadecimal.string(HMAC.sha1(key: key, Array(message.utf8))) == expected)
    }
}
