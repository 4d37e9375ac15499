import ShoalAdminAPI
import ShoalHTTP

extension AdminService {
    /// What waits for each webhook, and what became of the rest since the start.
    func listNotifications() throws -> HTTPResponse {
        var pending: [String: Int] = [:]
        for count in try world.store.outboxCounts() { pending[count.destination] = count.count }
        let declared = world.notifier.couriers.map { courier in
            WebhookView(courier, pending: pending.removeValue(forKey: courier.webhook.name) ?? 0)
        }
        // Of an earlier start.
        let others = pending.sorted { $0.key < $1.key }.map { WebhookView(undeclared: $0.key, pending: $0.value) }
        return .json(NotificationList(webhooks: declared + others))
    }
}

extension WebhookView {
    fileprivate init(_ courier: WebhookCourier, pending: Int) {
        let status = courier.status
        self.init(
            name: courier.webhook.name, url: courier.webhook.shownURL, pending: pending,
            delivered: status.deliveredCount, failures: status.failureCount, expired: status.expiredCount,
            lastError: status.lastError?.text, lastErrorAt: status.lastError?.time.iso8601)
    }
}
