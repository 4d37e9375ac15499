import Glibc
import ShoalProcess
import ShoalWire
import Testing

@Suite struct `A start` {
    @Test func `says where it listens in its first line, when requests are accepted`() throws {
        let server = try ServerProcess(["--ephemeral"])
        // `ServerProcess` read the line; nothing is waited for between it and this connection.
        let response = try #require(try server.connect().send("GET", ""))
        #expect(response.status == 200)
        #expect(try server.stop() == .code(0))
    }

    /// What a container's health check runs.
    @Test func `is told by shoal health, which needs no other program (minio#18371)`() throws {
        let server = try ServerProcess(["--ephemeral", "--bucket", "photos"])
        let health = ["health", "--endpoint", server.endpoint]
        #expect(try ShoalCommand.run(health).end == .code(0))
        #expect(try server.stop() == .code(0))
        #expect(try ShoalCommand.run(health).end == .code(1))
    }

    @Test func `writes the bare port, and leaves no file half written beside it`() throws {
        let folder = TemporaryFolder()
        let server = try ServerProcess(["--ephemeral", "--port-file", folder.path + "/port"])
        #expect(try File.text(folder.path + "/port") == "\(server.port)")
        #expect(File.names(in: folder.path) == ["port"])
    }

    @Test func `takes every setting from the environment, and lets a flag win`() throws {
        let folder = TemporaryFolder()
        try folder.write(Array("seeded".utf8), to: "seed/from-seed/a.txt")
        let server = try ServerProcess(
            ["--bucket", "from-flag", "--secret-key", "flag-secret"],
            environment: [
                "SHOAL_LISTEN": "127.0.0.1:1", "SHOAL_DATA": folder.path + "/data", "SHOAL_BUCKET": "one-1,two-2",
                "SHOAL_SEED": folder.path + "/seed", "SHOAL_ACCESS_KEY": "variable", "SHOAL_SECRET_KEY": "other-secret",
                "SHOAL_PORT_FILE": folder.path + "/port", "SHOAL_LOG": "json",
            ])
        let client = S3Client(port: server.port, accessKey: "variable", secretKey: "flag-secret")
        #expect(try client.send("HEAD", "from-flag")?.status == 200)
        #expect(try client.send("HEAD", "one-1")?.status == 404)
        #expect(try client.send("GET", "from-seed/a.txt")?.text == "seeded")
        #expect(try File.text(folder.path + "/port") == "\(server.port)")
        #expect(File.exists(folder.path + "/data/shoal.sqlite"))
        #expect(try server.stop() == .code(0))
        let log = server.child.errorText.split(separator: "\n")
        #expect(!log.isEmpty && log.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }, "\(log)")
    }

    @Test func `makes the buckets of SHOAL_BUCKET where no flag names one (self-hosted#3)`() throws {
        let server = try ServerProcess(["--ephemeral"], environment: ["SHOAL_BUCKET": "one-1,two-2"])
        let client = server.connect()
        #expect(try client.send("HEAD", "one-1")?.status == 200)
        #expect(try client.send("HEAD", "two-2")?.status == 200)
    }

    @Test func `finds everything again that an earlier one kept (localstack#12193, localstack#77)`() throws {
        let folder = TemporaryFolder()
        let arguments = ["--data", folder.path + "/data", "--bucket", "kept"]
        let first = try ServerProcess(arguments)
        let body = Array("still here".utf8)
        let headers = [("content-type", "text/x-kept"), ("x-amz-meta-colour", "blue")]
        #expect(try first.connect().send("PUT", "kept/a", headers: headers, body: body[...])?.status == 200)
        #expect(try first.stop() == .code(0))

        let second = try ServerProcess(arguments)
        let response = try #require(try second.connect().send("GET", "kept/a"))
        #expect(response.body == body)
        #expect(response["Content-Type"] == "text/x-kept")
        #expect(response["x-amz-meta-colour"] == "blue")
        #expect(response["ETag"] == body.quotedETag)
    }
}

@Suite struct `A start that cannot be` {
    /// What the second of two starts says.
    private func refusal(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> ServerProcess.NoStart {
        try #require(throws: ServerProcess.NoStart.self) {
            _ = try ServerProcess(arguments, environment: environment)
        }
    }

