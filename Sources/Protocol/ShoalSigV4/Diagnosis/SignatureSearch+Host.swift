import ShoalHTTP
import ShoalS3

extension SignatureSearch {
    /// Hosts and ports that the request may have been signed for, with the path of the addressing style they imply.
    func hostChanges() -> [Change] {
        let sent = trial.request.header("host") ?? ""
        var changes = candidateHosts(sent).map { change(to: $0, from: sent) }
        changes += styleChanges(sent)
        return changes
    }

    private func change(to host: String, from sent: String) -> Change {
        Change(
            .host, .host, "The request was signed for the host \(host), but sent to \(sent).",
            fix: "Sign for the host and port that the client connects to, or send Host: \(host)."
        ) { trial in trial.request.setHeader("host", host) }
    }

    /// The caller's hosts first, then this machine's usual names and AWS's.
    private func candidateHosts(_ sent: String) -> [String] {
        let (name, port) = Self.split(sent)
        let suffix = port.map { ":\($0)" } ?? ""
        var hosts = surroundings.hosts.prefix(32).map { $0 } + forwardedHosts
        hosts += [name, "\(name):80", "\(name):443", "\(name):9000"]
        for local in ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "host.docker.internal", "10.0.2.2"] {
            hosts += [local + suffix, "\(local):9000", local]
        }
        hosts.append("s3.amazonaws.com")
        if let region { hosts.append("s3.\(region).amazonaws.com") }
        var seen: Set<String> = [sent.lowercased()]
        return hosts.filter { host in
            !host.isEmpty && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && seen.insert(host.lowercased()).inserted
        }
    }

    /// What proxies say that the client sent. Each of a chain adds a member; the first is the one the client met.
    /// https://www.rfc-editor.org/rfc/rfc7239.html#section-5.3
    private var forwardedHosts: [String] {
        func first(_ header: String) -> Substring? { trial.request.header(header)?.split(separator: ",").first }
        let named = ["x-forwarded-host", "x-original-host"].compactMap { first($0) }
        let pairs = first("forwarded")?.split(separator: ";") ?? []
        let standard = pairs.compactMap { pair -> Substring? in
            let halves = pair.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[0].drop(while: { $0 == " " }).lowercased() == "host" else { return nil }
            return halves[1]
        }
        return (named + standard).map { $0.filter { $0 != " " && $0 != "\"" } }
    }

    private var region: String? {
        let credential = trial.request.parameter("X-Amz-Credential") ?? trial.request.header("authorization") ?? ""
        let parts = credential.split(separator: "/", maxSplits: 4)
        guard parts.count == 5, parts[2].utf8.allSatisfy({ $0.isDigitASCII || $0 > 0x60 || $0 == UInt8(ascii: "-") })
        else { return nil }
        return String(parts[2])
    }

    /// The other addressing style: a bucket in the path that was signed as part of the host, or the reverse.
    private func styleChanges(_ sent: String) -> [Change] {
        if let bucket = trial.hostBucket {
            let prefix = bucket[...].text + "."
            guard sent.hasPrefix(prefix) else { return [] }
            let host = String(sent.dropFirst(prefix.count))
            return [
                Change(
                    .host, .host, "The request was signed in path style for \(host), but sent to \(sent).",
                    fix: "Use one addressing style for signing and sending."
                ) { trial in
                    trial.request.setHeader("host", host)
                    trial.request.path = [UInt8(ascii: "/")] + bucket + trial.request.path
                    trial.hostBucket = nil
                }
            ]
        }
        let rest = trial.request.path.dropFirst()
        let bucket = rest.prefix { $0 != UInt8(ascii: "/") }
        guard !bucket.isEmpty else { return [] }
        var bases = [sent] + surroundings.hosts.prefix(8) + ["s3.amazonaws.com"]
        if let region { bases.append("s3.\(region).amazonaws.com") }
        return bases.map { base in
            let host = "\(bucket.text).\(base)"
            return Change(
                .host, .host, "The request was signed in virtual-host style for \(host), but sent to \(sent).",
                fix: "Use one addressing style for signing and sending."
            ) { trial in
                trial.request.setHeader("host", host)
                trial.request.path = Array(rest.dropFirst(bucket.count))
                trial.hostBucket = Array(bucket)
            }
        }
    }

    /// Name and port; the colons of an IPv6 address stand in brackets.
    private static func split(_ host: String) -> (name: String, port: String?) {
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return (host, nil) }
        return (String(host[..<colon]), String(host[host.index(after: colon)...]))
    }
}
