import ShoalAdminAPI
import ShoalHTTP

/// Who may use the admin API: whoever holds the token where one is set, and otherwise programs of this machine.
///
/// A page in a browser of this machine is not such a program: its `Origin`, or the name it reached us by, gives it away
/// (DNS rebinding).
struct AdminGuard: Sendable {
    private let token: Secret?
    /// Names, without ports, that lead here.
    private let hosts: Set<String>

    init(token: Secret?, hosts: [String]) {
        self.token = token
        self.hosts = Set(hosts.map { $0.lowercased() } + ["127.0.0.1", "localhost", "[::1]"])
    }

    func refusal(of head: RequestHead) -> Problem? {
        let host = head.text("host")
        if let origin = head.text("origin"), !Self.isOrigin(origin, of: host) {
            return Problem(
                title: "Foreign origin", status: 403,
                detail: "A page of another origin may not use the admin API. Call it from a program or from the shell.")
        }
        if let token {
            guard let given = head.text("authorization"), Self.isEqual(given, "Bearer \(token.text)") else {
                return Problem(
                    title: "Token needed", status: 401,
                    detail: "Send `Authorization: Bearer TOKEN` with the token of --admin-token (SHOAL_ADMIN_TOKEN).")
            }
            return nil
        }
        guard let host, hosts.contains(Self.withoutPort(host)) else {
            return Problem(
                title: "Foreign host", status: 403,
                detail:
                    "The admin API answers to 127.0.0.1 and localhost; give --admin-token to use it by another name.")
        }
        return nil
    }

    /// Whether a page came from the very host and port that it asks now, as the console does. Another port of this machine
    /// is somebody else's page.
    private static func isOrigin(_ origin: String, of host: String?) -> Bool {
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "http:" || parts[0] == "https:", parts[1].isEmpty else { return false }
        return parts[2].lowercased() == host?.lowercased()
    }

    static func withoutPort(_ host: String) -> String {
        let name = host.lowercased()
        guard let colon = name.lastIndex(of: ":"), !name[colon...].contains("]") else { return name }
        return String(name[..<colon])
    }

    /// In a time that does not tell how far two texts agree.
    private static func isEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
