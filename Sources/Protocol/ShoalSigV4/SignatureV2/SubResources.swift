/// The query names that Signature Version 2 signs; all others are ignored. Compared with case.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/RESTAuthentication.html
enum SubResources {
    /// Written with their value.
    private static let valued: Set<String> = [
        "partNumber", "response-cache-control", "response-content-disposition", "response-content-encoding",
        "response-content-language", "response-content-type", "response-expires", "select-type", "uploadId",
        "versionId",
    ]

    /// Written bare, whatever value was sent.
    private static let bare: Set<String> = [
        "abac", "accelerate", "acl", "analytics", "annotation", "annotationName", "attributes", "cors", "delete",
        "encryption", "intelligent-tiering", "inventory", "legal-hold", "lifecycle", "location", "logging",
        "metadataAnnotationTable", "metadataConfiguration", "metadataInventoryTable", "metadataJournalTable",
        "metadataTable", "metrics", "notification", "object-lock", "ownershipControls", "policy", "policyStatus",
        "publicAccessBlock", "replication", "requestPayment", "restore", "retention", "select", "tagging", "torrent",
        "uploads", "versioning", "versions", "website",
    ]

    /// Whether the name is signed, and then whether its value is; nil for a name that is not.
    static func isValueSigned(_ name: ArraySlice<UInt8>) -> Bool? {
        let text = name.text
        return valued.contains(text) ? true : bare.contains(text) ? false : nil
    }
}
