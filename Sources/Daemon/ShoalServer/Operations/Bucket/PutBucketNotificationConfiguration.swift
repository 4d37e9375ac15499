import ShoalHTTP
import ShoalS3
import ShoalStore

/// `PUT /{bucket}?notification`
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketNotificationConfiguration.html
struct PutBucketNotificationConfiguration: Operation {
    private let request: S3Request
    private let body: DocumentSink
    private let skipsValidation: Bool

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        body = try DocumentSink(request)
        skipsValidation = request.fields.first("x-amz-skip-destination-validation")?.elementsEqual("true".utf8) == true
    }

    func start(in world: World) throws -> Step {
        let bucket = try world.bucket(try request.bucket, for: request).name
        return .receive(body) {
            let configuration = try NotificationConfiguration(try body.document())
            guard !configuration.sendsToEventBridge else {
                throw S3Error(
                    .notImplemented,
                    "Events for EventBridge are not implemented by Shoal. Leave EventBridgeConfiguration out, and name "
                        + "a webhook (--webhook NAME=URL) as a queue, topic or function.")
            }
            if !skipsValidation { try configuration.checkDestinations(Set(world.options.webhooks.map(\.name))) }
            let tests = skipsValidation ? [] : configuration.tests(of: bucket, EventCause(request))
            return .change {
                try world.change(bucket, announcing: tests) { settings in
                    settings[.notification] = configuration.targets.isEmpty ? nil : configuration.document
                }
                return HTTPResponse(.ok)
            }
        }
    }
}

extension NotificationConfiguration {
    /// Throws 400 `InvalidArgument` with every ARN that is called otherwise than all webhooks.
    fileprivate func checkDestinations(_ names: Set<String>) throws(S3Error) {
        let missing = targets.filter { !names.contains($0.resourceName) }
        guard missing.isEmpty else {
            throw S3Error(
                .invalidArgument, "Unable to validate the following destination configurations",
                elements: missing.enumerated().flatMap { index, target in
                    [
                        S3Error.Element("ArgumentName\(index + 1)", target.arn),
                        S3Error.Element("ArgumentValue\(index + 1)", target.service.missing),
                    ]
                })
        }
    }

    /// One for each queue and topic; functions are not tested.
    fileprivate func tests(of bucket: BucketName, _ cause: EventCause) -> [OutboxMessage] {
        var names: [String] = []
        for target in targets where target.service != .cloudFunction && !names.contains(target.resourceName) {
            names.append(target.resourceName)
        }
        let message = Self.testMessage(bucket: bucket, at: cause.time, identifiers: cause.identifiers)
        return names.map { name in
            OutboxMessage(destination: name, subject: Array(bucket.text.utf8), body: message, created: cause.time)
        }
    }
}
