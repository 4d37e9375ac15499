import ShoalHTTPClient
import ShoalStore

/// The couriers of a server, one for each of its webhooks.
final class Notifier: Sendable {
    let couriers: [WebhookCourier]

    /// Throws in words where there are webhooks and no libcurl.
    init(_ webhooks: [Webhook], in directory: String) throws {
        if !webhooks.isEmpty {
            do throws(HTTPClientError) { _ = try HTTPClient() } catch {
                throw StartFailure("--webhook needs an HTTP client: \(error)")
            }
        }
        couriers = try webhooks.map { try WebhookCourier($0, in: directory) }
    }

    func start(_ office: PostOffice) { for courier in couriers { courier.start(office) } }

    /// Lets every courier look for new messages.
    func ring() { for courier in couriers { courier.ring() } }

    /// Ends every thread and waits for them.
    func stop() { for courier in couriers { courier.stop() } }
}
