import ShoalHTTP
import ShoalS3

extension SignatureSearch {
    /// Other values of the headers that the signature covers: none, and those that clients and proxies are known for.
    func headerChanges() -> [Change] { trial.isV2 ? changesOfV2() : coveredNames.flatMap(changes(of:)) }

    private var coveredNames: [String] { trial.signedHeaders.filter { $0 != "host" }.prefix(32).map { $0 } }

    private func changes(of name: String) -> [Change] {
        let sent = trial.request.header(name)
        var changes: [Change] = []
        if sent != nil {
            changes.append(
                Change(
                    .header(name), .headerDiffers,
                    "The header \(name) was signed without a value, but sent as \(shown(name, sent)).",
                    fix: "Sign \(name) with the value that is sent."
                ) { trial in trial.request.removeHeader(name) })
        }
        for value in Self.usualValues(of: name, sent: sent) where value != sent {
            let text =
                sent == nil
                ? "The signature covers the header \(name) as \(shown(name, value)), but the request has none."
                : "The header \(name) was signed as \(shown(name, value)), but sent as \(shown(name, sent))."
            changes.append(
                Change(
                    .header(name), sent == nil ? .missingHeader : .headerDiffers, text,
                    fix: "Send \(name): \(shown(name, value)), or sign the value that is sent."
                ) { trial in trial.request.setHeader(name, value) })
        }
        return changes
    }

    /// A value as a reader may see it: no token, no key, and not too long.
    private func shown(_ name: String, _ value: String?) -> String {
        let safe = Redaction.header(name, value ?? "")
        return safe.utf8.count <= 200 ? "\"\(safe)\"" : "\"\(String(safe.prefix(200)))…\""
    }

    static func usualValues(of name: String, sent: String?) -> [String] {
        var values = sent.map { [$0.lowercased()] } ?? []
        switch name {
        case "content-type": values += contentTypes(sent)
        case "content-length": values.append("0")
        case "accept-encoding": values += ["identity", "gzip", "gzip, deflate", "gzip, deflate, br", "*"]
        case "content-encoding": values += contentEncodings(sent)
        case "expect": values.append("100-continue")
        case "if-none-match": values.append("*")
        case "x-amz-acl": values += ["private", "public-read", "public-read-write", "bucket-owner-full-control"]
        case "x-amz-server-side-encryption": values += ["AES256", "aws:kms"]
        case "x-amz-storage-class": values += ["STANDARD", "STANDARD_IA", "REDUCED_REDUNDANCY"]
        case "x-amz-sdk-checksum-algorithm": values += ChecksumAlgorithm.allCases.map(\.rawValue)
        default: break
        }
        return values
    }

    private static func contentTypes(_ sent: String?) -> [String] {
        var values: [String] = []
        if let sent, let semicolon = sent.firstIndex(of: ";") {
            values.append(String(sent[..<semicolon]))
        } else if let sent {
            values += [
                "\(sent); charset=utf-8", "\(sent); charset=UTF-8", "\(sent);charset=utf-8", "\(sent);charset=UTF-8",
            ]
        }
        return values + [
            "application/octet-stream", "binary/octet-stream", "image/jpeg", "image/jpg", "image/png", "image/webp",
            "image/heic", "image/gif", "image/svg+xml", "video/mp4", "text/plain", "text/html", "text/csv",
            "application/json", "application/xml", "application/pdf", "application/zip",
            "application/x-www-form-urlencoded", "multipart/form-data",
        ]
    }

    private static func contentEncodings(_ sent: String?) -> [String] {
        var values = ["gzip", "aws-chunked", "identity", "br"]
        if let sent { values += ["aws-chunked,\(sent)", "aws-chunked, \(sent)"] }
        return values
    }
}

// MARK: - Signature Version 2

extension SignatureSearch {
    /// V2 has no list: Content-Type, Content-MD5 and every x-amz- header are always covered.
    private func changesOfV2() -> [Change] {
        let names = Set(trial.request.headers.map { $0.name.lowercased() })
        var changes = names.filter { $0.hasPrefix("x-amz-") }.sorted().prefix(32).map { name in
            Change(
                .header(name), .unsignedHeader, "The header \(name) was not signed, and Signature Version 2 covers it.",
                fix: "Sign \(name) as well, or do not send it."
            ) { trial in trial.request.removeHeader(name) }
        }
        let sentType = trial.request.header("content-type")
        let advice =
            "or presign with Signature Version 4 (in boto3: Config(signature_version='s3v4')), which covers only the "
            + "headers it names."
        if let sentType {
            changes.append(
                Change(
                    .header("content-type"), .unsignedHeader,
                    "Content-Type \(shown("content-type", sentType)) was sent, but none was signed; Signature Version 2 "
                        + "always covers it.",
                    fix: "Send no Content-Type, sign it as well, \(advice)"
                ) { trial in trial.request.removeHeader("content-type") })
        }
        if names.contains("content-md5") {
            changes.append(
                Change(
                    .header("content-md5"), .unsignedHeader,
                    "Content-MD5 was sent, but none was signed; Signature Version 2 always covers it.",
                    fix: "Send no Content-MD5, sign it as well, \(advice)"
                ) { trial in trial.request.removeHeader("content-md5") })
        }
        changes += Self.contentTypes(sentType).filter { $0 != sentType }.map { value in
            Change(
                .header("content-type"), sentType == nil ? .missingHeader : .headerDiffers,
                "Content-Type was signed as \(shown("content-type", value)), but "
                    + (sentType == nil ? "none was sent." : "sent as \(shown("content-type", sentType))."),
                fix: "Send Content-Type: \(value), \(advice)"
            ) { trial in trial.request.setHeader("content-type", value) }
        }
        return changes
    }
}
