import ShoalHTTPClient

/// Sends messages to one webhook. Not Sendable: it keeps a connection for its thread.
struct WebhookPost {
    private let webhook: Webhook
    private var client: HTTPClient?

    private static let connectTimeoutMilliseconds = 5_000
    /// For the whole exchange.
    private static let timeoutMilliseconds = 15_000
    /// Of an answer, whose body means nothing; the connection of a longer one is closed.
    private static let answerByteCountMax = 64 << 10

    enum Outcome {
        /// The answer was 2xx.
        case delivered
        case refused(String)
        /// The message may have arrived, but no answer came.
        case lost(String)
        case unreachable(String)
    }

    init(_ webhook: Webhook) { self.webhook = webhook }

    /// Waits for the answer, unless `isCancelled` says that nobody wants it any more.
    mutating func send(_ message: [UInt8], isCancelled: @escaping () -> Bool) -> Outcome {
        do throws(HTTPClientError) {
            let client = if let client { client } else { try HTTPClient() }
            self.client = client
            var rest = Self.answerByteCountMax
            let response = try client.send(
                HTTPClient.Request(
                    method: "POST", url: webhook.url.text, headers: [("Content-Type", "application/json")],
                    body: .bytes(message), connectTimeoutMilliseconds: Self.connectTimeoutMilliseconds,
                    timeoutMilliseconds: Self.timeoutMilliseconds),
                onData: { _, bytes in
                    rest -= bytes.count
                    return rest > 0
                }, isCancelled: isCancelled)
            return (200...299).contains(response.status) ? .delivered : .refused("answered \(response.status)")
        } catch {
            switch error {
            case .transfer(let reason): return .lost(reason)
            case .unreachable, .untrusted, .libraryMissing, .file: return .unreachable(error.description)
            }
        }
    }
}
