import ShoalS3

/// What became of a webhook's messages since the start.
struct WebhookStatus: Sendable {
    var deliveredCount = 0
    /// Attempts that did not deliver their message.
    var failureCount = 0
    /// Messages that grew too old.
    var expiredCount = 0
    /// Of the last failure, and when that was.
    var lastError: (text: String, time: Timestamp)?
    /// Whether the log was told of a failure after the last delivery.
    var isFailing = false
}
