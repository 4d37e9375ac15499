import ShoalLog
import ShoalNet
import ShoalServer
import Testing

@Suite struct `A start that fails` {
    @Test func `leaves neither its ports nor its directory in use`() throws {
        let (port, adminPort) = (try freePort(), try freePort())
        let listen = { (options: inout ServeOptions) in
            options.listen = ListenAddress(host: "127.0.0.1", port: port)
            options.adminListen = ListenAddress(host: "127.0.0.1", port: adminPort)
        }
        let folder = try TestServer()
        folder.stop()
        for flaw in [{ $0.faultsFile = "/nowhere" }, { $0.seedDirectory = "/nowhere" }]
            as [(inout ServeOptions) -> Void]
        {
            #expect(throws: (any Error).self) {
                _ = try TestServer { options in
                    listen(&options)
                    options.storage = .directory(folder.data)
                    flaw(&options)
                }
            }
        }
        let server = try TestServer { options in
            listen(&options)
            options.storage = .directory(folder.data)
        }
        #expect(try S3Client(server).put("a", "x").status == 200)
    }

    /// A port that nobody listens on now.
    private func freePort() throws -> UInt16 {
        let server = try TestServer { $0.adminListen = nil }
        defer { server.stop() }
        return server.port
    }
}
