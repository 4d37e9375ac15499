import ShoalFaults
import ShoalS3

/// A request made up by a test.
struct TestRequest: FaultSubject {
    var operation = S3Operation.putObject
    var bucketText = "photos"
    var keyText = "a.jpg"
    var contentLength: UInt64? = 1_000
    var isPresigned = false
    var signatureText: String?
    var accessKeyText: String?
    var signedAt: Timestamp?
    var now = Timestamp(seconds: 1_000)
    var connection: UInt64 = 1
    var exchange: UInt64 = 1
    var attempt: UInt64 = 1
    var clientText = "127.0.0.1"
    var expectsContinue = false
    var headers: [String: String] = [:]
    var parameters: [String: String] = [:]

    var bucket: ArraySlice<UInt8>? { Array(bucketText.utf8)[...] }
    var key: ArraySlice<UInt8>? { Array(keyText.utf8)[...] }
    var client: ArraySlice<UInt8> { Array(clientText.utf8)[...] }
    var signature: ArraySlice<UInt8>? { signatureText.map { Array($0.utf8)[...] } }

    var accessKeyID: ArraySlice<UInt8>? { accessKeyText.map { Array($0.utf8)[...] } }

    func header(_ name: String) -> ArraySlice<UInt8>? { headers[name].map { Array($0.utf8)[...] } }
    func query(_ name: String) -> ArraySlice<UInt8>? { parameters[name].map { Array($0.utf8)[...] } }
}

extension FaultPlan {
    /// A plan with these rules in the one-line form.
    convenience init(_ first: String, _ others: String...) throws {
        self.init()
        try add(([first] + others).map { try FaultRule(line: $0) })
    }

    /// The texts of the actions that strike `request` at `point`; empty if it passes.
    func actions(_ request: TestRequest, at point: FaultPoint, offset: UInt64? = nil) -> [String] {
        begin(request)?.strike(at: point, offset: offset)?.steps.map(\.action.text) ?? []
    }
}

extension FaultPlan {
    /// What happens to a new connection of that client.
    func strikeAccept(connection: UInt64, client: ArraySlice<UInt8>, openCount: Int = 1) -> Strike? {
        strike(at: .accept, ConnectionSubject(connection: connection, client: client), openCount: openCount)
    }
}
