import ShoalCrypto
import ShoalXML

/// The body of PutBucketNotificationConfiguration and of GetBucketNotificationConfiguration's answer.
extension NotificationConfiguration {
    /// A target without an id gets one, the same each time the same body is read.
    ///
    /// Throws 400: `MissingRequestBodyError`; `MalformedXML` for what the schema does not know and for more than 100
    /// targets; `InvalidArgument` for ARNs, events and filter rules that there are not, and for targets that would be
    /// told of the same event. Whether a destination can be reached is for the server to find out.
    package init(_ body: [UInt8]) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: "NotificationConfiguration")
        let services = NotificationTarget.Service.allCases
        try root.checkChildren(
            once: ["EventBridgeConfiguration"], repeated: services.map { $0.name + "Configuration" })
        guard root.children.count <= Self.targetCountMax + 1 else { throw S3Error(.malformedXML) }
        var targets: [NotificationTarget] = []
        for (index, element) in root.children.enumerated() {
            guard let service = services.first(where: { element.name == $0.name + "Configuration" }) else { continue }
            let target = try NotificationTarget(element, service) { Self.generatedID(body, index) }
            guard !targets.contains(where: target.overlaps) else {
                throw S3Error(
                    .invalidArgument,
                    "Configurations overlap. Configurations on the same bucket cannot share a common event type.")
            }
            targets.append(target)
        }
        guard targets.count <= Self.targetCountMax else { throw S3Error(.malformedXML) }
        self.init(targets: targets, sendsToEventBridge: root.child("EventBridgeConfiguration") != nil)
    }

    private static func generatedID(_ body: [UInt8], _ index: Int) -> String {
        Hexadecimal.string(Array(Digest.of(body + Array("\n\(index)".utf8), .sha256).prefix(24)))
    }

    package var document: [UInt8] {
        var document = XMLWriter()
        guard !targets.isEmpty || sendsToEventBridge else {
            document.emptyRoot("NotificationConfiguration")
            return document.bytes
        }
        document.openRoot("NotificationConfiguration")
        for service in NotificationTarget.Service.allCases {
            for target in targets where target.service == service { target.write(to: &document) }
        }
        if sendsToEventBridge { document.empty("EventBridgeConfiguration") }
        document.close("NotificationConfiguration")
        return document.bytes
    }
}

extension NotificationTarget {
    /// UTF-16 units of an id.
    package static let idLengthMax = 255

    fileprivate init(_ element: XMLElement, _ service: Service, makeID: () -> String) throws(S3Error) {
        try element.checkChildren(once: ["Id", service.name, "Filter"], repeated: ["Event"])
        let id = try element.optionalText("Id") ?? ""
        guard id.utf16.count <= Self.idLengthMax else { throw S3Error(.malformedXML) }
        let arn = try element.requiredText(service.name)
        guard Self.isARN(arn, of: service) else {
            throw .invalidArgument("The ARN could not be parsed", name: service.name, value: arn)
        }
        let events = try Self.events(element)
        let (prefix, suffix) = try element.child("Filter").map(Self.filter) ?? (nil, nil)
        self.init(
            id: id.isEmpty ? makeID() : id, service: service, arn: arn, events: events, prefix: prefix, suffix: suffix)
    }

    /// `arn:partition:service:region:account:resource`.
    private static func isARN(_ text: String, of service: Service) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        return parts.count == 6 && parts[0] == "arn" && !parts[1].isEmpty && parts[2] == service.arnService
            && !parts[5].isEmpty && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    private static func events(_ element: XMLElement) throws(S3Error) -> [EventPattern] {
        var events: [EventPattern] = []
        for text in try element.texts("Event") {
            guard let event = EventPattern(text) else {
                throw .invalidArgument(
                    "The event is not supported for notifications", name: "Event", value: text)
            }
            if !events.contains(event) { events.append(event) }
        }
        guard !events.isEmpty else { throw S3Error(.malformedXML) }
        return events
    }

    private static func filter(_ element: XMLElement) throws(S3Error) -> (prefix: String?, suffix: String?) {
        try element.checkChildren(once: ["S3Key"])
        guard let key = element.child("S3Key") else { return (nil, nil) }
        try key.checkChildren(repeated: ["FilterRule"])
        var (prefix, suffix): (String?, String?) = (nil, nil)
        for rule in key.children {
            try rule.checkChildren(once: ["Name", "Value"])
            let (name, value) = (try rule.requiredText("Name"), try rule.optionalText("Value") ?? "")
            switch name.lowercased() {
            case "prefix" where prefix == nil: prefix = value
            case "suffix" where suffix == nil: suffix = value
            case "prefix", "suffix":
                throw .invalidArgument(
                    "Cannot specify more than one \(name.lowercased()) rule in a filter.", name: "FilterRule.Name",
                    value: name)
            default:
                throw .invalidArgument(
                    "filter rule name must be either prefix or suffix", name: "FilterRule.Name", value: name)
            }
        }
        return (prefix, suffix)
    }

    fileprivate func write(to document: inout XMLWriter) {
        let (outer, inner): (StaticString, StaticString) =
            switch service {
            case .topic: ("TopicConfiguration", "Topic")
            case .queue: ("QueueConfiguration", "Queue")
            case .cloudFunction: ("CloudFunctionConfiguration", "CloudFunction")
            }
        document.open(outer)
        document.element("Id", id)
        document.element(inner, arn)
        for event in events { document.element("Event", event.text) }
        if prefix != nil || suffix != nil {
            document.markup("<Filter><S3Key>")
            if let prefix { Self.write("Prefix", prefix, to: &document) }
            if let suffix { Self.write("Suffix", suffix, to: &document) }
            document.markup("</S3Key></Filter>")
        }
        document.close(outer)
    }

    private static func write(_ name: String, _ value: String, to document: inout XMLWriter) {
        document.open("FilterRule")
        document.element("Name", name)
        document.element("Value", value)
        document.close("FilterRule")
    }
}
