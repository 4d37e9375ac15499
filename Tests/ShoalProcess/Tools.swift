import Glibc

/// The programs of other people that tests run.
package enum Tools {
    /// Whether no folder of `PATH` has it.
    package static func isMissing(_ name: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return !path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }
}
