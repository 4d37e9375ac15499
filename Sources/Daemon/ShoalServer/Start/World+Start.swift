import Glibc
import ShoalFaults
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalSigV4
import ShoalStore

extension World {
    /// The names under which programs of this machine reach the admin API.
    var adminHosts: [String] {
        let given = options.publicURLs.compactMap { $0.split(separator: "/").dropFirst().first }.map { authority in
            AdminGuard.withoutPort(String(authority))
        }
        return given + (options.listen.isLoopback ? [options.listen.host] : [])
    }

    /// Rules of `--faults`. Throws with the place of the first thing that is wrong.
    func loadFaults() throws {
        guard let path = options.faultsFile else { return }
        let bytes = try StartFile.read(path)
        do {
            let document = try RuleDocument(bytes)
            try plan.add(document.rules, seed: document.seed)
        } catch {
            throw StartFailure("\(path): \(error)")
        }
    }

    /// What is there after a start: the buckets of `--bucket`, and what `--seed` holds.
    func createStartBuckets(progress: Server.Progress? = nil) throws {
        for name in options.buckets { try ensureBucket(name) }
        if let directory = options.seedDirectory { try seed(directory, progress: progress) }
    }

    func ensureBucket(_ name: BucketName) throws {
        guard store.bucket(name) == nil else { return }
        try store.createBucket(
            BucketRecord(
                name: name, created: now, region: (region ?? .usEast1).name,
                settings: BucketSettings(ownerID: accounts.main.owner.id, options.newBuckets).encoded))
    }
}

extension ServeOptions {
    var scheme: String { tls == nil ? "http" : "https" }

    /// Where programs of this machine reach what listens on `port`.
    func url(port: UInt16) -> String {
        let reachable = ["0.0.0.0", "::"].contains(listen.host) ? "127.0.0.1" : listen.host
        return "\(scheme)://\(ListenAddress(host: reachable, port: port))"
    }

    /// What the server is called by those who were told at the start, without ports.
    var ownNames: [String] {
        let public_ = publicURLs.compactMap { $0.split(separator: "/").dropFirst().first }.map {
            AdminGuard.withoutPort(String($0))
        }
        return public_ + domains + websiteDomains
    }
}
