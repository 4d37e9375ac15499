/// Unpredictable bytes from the kernel, for identifiers and keys.
package func randomBytes(_ count: Int) -> [UInt8] {
    // On Linux this is getrandom(2).
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
