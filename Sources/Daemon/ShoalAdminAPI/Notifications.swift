import ShoalFaults
import ShoalJSON

/// A webhook and its events; all but `pending` is counted since the start.
package struct WebhookView: AdminMessage, Equatable {
    package let name: String
    /// Without user information and query; nil if this start of the server does not declare the webhook.
    package let url: String?
    /// Events that wait for their delivery.
    package let pending: Int
    package let delivered: Int
    /// Attempts that did not deliver their event.
    package let failures: Int
    /// Events that were given up because they had become too old.
    package let expired: Int
    /// Of the last failure.
    package let lastError: String?
    /// ISO 8601 in UTC, of the scope.
    package let lastErrorAt: String?

    package init(
        name: String, url: String?, pending: Int, delivered: Int, failures: Int, expired: Int, lastError: String?,
        lastErrorAt: String?
    ) {
        self.name = name
        self.url = url
        self.pending = pending
        self.delivered = delivered
        self.failures = failures
        self.expired = expired
        self.lastError = lastError
        self.lastErrorAt = lastErrorAt
    }

    /// One that only an earlier start declared: what waits for it stays until a start declares it again.
    package init(undeclared name: String, pending: Int) {
        self.init(
            name: name, url: nil, pending: pending, delivered: 0, failures: 0, expired: 0, lastError: nil,
            lastErrorAt: nil)
    }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        name = try reader.required("name").string()
        url = try reader.member("url")?.string()
        pending = try reader.required("pending").integer()
        delivered = try reader.required("delivered").integer()
        failures = try reader.required("failures").integer()
        expired = try reader.required("expired").integer()
        lastError = try reader.member("lastError")?.string()
        lastErrorAt = try reader.member("lastErrorAt")?.string()
    }

    package var json: JSON {
        .members([
            ("name", .string(name)), ("url", .text(url)), ("pending", .count(pending)),
            ("delivered", .count(delivered)), ("failures", .count(failures)), ("expired", .count(expired)),
            ("lastError", .text(lastError)), ("lastErrorAt", .text(lastErrorAt)),
        ])
    }
}

/// `GET …/scopes/{s}/notifications`
package struct NotificationList: AdminMessage, Equatable {
    package let webhooks: [WebhookView]

    package init(webhooks: [WebhookView]) { self.webhooks = webhooks }

    package init(_ reader: MessageReader) throws(MalformedMessage) {
        webhooks = try reader.required("webhooks").list()
    }

    package var json: JSON { ["webhooks": .list(webhooks)] }
}
