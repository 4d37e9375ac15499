import ShoalHTTP
import ShoalS3

extension SignatureSearch {
    /// Other spellings of the key.
    func pathChanges() -> [Change] {
        let sent = trial.request.path
        var changes: [Change] = []
        func add(_ path: [UInt8], _ text: String, fix: String) {
            guard path != sent else { return }
            changes.append(Change(.path, .path, text, fix: fix) { $0.request.path = path })
        }
        let encodeOnce = "Percent-encode each byte of the key once, and leave / as it is."
        add(
            sent.replacing("%", with: "%25"),
            "The key was percent-encoded twice when it was signed, and once when sent.",
            fix: encodeOnce)
        add(
            sent.replacing("%25", with: "%"),
            "The key was percent-encoded once when it was signed, and twice when sent.",
            fix: encodeOnce)
        add(
            sent.replacing("+", with: "%2B"),
            "The key has a + that was signed as %2B but sent bare, where S3 reads a blank.",
            fix: "Send + as %2B, and a blank as %20.")
        add(
            sent.replacing("%20", with: "%2B"), "A + of the signed key was sent as a blank.",
            fix: "Send + as %2B, and a blank as %20.")
        add(
            sent.replacing("%2B", with: "%20").replacing("%2b", with: "%20"),
            "A blank of the signed key was sent as %2B.", fix: "Send + as %2B, and a blank as %20.")
        add(
            sent.replacing("%2F", with: "%252F").replacing("%2f", with: "%252F"),
            "The key was signed with %2F, which S3 decodes to a slash before it compares.",
            fix: "Sign / as it is, not as %2F.")
        add(
            Self.collapsingSlashes(sent), "The key was signed with one slash where two were sent.",
            fix: "Do not normalise the path: in S3 an empty segment belongs to the key.")
        if let slash = sent.dropFirst().firstIndex(of: UInt8(ascii: "/")), trial.hostBucket == nil {
            add(
                Array(sent[...slash]) + Array(sent[slash...]), "The key was signed with a slash before it.",
                fix: "Leave out the leading slash of the key, or send it as well.")
            add(
                Array(sent[slash...]), "The path was signed without the bucket.",
                fix: "Sign the path as it is sent, bucket included.")
        }
        add(
            Self.resolvingDots(sent), "The path was normalised when it was signed.",
            fix: "Do not resolve . and .. in a key.")
        add(
            sent.last == UInt8(ascii: "/") ? Array(sent.dropLast()) : sent + [UInt8(ascii: "/")],
            "The path was signed with another ending: a slash more or less.",
            fix: "Sign the path exactly as it is sent.")
        return changes
    }

    /// Parameters that were added after signing, and other spellings of a blank.
    func queryChanges() -> [Change] {
        let pieces = trial.request.query
        let added = pieces.indices.filter { !Self.isAuthentication(RequestVariant.name(of: pieces[$0])) }
        var changes: [Change] = added.prefix(32).map { index in
            let name = RequestVariant.name(of: pieces[index])
            return Change(
                .query, .query, "The parameter \(name) was added after signing.",
                fix: "Sign the URL with \(name), or do not add it."
            ) { trial in
                if trial.request.query.indices.contains(index) { trial.request.query.remove(at: index) }
            }
        }
        if added.count > 1 {
            changes.append(
                Change(
                    .query, .query, "Parameters were added after signing.",
                    fix: "Sign the URL with every parameter that is sent."
                ) { trial in
                    trial.request.query.removeAll { !Self.isAuthentication(RequestVariant.name(of: $0)) }
                })
        }
        if pieces.contains(where: { $0.contains(UInt8(ascii: "+")) }) {
            changes.append(
                Change(
                    .query, .query, "A + in the query was signed as %2B but sent bare, where S3 reads a blank.",
                    fix: "Send + as %2B."
                ) { trial in
                    trial.request.query = trial.request.query.map { $0.replacing("+", with: "%2B") }
                })
        }
        if let token = pieces.firstIndex(where: { RequestVariant.name(of: $0).lowercased() == "x-amz-security-token" })
        {
            changes.append(
                Change(
                    .token, .token, "The session token was added to the URL after signing.",
                    fix: "Sign with the token as one of the parameters."
                ) { trial in
                    let lookup = trial.lookup
                    if trial.request.query.indices.contains(token) { trial.request.query.remove(at: token) }
                    trial.lookup = { lookup($0).map { Credential(secret: $0.secret) } }
                })
        }
        return changes
    }

    private static func isAuthentication(_ name: String) -> Bool {
        [
            "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-signedheaders",
            "x-amz-signature", "x-amz-security-token", "awsaccesskeyid", "signature", "expires",
        ].contains(name.lowercased())
    }

    private static func collapsingSlashes(_ path: [UInt8]) -> [UInt8] {
        path.indices.filter { index in
            index == 0 || path[index] != UInt8(ascii: "/") || path[index - 1] != UInt8(ascii: "/")
        }.map { path[$0] }
    }

    private static func resolvingDots(_ path: [UInt8]) -> [UInt8] {
        var segments: [ArraySlice<UInt8>] = []
        for segment in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            switch segment.text {
            case ".": continue
            case "..": _ = segments.count > 1 ? segments.popLast() : nil
            default: segments.append(segment)
            }
        }
        return Array(segments.joined(separator: [UInt8(ascii: "/")]))
    }
}

extension [UInt8] {
    /// Every occurrence of `wanted` exchanged.
    fileprivate func replacing(_ wanted: String, with replacement: String) -> [UInt8] {
        replacing(Array(wanted.utf8), with: Array(replacement.utf8))
    }
}
