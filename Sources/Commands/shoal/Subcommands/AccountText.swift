import ShoalServer

/// `access=A,secret=S,id=64HEX,name=NAME`, the value of `--account`.
enum AccountText {
    private static let fields = ["access", "secret", "id", "name"]

    /// Throws a `UsageError` that never repeats the secret.
    static func account(_ text: String) throws(UsageError) -> Account {
        var values: [String: String] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first.map(String.init), fields.contains(name) else {
                throw UsageError("--account takes access=, secret=, id= and name=, separated by commas")
            }
            guard pair.count == 2, !pair[1].isEmpty else { throw UsageError("--account: \(name)= is empty") }
            guard values.updateValue(String(pair[1]), forKey: name) == nil else {
                throw UsageError("--account: \(name)= is given twice")
            }
        }
        guard let access = values["access"], let secret = values["secret"], let id = values["id"],
            let name = values["name"]
        else {
            let missing = fields.filter { values[$0] == nil }.map { $0 + "=" }
            throw UsageError("--account: \(missing.joined(separator: ", ")) is missing")
        }
        guard id.utf8.count == 64, id.utf8.allSatisfy(isHexadecimalDigit) else {
            throw UsageError("--account: id= takes 64 hexadecimal digits")
        }
        return Account(accessKey: access, secretKey: Secret(secret), ownerID: id.lowercased(), displayName: name)
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
