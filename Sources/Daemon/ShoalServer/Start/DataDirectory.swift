import CShoalSystem
import Glibc

/// Where a server keeps everything: a directory that stays, or one that goes with the server.
struct DataDirectory: Sendable {
    let path: String
    private let isEphemeral: Bool

    init(_ storage: ServeOptions.Storage) throws(StartFailure) {
        switch storage {
        case .directory(let path):
            self.path = path
            isEphemeral = false
        case .ephemeral:
            let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
            var template = Array("\(parent)/shoal-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else {
                throw StartFailure(
                    "no temporary directory can be made in \(parent): \(String(cString: strerror(errno))); set TMPDIR or give --data"
                )
            }
            path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            isEphemeral = true
        }
    }

    /// Removes a directory that was to go with the server.
    func close() {
        guard isEphemeral else { return }
        shoal_remove_tree(path)
    }
}
