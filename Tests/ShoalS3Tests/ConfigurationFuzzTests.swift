import ShoalS3
import ShoalSeeded
import Testing

@Suite struct `Reading configurations` {
    private static let now = Timestamp(iso8601: "2026-03-14T15:09:26Z")!

    private static let goldens = [
        "accelerate", "acl-public", "cors", "encryption-kms", "legal-hold", "lifecycle", "lifecycle-v1", "logging",
        "notification", "object-lock-default", "ownership-controls", "public-access-block", "request-payment",
        "retention", "versioning-enabled", "website", "website-redirect",
    ]

    /// The document that the body of this golden file's kind is written back as.
    private static func rewritten(_ golden: String, _ body: [UInt8]) throws(S3Error) -> [UInt8] {
        switch golden {
        case "accelerate": try AccelerateConfiguration(body).document
        case "acl-public": try AccessControlPolicy(body).document
        case "cors": try CORSConfiguration(body).document
        case "encryption-kms": try ServerSideEncryptionConfiguration(body).document
        case "legal-hold": try LegalHold(body).document
        case "lifecycle", "lifecycle-v1": try LifecycleConfiguration(body).document
        case "logging": try BucketLoggingStatus(body).document
        case "notification": try NotificationConfiguration(body).document
        case "object-lock-default": try ObjectLockConfiguration(body).document
        case "ownership-controls": try OwnershipControls(body).document
        case "public-access-block": try PublicAccessBlockConfiguration(body).document
        case "request-payment": try RequestPaymentConfiguration(body).document
        case "retention": try ObjectRetention.requested(body, now: now)?.document ?? body
        case "versioning-enabled": try VersioningConfiguration(body).document
        default: try WebsiteConfiguration(body).document
        }
    }

    @Test(arguments: goldens)
    func `gives back what S3 wrote`(golden: String) throws {
        let document = try goldenXML(golden)
        #expect(text(try Self.rewritten(golden, Array(document.utf8))) == document)
    }

    /// Whatever is done to a body, it ends in a refusal, or in a value whose document reads as the same value.
    @Test(arguments: goldens)
    func `ends in a value or an S3Error for damaged bodies`(golden: String) throws {
        let document = Array(try goldenXML(golden).utf8)
        var random = SeededGenerator(seed: UInt64(golden.utf8.count))
        for _ in 0..<1_500 {
            let body = Self.damaged(document, &random)
            guard let rewritten = try? Self.rewritten(golden, body) else { continue }
            #expect(try Self.rewritten(golden, rewritten) == rewritten)
        }
    }

    private static let pieces = [
        "", "0", "-1", "1", "9999999999", "true", "2030-01-01T00:00:00Z", "*", "<a/>", "&lt;", "&#13;", "é", "/", "</",
        "\u{0}", "Enabled", "GLACIER", "s3:*", "arn:", "id", "404",
    ]

    /// Two to four changes: text of an element exchanged, an element gone or there twice, a byte changed.
    private static func damaged(_ document: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var parts = text(document).split(separator: "<", omittingEmptySubsequences: false).map(String.init)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: 1..<parts.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: parts[index] = parts[index].prefix { $0 != ">" } + ">" + pieces.randomElement(using: &random)!
            case 1 where parts.count > 4: parts.remove(at: index)
            case 2:
                let end = min(index + Int.random(in: 1...6, using: &random), parts.count)
                parts.insert(contentsOf: parts[index..<end], at: index)
            default:
                var bytes = Array(parts[index].utf8)
                guard !bytes.isEmpty else { continue }
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                parts[index] = text(bytes)
            }
        }
        return Array(parts.joined(separator: "<").utf8)
    }
}
