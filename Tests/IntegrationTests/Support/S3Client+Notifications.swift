import ShoalJSON
import ShoalServer
import ShoalWire
import Testing

extension Webhook {
    /// One that posts to a receiver.
    init(_ name: String = "thumbs", to receiver: WireReceiver, path: String = "/events") {
        self.init(name: name, url: "http://127.0.0.1:\(receiver.port)\(path)")!
    }
}

/// A `QueueConfiguration` or one of its kin.
struct NotificationXML: Sendable {
    var element = "Queue"
    var arn = "arn:aws:sqs:us-east-1:000000000000:thumbs"
    var id = "all"
    var events = ["s3:ObjectCreated:*", "s3:ObjectRemoved:*", "s3:ObjectTagging:*", "s3:ObjectAcl:Put"]
    /// `prefix` and `suffix` with their values.
    var rules: [(name: String, value: String)] = []

    var text: String {
        let rules = rules.map { "<FilterRule><Name>\($0.name)</Name><Value>\($0.value)</Value></FilterRule>" }.joined()
        let filter = rules.isEmpty ? "" : "<Filter><S3Key>\(rules)</S3Key></Filter>"
        let outer = (element == "CloudFunction" ? "CloudFunction" : element) + "Configuration"
        return "<\(outer)><Id>\(id)</Id><\(element)>\(arn)</\(element)>"
            + events.map { "<Event>\($0)</Event>" }.joined() + filter + "</\(outer)>"
    }
}

extension S3Client {
    /// Puts a notification configuration on `photos`.
    func notify(
        _ targets: [NotificationXML] = [NotificationXML()], more: String = "", headers: [WireRequest.Field] = []
    ) throws -> WireResponse {
        let body = "<NotificationConfiguration>\(targets.map(\.text).joined())\(more)</NotificationConfiguration>"
        return try send(S3Call("PUT", "photos", query: [("notification", "")], headers: headers, body: body))
    }
}

extension WireReceiver.Message {
    /// The one record of its body; nil for the message of a test.
    var record: JSON? { (try? JSONParser.parse(body))?["Records"]?.first }  // what is no JSON is no record

    /// `ObjectCreated:Put a/b`
    var event: String? {
        guard let record else { return nil }
        return "\(record["eventName"]?.string ?? "") \(record["s3"]?["object"]?["key"]?.string ?? "")"
    }
}

extension [WireReceiver.Message] {
    /// The events that were taken, in the order in which they were.
    var events: [String] { filter { $0.status == 200 }.compactMap(\.event) }
}
