import ShoalCrypto
import ShoalXML

/// Configurations of which a bucket has many, each under an id: what S3 counts, analyses, lists and moves. They are kept and
/// told; nothing of it happens here.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketMetricsConfiguration.html
package struct NamedConfigurations: Sendable {
    package enum Kind: Sendable {
        case metrics, analytics, inventory, intelligentTiering
    }

    package static let countMax = 1_000
    package static let idLengthMax = 64
    /// Of one answer to a List.
    package static let pageSize = 100

    private let kind: Kind
    /// By id, in its order.
    private var elements: [(id: String, element: XMLElement)]

    /// None yet.
    package init(_ kind: Kind) {
        self.kind = kind
        elements = []
    }

    /// What `stored` wrote. Throws 400 `MalformedXML` for anything else.
    package init(_ kind: Kind, stored bytes: [UInt8]) throws(S3Error) {
        self.init(kind)
        for element in try XMLBody.root(bytes, named: "Configurations").children {
            elements.append((try element.requiredText("Id"), element))
        }
    }

    package var stored: [UInt8] {
        var document = XMLWriter()
        document.open("Configurations")
        for (_, element) in elements { document.append(element) }
        document.close("Configurations")
        return document.bytes
    }

    package var isEmpty: Bool { elements.isEmpty }

    // MARK: One of them

    /// Puts the configuration of a body under its id, in place of one that is there.
    ///
    /// Throws 400: `MissingRequestBodyError`, `MalformedXML`, `InvalidArgument` for an id that is not that of the body or too
    /// long, `TooManyConfigurations`, and `InvalidRequest` where all of them could not be read again: they have the bounds
    /// of one document.
    package mutating func put(_ body: [UInt8], id: String) throws(S3Error) {
        var changed = self
        try changed.insert(body, id: id)
        guard (try? NamedConfigurations(kind, stored: changed.stored)) != nil else {
            throw S3Error(
                .invalidRequest,
                "All configurations of this kind together have at most 2 MiB here, nested 31 deep. Remove one first.")
        }
        self = changed
    }

    private mutating func insert(_ body: [UInt8], id: String) throws(S3Error) {
        let root = try XMLBody.requiredRoot(body, named: kind.rootName)
        try root.checkChildren(once: kind.required + kind.optional, repeated: kind.repeated)
        for name in kind.required where root.child(name) == nil { throw S3Error(.malformedXML) }
        guard try root.requiredText("Id") == id, (1...Self.idLengthMax).contains(id.utf16.count) else {
            throw .invalidArgument("The configuration id is not valid", name: "id", value: id)
        }
        if let index = elements.firstIndex(where: { $0.id == id }) {
            elements[index].element = root
            return
        }
        guard elements.count < Self.countMax else { throw S3Error(.tooManyConfigurations) }
        let index = elements.firstIndex { id.utf8.lexicographicallyPrecedes($0.id.utf8) } ?? elements.endIndex
        elements.insert((id, root), at: index)
    }

    /// Throws 404 `NoSuchConfiguration`.
    package mutating func remove(id: String) throws(S3Error) {
        guard let index = elements.firstIndex(where: { $0.id == id }) else { throw S3Error(.noSuchConfiguration) }
        elements.remove(at: index)
    }

    /// The answer to a GET of one. Throws 404 `NoSuchConfiguration`.
    package func document(id: String) throws(S3Error) -> [UInt8] {
        guard let (_, element) = elements.first(where: { $0.id == id }) else { throw S3Error(.noSuchConfiguration) }
        var document = XMLWriter()
        document.appendRoot(element)
        return document.bytes
    }

    // MARK: All of them

    /// The page behind `token`, the first one if nil. Throws 400 `InvalidArgument` for a token that none was.
    package func page(after token: String?) throws(S3Error) -> [UInt8] {
        var rest = elements[...]
        if let token {
            guard let last = Base64.decode(Array(token.utf8)) else {
                throw .invalidArgument(
                    "The continuation token provided is incorrect", name: "continuation-token", value: token)
            }
            rest = rest.drop { !last.lexicographicallyPrecedes($0.id.utf8) }
        }
        let page = rest.prefix(Self.pageSize)
        let isTruncated = rest.count > page.count
        var document = XMLWriter()
        document.openRoot(kind.listName)
        if let token { document.element("ContinuationToken", token) }
        document.element("IsTruncated", isTruncated)
        if isTruncated, let last = page.last {
            document.element("NextContinuationToken", Base64.string(Array(last.id.utf8)))
        }
        for (_, element) in page { document.append(element) }
        document.close(kind.listName)
        return document.bytes
    }
}

extension NamedConfigurations.Kind {
    fileprivate var rootName: String {
        switch self {
        case .metrics: "MetricsConfiguration"
        case .analytics: "AnalyticsConfiguration"
        case .inventory: "InventoryConfiguration"
        case .intelligentTiering: "IntelligentTieringConfiguration"
        }
    }

    fileprivate var listName: StaticString {
        switch self {
        case .metrics: "ListMetricsConfigurationsResult"
        case .analytics: "ListBucketAnalyticsConfigurationResult"
        case .inventory: "ListInventoryConfigurationsResult"
        case .intelligentTiering: "ListBucketIntelligentTieringConfigurationsOutput"
        }
    }

    fileprivate var required: [String] {
        switch self {
        case .metrics: ["Id"]
        case .analytics: ["Id", "StorageClassAnalysis"]
        case .inventory: ["Id", "Destination", "IsEnabled", "IncludedObjectVersions", "Schedule"]
        case .intelligentTiering: ["Id", "Status"]
        }
    }

    fileprivate var optional: [String] {
        switch self {
        case .metrics, .analytics, .intelligentTiering: ["Filter"]
        case .inventory: ["Filter", "OptionalFields"]
        }
    }

    fileprivate var repeated: [String] { self == .intelligentTiering ? ["Tiering"] : [] }
}
