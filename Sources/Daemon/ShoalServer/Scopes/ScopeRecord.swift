import Glibc
import ShoalAdminAPI
import ShoalJSON
import ShoalStore

/// What is kept of a scope in `DIR/scopes/<number>.json`, so that its key works after a restart as before.
struct ScopeRecord: AdminMessage {
    let number: ScopeNumber
    let name: String
    let accessKey: String
    let secretKey: Secret
    /// Seconds; 0 for a scope that stays.
    let ttl: Int
    /// Of its own; nil if it has none.
    var port: UInt16?

    init(number: ScopeNumber, name: String, accessKey: String, secretKey: Secret, ttl: Int, port: UInt16? = nil) {
        self.number = number
        self.name = name
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.ttl = ttl
        self.port = port
    }

    init(_ reader: MessageReader) throws(MalformedMessage) {
        number = ScopeNumber(try reader.required("number").integer())
        name = try reader.required("name").string()
        accessKey = try reader.required("accessKeyId").string()
        secretKey = Secret(try reader.required("secretAccessKey").string())
        ttl = try reader.required("ttl").integer()
        port = try reader.member("port")?.integer()
    }

    var json: JSON {
        .members([
            ("number", .integer(number.value)), ("name", .string(name)), ("accessKeyId", .string(accessKey)),
            ("secretAccessKey", .string(secretKey.text)), ("ttl", .count(ttl)),
            ("port", port.map { .count($0) }),
        ])
    }
}

/// The folder of those files.
struct ScopeFolder: Sendable {
    let path: String

    /// Makes the folder; nobody else may read secrets.
    init(in directory: String) throws(StartFailure) {
        path = directory + "/scopes"
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw StartFailure("\(path): \(String(cString: strerror(errno)))")
        }
    }

    func save(_ record: ScopeRecord) throws(StartFailure) {
        try StartFile.write(record.json.text, to: file(record.number), mode: 0o600)
    }

    /// One that is gone already is as good.
    func remove(_ number: ScopeNumber) { unlink(file(number)) }

    /// Sorted by number. Throws for a file that is no record of ours.
    func records() throws -> [ScopeRecord] {
        guard let stream = opendir(path) else { throw StartFailure("\(path): \(String(cString: strerror(errno)))") }
        defer { closedir(stream) }
        var records: [ScopeRecord] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasSuffix(".json") else { continue }
            do {
                records.append(try ScopeRecord(decoding: try StartFile.read("\(path)/\(name)")))
            } catch let error as MalformedMessage {
                throw StartFailure("\(path)/\(name) describes no scope: \(error); remove it to start without")
            }
        }
        return records.sorted { $0.number.value < $1.number.value }
    }

    private func file(_ number: ScopeNumber) -> String { "\(path)/\(number.value).json" }
}
