/// Something the operator should hear of that failed no request by itself.
package struct StoreIncident: Sendable, CustomStringConvertible {
    /// What was being done.
    package let activity: String
    package let detail: String

    init(_ activity: String, _ detail: String) {
        self.activity = activity
        self.detail = detail
    }

    init(_ activity: String, _ error: StoreError) { self.init(activity, error.description) }

    package var description: String { "\(activity): \(detail)" }
}
