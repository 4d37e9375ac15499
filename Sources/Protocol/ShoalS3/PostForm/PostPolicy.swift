import ShoalCrypto
import ShoalJSON

/// What the owner of a bucket allows whoever has the form to upload.
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
package struct PostPolicy: Sendable {
    package let expiration: Timestamp
    let conditions: [PostPolicyCondition]

    /// `text` is the field as it came, in base 64. Throws 400 `InvalidPolicyDocument`.
    package init(_ text: [UInt8]) throws(S3Error) {
        guard let bytes = Base64.decode(text) else { throw .invalidPolicy("invalid Base64 encoding.") }
        guard !bytes.isEmpty else { throw .invalidPolicy("Expecting '{' but found End-of-Input") }
        guard let document = try? JSONParser.parse(bytes), case .object(let members) = document else {
            throw .invalidPolicy("Invalid JSON.")
        }
        guard let date = document["expiration"] else { throw .invalidPolicy("Policy missing expiration.") }
        guard case .string(let dateText) = date, let expiration = Self.instant(dateText) else {
            throw .invalidPolicy("Invalid 'expiration' value: '\(date.plainText)'")
        }
        guard let list = document["conditions"] else { throw .invalidPolicy("Policy missing conditions.") }
        guard case .array(let items) = list else {
            throw .invalidPolicy("Invalid 'conditions' value: must be a List.")
        }
        for member in members where member.name != "expiration" && member.name != "conditions" {
            throw .invalidPolicy("Unexpected: \(JSON.string(member.name).text)")
        }
        var conditions: [PostPolicyCondition] = []
        for item in items { conditions.append(try PostPolicyCondition(item)) }
        self.expiration = expiration
        self.conditions = conditions
    }

    /// `2015-12-30T12:00:00.000Z`, with or without a fraction.
    private static func instant(_ text: String) -> Timestamp? {
        text.utf8.count >= 20 && text.utf8.last == UInt8(ascii: "Z") ? Timestamp(iso8601: text) : nil
    }
}

// MARK: - Judging a form

extension PostPolicy {
    /// Throws 403 `AccessDenied` if the policy has expired, if the form has a field that it does not mention, or if one of
    /// its conditions does not hold; in that order, as S3 does.
    package func check(_ form: PostForm, in bucket: BucketName, at now: Timestamp) throws(S3Error) {
        guard now <= expiration else { throw .policyExpired }
        for field in form.fields where !Self.isExempt(field.name[...]) {
            guard conditions.contains(where: { $0.names(field.name) }) else { throw .extraField(field.name[...].text) }
        }
        for condition in conditions {
            let isMet = condition.isMet { name in
                name.elementsEqual("bucket".utf8) ? Array(bucket.text.utf8) : form.judgedValue(name)
            }
            guard isMet else {
                throw S3Error(
                    .accessDenied, "Invalid according to Policy: Policy Condition failed: \(condition.text)")
            }
        }
        guard conditions.contains(where: { $0.names(Array("bucket".utf8)) }) else { throw .extraField("bucket") }
    }

    /// Fields that no condition has to mention.
    private static func isExempt(_ name: ArraySlice<UInt8>) -> Bool {
        name.equals("policy") || name.equals("signature") || name.equals("awsaccesskeyid")
            || name.equals("x-amz-signature") || name.equals("file") || name.hasPrefix("x-ignore-")
    }

    /// Bytes beyond which no file is allowed; nil without a `content-length-range`.
    package var fileByteCountMax: Int64? { conditions.compactMap(\.byteCounts?.max).min() }

    /// Throws 400 `EntityTooSmall` or `EntityTooLarge` for a file that `content-length-range` does not allow.
    package func check(fileByteCount count: UInt64) throws(S3Error) {
        let count = Int64(clamping: count)
        for range in conditions.compactMap(\.byteCounts) {
            guard count >= range.min else {
                throw S3Error(
                    .entityTooSmall,
                    elements: [.init("ProposedSize", "\(count)"), .init("MinSizeAllowed", "\(range.min)")])
            }
            guard count <= range.max else {
                throw S3Error(
                    .entityTooLarge,
                    elements: [.init("ProposedSize", "\(count)"), .init("MaxSizeAllowed", "\(range.max)")])
            }
        }
    }
}

extension S3Error {
    package static let policyExpired = S3Error(.accessDenied, "Invalid according to Policy: Policy expired.")

    fileprivate static func extraField(_ name: String) -> S3Error {
        S3Error(.accessDenied, "Invalid according to Policy: Extra input fields: \(name)")
    }

    /// 400 for a policy that is no policy.
    static func invalidPolicy(_ reason: String) -> S3Error {
        S3Error(.invalidPolicyDocument, "Invalid Policy: \(reason)")
    }
}

extension JSON {
    /// A string without its quotes, anything else as it is written.
    var plainText: String { if case .string(let text) = self { text } else { text } }
}
