/// A query parameter that turns a request into one about a part of a bucket or object, such as `?acl`.
///
/// Names are case-sensitive and the value is ignored. A name that only the other level knows is a sub-resource too: S3
/// must not answer `DELETE /bucket/key?publicAccessBlock` by deleting the object.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html
package enum SubResource: String, CaseIterable, Sendable {
    case abac, accelerate, acl, analytics, annotation, attributes, cors, delete, encryption
    case intelligentTiering = "intelligent-tiering"
    case inventory
    case legalHold = "legal-hold"
    case lifecycle, location, logging, metadataConfiguration, metadataTable, metrics, notification
    case objectLock = "object-lock"
    case ownershipControls, policy, policyStatus, publicAccessBlock, replication, requestPayment, restore, retention
    case select, tagging, torrent, uploadId, uploads, versioning, versions, website

    /// The different ones among `query`, in wire order.
    static func all(in query: QueryParameters) -> [SubResource] {
        var found: [SubResource] = []
        for (name, _) in query {
            guard let subResource = SubResource(parameter: name), !found.contains(subResource) else { continue }
            found.append(subResource)
        }
        return found
    }

    private init?(parameter name: ArraySlice<UInt8>) {
        // Most parameters are those of a presigned URL, and no sub-resource begins with a capital.
        guard let first = name.first, first >= UInt8(ascii: "a"), name.count < Self.byLength.count else { return nil }
        for candidate in Self.byLength[name.count] where name.elementsEqual(candidate.name) {
            self = candidate.subResource
            return
        }
        return nil
    }

    private static let byLength: [[(name: [UInt8], subResource: SubResource)]] = {
        let names = allCases.map { (name: Array($0.rawValue.utf8), subResource: $0) }
        let longest = names.map(\.name.count).max() ?? 0
        return (0...longest).map { length in names.filter { $0.name.count == length } }
    }()
}
