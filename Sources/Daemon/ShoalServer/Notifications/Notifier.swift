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

    /// Lets the couriers of these webhooks look for new messages.
    func ring(_ names: Set<String>) {
        for courier in couriers where names.contains(courier.webhook.name) { courier.ring() }
    }

    /// The outbox was emptied: nothing waits any more.
    func forget() { for courier in couriers { courier.forget() } }

    /// Ends every thread and waits for them.
    func stop() { for courier in couriers { courier.stop() } }
}
