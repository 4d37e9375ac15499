/// What an acknowledged commit survives.
package enum Durability: String, Sendable, CaseIterable {
    /// The end of the process, SIGKILL included: the bytes are in the kernel's hands.
    case process
    /// A power cut: the bytes are on the device.
    case power
}
