import CShoalSystem
import Glibc
import ShoalLog
import ShoalNet
import ShoalS3
import ShoalServer
import ShoalWire

/// A Shoal of its own for one test: a free port, a directory of its own, a log that can be read.
///
/// The admin API has a port of its own, so that rules about every connection leave it alone.
final class TestServer: Sendable {
    let port: UInt16
    let adminPort: UInt16
    /// Where the server keeps its data.
    let data: String
    private let server: Server
    private let directory = TestDirectory()
    private let logDescriptor: Int32

    /// With the buckets `photos` and `films`, unless `configure` says otherwise.
    init(
        bounds: ConnectionBounds = ConnectionBounds(), _ configure: (inout ServeOptions) -> Void = { _ in }
    ) throws {
        data = directory.path + "/data"
        logDescriptor = shoal_open(directory.path + "/log", O_RDWR | O_CREAT | O_APPEND, 0o600)
        var options = ServeOptions()
        options.listen = ListenAddress(host: "127.0.0.1", port: 0)
        options.adminListen = options.listen
        options.storage = .directory(data)
        options.buckets = [BucketName("photos")!, BucketName("films")!]
        configure(&options)
        let format: Log.Format = options.logFormat == .json ? .json : .text
        let log = Log(format: format, level: .debug, descriptor: logDescriptor)
        server = try Server(options, log: log, bounds: bounds)
        port = server.port
        adminPort = server.adminPort ?? server.port
    }

    deinit {
        stop()
        close(logDescriptor)
    }

    /// Ends what is in flight; a second call does nothing.
    func stop() { server.stop(grace: .zero) }

    var connection: WireClient { WireClient(port: port, tls: trust) }

    /// For clients of a server with TLS: what they have to trust. Nil without.
    var trust: WireTLS.Trust? { server.authorityPEM.map { WireTLS.Trust($0) } }
    var adminConnection: WireClient { WireClient(port: adminPort) }

    /// `http://127.0.0.1:PORT`
    var url: String { "\(trust == nil ? "http" : "https")://127.0.0.1:\(port)" }

    /// All that was logged so far.
    var log: String { Self.read(directory.path + "/log") }

    /// The journal's file as it stands; complete once the server is stopped.
    var journalFile: String { Self.read(data + "/journal.ndjson") }

    /// Files below a folder of the data directory, such as `staging`.
    func files(below folder: String) -> [String] { Self.files(at: data + "/" + folder) }

    /// What one of them holds.
    func text(of file: String) -> String { Self.read(file) }

    static func read(_ path: String) -> String {
        let descriptor = shoal_open(path, O_RDONLY, 0)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    static func files(at path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var files: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
            files += isFolder ? Self.files(at: path + "/" + name) : [path + "/" + name]
        }
        return files
    }
}
