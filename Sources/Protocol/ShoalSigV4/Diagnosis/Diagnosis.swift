import ShoalHTTP
import ShoalS3

/// Why a request is refused, in words, and what to change so that it is not.
///
/// For the journal and for whoever holds the client: it names headers, hosts, regions and keys, never a signature, a
/// secret or a token. The answer that S3 gives is a matter of its own.
package struct Diagnosis: Sendable, Equatable {
    package struct Finding: Sendable, Equatable {
        package enum Kind: String, Sendable, CaseIterable {
            /// Nothing is wrong.
            case accepted
            case anonymous
            case mechanism
            case syntax
            case expired
            case notYetValid = "not-yet-valid"
            case clockSkew = "clock-skew"
            case credential
            case region
            case unknownKey = "unknown-key"
            case otherSecret = "other-secret"
            case token
            /// Sent, and not covered by the signature.
            case unsignedHeader = "unsigned-header"
            /// Covered by the signature, and not sent.
            case missingHeader = "missing-header"
            /// Covered by the signature, and sent with another value.
            case headerDiffers = "header-differs"
            case host
            case method
            case path
            case query
            case payload
            /// The signature verifies under no variation that was tried.
            case unexplained
        }

        package let kind: Kind
        /// What is wrong, as a sentence.
        package let text: String
        /// What to change, as a sentence; empty if there is nothing to.
        package let fix: String

        package init(_ kind: Kind, _ text: String, fix: String = "") {
            self.kind = kind
            self.text = text
            self.fix = fix
        }
    }

    /// One line.
    package let summary: String
    /// In the order in which they were met: with the first repaired, the second would be the reason.
    package let findings: [Finding]

    init(_ findings: [Finding]) {
        self.findings = findings
        let first = findings.first?.text ?? ""
        switch findings.count {
        case ...1: summary = first
        case 2: summary = first + " And one thing more is wrong."
        default: summary = first + " And \(findings.count - 1) things more are wrong."
        }
    }

    /// Whether the request would be served as it is, as far as its signature goes.
    package var isAccepted: Bool { findings.first?.kind == .accepted }
}

extension Diagnosis {
    /// What the server knows besides the request, and may compare it with.
    package struct Surroundings: Sendable {
        /// Hosts, with ports, under which the server may have been addressed: its public URLs and listening address.
        package var hosts: [String]
        /// Other keys, for the case that a request was signed with a neighbour's secret.
        package var neighbours: [(accessKeyId: String, credential: Credential)]
        /// The bucket that the Host field names, as for `Authenticator.verify`.
        package var hostBucket: [UInt8]?

        package init(
            hosts: [String] = [], neighbours: [(accessKeyId: String, credential: Credential)] = [],
            hostBucket: [UInt8]? = nil
        ) {
            self.hosts = hosts
            self.neighbours = neighbours
            self.hostBucket = hostBucket
        }
    }

    /// Looks for the reasons of a refusal: repairs what it finds and judges again, until the request is accepted or no
    /// variation helps. At most `SignatureSearch.trialCountMax` variations of a signature are tried, so it takes
    /// milliseconds; it is meant for requests that were refused.
    package static func explain(
        _ head: RequestHead, at now: Timestamp, by authenticator: Authenticator, among surroundings: Surroundings,
        lookup: @escaping (ArraySlice<UInt8>) -> Credential?
    ) -> Diagnosis {
        var investigation = Investigation(
            trial: Trial(
                request: RequestVariant(head),
                // With a cache of its own: trials with other secrets would push out keys that are in use.
                authenticator: Authenticator(regions: authenticator.regions, scheme: authenticator.scheme), now: now,
                hostBucket: surroundings.hostBucket, lookup: lookup),
            surroundings: surroundings)
        return Diagnosis(investigation.run())
    }
}