    @Test func `says which process holds the directory`() throws {
        let folder = TemporaryFolder()
        let first = try ServerProcess(["--data", folder.path, "--bucket", "held"])
        let refusal = try refusal(["--data", folder.path])
        #expect(refusal.end == .code(4))
        #expect(refusal.errors == "shoal: \(folder.path) is in use by process \(first.child.pid)\n")
        #expect(try first.connect().send("HEAD", "held")?.status == 200)
    }

    @Test func `says that the port is taken, and touches nothing`() throws {
        let folder = TemporaryFolder()
        let first = try ServerProcess(["--ephemeral"])
        let data = folder.path + "/data"
        let refusal = try refusal(["--listen", "127.0.0.1:\(first.port)", "--data", data])
        #expect(refusal.end == .code(4))
        #expect(refusal.errors.contains("port \(first.port) of 127.0.0.1 is in use"), "\(refusal.errors)")
        #expect(!File.exists(data))
    }

    @Test func `names what stands in the way of the directory`() throws {
        let folder = TemporaryFolder()
        let file = try folder.write([], to: "file")
        let refusal = try refusal(["--data", file + "/data"])
        #expect(refusal.end == .code(4))
        #expect(refusal.errors.contains("\(file)/data: Not a directory"), "\(refusal.errors)")
    }

    @Test(.disabled(if: Tmpfs.isMissing, "\(Tmpfs.reason)"))
    func `says that a directory is on a read-only file system`() throws {
        let tmpfs = try Tmpfs(mebibyteCount: 1, isReadOnly: true)
        let refusal = try refusal(["--data", tmpfs.path + "/data"])
        #expect(refusal.end == .code(4))
        #expect(refusal.errors.contains("\(tmpfs.path)/data cannot hold a store: the file system is read-only"))
    }

    @Test(.disabled(if: geteuid() == 0, "root may write everywhere"))
    func `says that this user may not write to the directory`() throws {
        let folder = TemporaryFolder()
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        let refusal = try refusal(["--data", folder.path + "/data"])
        #expect(refusal.end == .code(4))
        #expect(refusal.errors.contains("this user may not write there"), "\(refusal.errors)")
    }

    @Test func `says that a newer version wrote the database`() throws {
        let folder = TemporaryFolder()
        #expect(try ServerProcess(["--data", folder.path]).stop() == .code(0))
        let path = folder.path + "/shoal.sqlite"
        var database = try File.read(path)
        // `PRAGMA user_version`, big-endian: https://sqlite.org/fileformat2.html#user_version_number
        database.replaceSubrange(60..<64, with: [0, 0, 3, 0xE7])
        try File.write(database, to: path)
        let refusal = try refusal(["--data", folder.path])
        #expect(refusal.end == .code(4))
        #expect(refusal.errors.contains("has format 999, but this version of Shoal knows formats up to"))
        #expect(refusal.errors.contains("use a newer Shoal"))
        #expect(try File.read(path).isSame(as: database), "a refused start changes nothing")
    }

    @Test func `does not take a stranger's database for its own`() throws {
        let folder = TemporaryFolder()
        #expect(try ServerProcess(["--data", folder.path]).stop() == .code(0))
        let path = folder.path + "/shoal.sqlite"
        var database = try File.read(path)
        // `PRAGMA application_id`: https://sqlite.org/fileformat2.html#application_id
        database.replaceSubrange(68..<72, with: [0, 0, 0, 1])
        try File.write(database, to: path)
        let refusal = try refusal(["--data", folder.path])
        #expect(refusal.end == .code(4))
        #expect(refusal.errors.contains("the database in it is not Shoal's"), "\(refusal.errors)")
    }

    @Test(arguments: [
        (["--faults", "/no/such"], "/no/such: No such file or directory"),
        (["--seed", "/no/such"], "/no/such: No such file or directory"),
    ])
    func `names the file that is missing`(arguments: [String], text: String) throws {
        let folder = TemporaryFolder()
        let refusal = try refusal(["--ephemeral"] + arguments, environment: ["TMPDIR": folder.path])
        #expect(refusal.end == .code(4))
        #expect(refusal.errors.contains(text), "\(refusal.errors)")
        #expect(File.names(in: folder.path) == [], "a start that fails takes its ephemeral directory with it")
    }
}
