/// Who is told of what happens to a bucket's objects.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_NotificationConfiguration.html
package struct NotificationConfiguration: Sendable, Equatable {
    package static let targetCountMax = 100

    package let targets: [NotificationTarget]
    /// Whether every event goes to EventBridge besides.
    package let sendsToEventBridge: Bool

    package init(targets: [NotificationTarget] = [], sendsToEventBridge: Bool = false) {
        self.targets = targets
        self.sendsToEventBridge = sendsToEventBridge
    }

    /// The targets that are told of an event.
    package func targets(of event: EventName, key: ObjectKey) -> [NotificationTarget] {
        targets.filter { $0.covers(event, key: key) }
    }
}

/// One destination with the events and the keys it is about.
package struct NotificationTarget: Sendable, Equatable {
    package enum Service: CaseIterable, Sendable {
        case topic, queue, cloudFunction

        /// The element that holds the ARN, with `Configuration` behind it the one around it.
        var name: String {
            switch self {
            case .topic: "Topic"
            case .queue: "Queue"
            case .cloudFunction: "CloudFunction"
            }
        }

        /// How S3 says that there is no such destination.
        package var missing: String {
            switch self {
            case .topic: "The destination topic does not exist"
            case .queue: "The destination queue does not exist"
            case .cloudFunction: "The destination Lambda does not exist"
            }
        }

        /// The service in the ARN.
        var arnService: String {
            switch self {
            case .topic: "sns"
            case .queue: "sqs"
            case .cloudFunction: "lambda"
            }
        }
    }

    package let id: String
    package let service: Service
    package let arn: String
    package let events: [EventPattern]
    package let prefix: String?
    package let suffix: String?

    package init(
        id: String, service: Service, arn: String, events: [EventPattern], prefix: String? = nil, suffix: String? = nil
    ) {
        self.id = id
        self.service = service
        self.arn = arn
        self.events = events
        self.prefix = prefix
        self.suffix = suffix
    }

    /// The queue's, topic's or function's own name: the last component of its ARN, without a function's qualifier.
    /// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html
    package var resourceName: String {
        let resource = arn.split(separator: ":", omittingEmptySubsequences: false).dropFirst(5)
        return String((service == .cloudFunction ? resource.dropFirst().first : resource.last) ?? "")
    }

    package func covers(_ event: EventName, key: ObjectKey) -> Bool {
        events.contains { $0.covers(event) } && key.bytes.starts(with: (prefix ?? "").utf8)
            && key.bytes.reversed().starts(with: (suffix ?? "").utf8.reversed())
    }

    /// Whether one event could concern both, in which case S3 takes neither.
    func overlaps(_ other: NotificationTarget) -> Bool {
        events.contains { event in other.events.contains { event.overlaps($0) } }
            && Self.oneStartsWithTheOther((prefix ?? "").utf8, (other.prefix ?? "").utf8)
            && Self.oneStartsWithTheOther((suffix ?? "").utf8.reversed(), (other.suffix ?? "").utf8.reversed())
    }

    private static func oneStartsWithTheOther(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
        left.starts(with: right) || right.starts(with: left)
    }
}
