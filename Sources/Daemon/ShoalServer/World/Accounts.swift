import ShoalCrypto
import ShoalS3
import ShoalSigV4

/// The accounts of one scope and the access keys that speak for them.
struct Accounts: Sendable {
    /// Who is behind a request.
    struct Caller: Sendable {
        let owner: Owner
        let accessKey: String
    }

    private struct Entry {
        let credential: Credential
        let caller: Caller
    }

    private let entries: [[UInt8]: Entry]
    /// The account of `--access-key`: the owner of what the server makes by itself.
    let main: Caller
    let mainSecret: Secret

    /// The canonical user id of the first account. Fixed, so that listings compare between runs.
    static let mainOwnerID = "90afe62268888bcfcc9f7a25ce4071ccdc70b421c40d8f8977cedcb0d3891950"
    /// The account number that `x-amz-expected-bucket-owner` may name; AWS's own documentation uses another.
    static let accountNumber = "000000000000"

    init(accessKey: String, secretKey: Secret, others: [Account]) {
        // An account of the first one's key says more about it.
        let described = others.first { $0.accessKey == accessKey }
        let owner = described.map { Owner(id: $0.ownerID, displayName: $0.displayName) } ?? Owner(id: Self.mainOwnerID)
        main = Caller(owner: owner, accessKey: accessKey)
        mainSecret = secretKey
        var entries = [
            Array(accessKey.utf8): Entry(credential: Credential(secret: secretKey.text.utf8), caller: main)
        ]
        for account in others where account.accessKey != accessKey {
            let owner = Owner(id: account.ownerID, displayName: account.displayName)
            entries[Array(account.accessKey.utf8)] = Entry(
                credential: Credential(secret: account.secretKey.text.utf8),
                caller: Caller(owner: owner, accessKey: account.accessKey))
        }
        self.entries = entries
    }

    func credential(of accessKeyId: ArraySlice<UInt8>) -> Credential? { entries[Array(accessKeyId)]?.credential }

    /// `accessKeyId` is a permanent one.
    func caller(of accessKeyId: [UInt8]) -> Caller? { entries[accessKeyId]?.caller }

    /// The account with that canonical id.
    func owner(id: String) -> Owner {
        entries.values.first { $0.caller.owner.id == id }?.caller.owner ?? Owner(id: id)
    }

    /// The name of the account with that canonical id, if it was given one.
    func displayName(id: String) -> String? { owner(id: id).displayName }

    /// Every key with its secret, for diagnoses that look for a neighbour.
    var neighbours: [(accessKeyId: String, credential: Credential)] {
        entries.map { (String(decoding: $0.key, as: UTF8.self), $0.value.credential) }
    }
}
