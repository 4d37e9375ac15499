import ShoalAdminAPI
import ShoalJSON
import ShoalLog
import ShoalS3
import ShoalServer

/// A local S3 inside a test process, which refuses what S3 refuses and breaks where a test tells it to.
///
/// ```swift
/// let shoal = try Shoal.start()
/// let scope = try shoal.scope(buckets: ["photos"])
/// try scope.fault("PutObject @commit.after 1*reset")
/// // … let the app upload to scope.endpoint with the scope's key …
/// #expect(try scope.objects().map(\\.key) == ["a.jpg"])
/// #expect(try scope.end().neverFired.isEmpty)
/// ```
///
/// Each test may start one of its own, or share one and take a scope: tests that run beside each other see nothing of each
/// other either way. Calls may wait for the disk, for about as long as a file takes to be written.
public final class Shoal: Sendable {
    /// What a server is started with. The usual values suit a test.
    public struct Options: Sendable {
        /// 0 lets the system choose.
        public var port: UInt16 = 0
        /// Buckets of the default scope, which are there after a reset too.
        public var buckets: [String] = []
        /// Of the default scope.
        public var accessKeyId = ServeOptions.usualAccessKey
        public var secretAccessKey = ServeOptions.usualSecretKey
        /// The only region that signatures may name; nil accepts any.
        public var region: String?
        /// Where everything is kept; nil for a temporary directory that goes with the server.
        public var directory: String?
        /// Whether a request may bring faults along: in its header `x-shoal-fault`, or signed into its URL.
        public var allowsRequestFaults = false
        /// Whether it speaks TLS, with certificates of an authority of its own: see `authorityPEM`.
        public var tls = false
        /// Whether log lines below errors are written to standard error.
        public var logsRequests = false

        public init() {}
    }

    let server: Server
    /// `http://127.0.0.1:PORT`, or https; by number, because some clients try every address of a name.
    public let endpoint: String
    public let port: UInt16
    /// The certificate that clients have to trust, in PEM, and a file that holds it as long as the server runs; nil
    /// without TLS.
    public var authorityPEM: String? { server.authorityPEM }
    public var authorityPath: String? { server.authorityPath }
    /// The scope of the server's own key, which is always there.
    public var main: Scope { Scope(in: self, mainView) }
    private let mainView: ScopeView

    /// Starts a server that answers when this returns. Throws a `ShoalError` in words.
    public static func start(_ options: Options = Options()) throws -> Shoal { try Shoal(options) }

    /// The same with the usual options, and with TLS if it is wanted.
    public static func start(tls: Bool) throws -> Shoal {
        var options = Options()
        options.tls = tls
        return try Shoal(options)
    }

    private init(_ options: Options) throws {
        do {
            server = try Server(try ServeOptions(options), log: Log(level: options.logsRequests ? .info : .error))
        } catch let error as ShoalError {
            throw error
        } catch {
            throw ShoalError("\(error)")
        }
        port = server.port
        endpoint = "\(options.tls ? "https" : "http")://127.0.0.1:\(port)"
        mainView = ScopeView(
            scope: AdminPath.defaultScope, accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey,
            endpoint: endpoint, ttl: 0)
    }

    /// Ends at once what is in flight, and removes a temporary directory. A second call does nothing; nor is it needed
    /// before the last reference goes.
    public func stop() { server.stop(grace: .zero) }

    /// Makes a world of its own behind a key of its own, with these buckets. It ends with `Scope.end()`, or with the server.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 letters, digits, `.`, `_` and `-`; made up if nil.
    ///   - port: whether it gets a port of its own, where `scope.endpoint` leads then: whoever connects there is in the scope,
    ///     with or without a key.
    public func scope(_ name: String? = nil, buckets: [String] = [], port: Bool = false) throws -> Scope {
        let wanted = CreateScopeRequest(name: name, buckets: buckets, ttl: 0, port: port)
        return Scope(in: self, try ask(.post, ["scopes"], wanted.bytes))
    }

    /// Everything as right after the start: no scope but the main one, and that without objects and rules.
    public func reset() throws { _ = try send(.post, ["reset"]) }

    // MARK: The admin API, without a connection

    @discardableResult
    func send(
        _ method: Server.AdminMethod, _ path: [String], parameters: [(name: String, value: String)] = [],
        _ body: [UInt8] = []
    ) throws -> [UInt8] {
        let answer = server.administer(method, path, parameters: parameters, body: body)
        guard (200..<300).contains(answer.status) else { throw ShoalError(answer.body) }
        return answer.body
    }

    func ask<Message: AdminMessage>(
        _ method: Server.AdminMethod, _ path: [String], parameters: [(name: String, value: String)] = [],
        _ body: [UInt8] = []
    ) throws -> Message {
        try Message(decoding: try send(method, path, parameters: parameters, body))
    }
}

extension ServeOptions {
    fileprivate init(_ options: Shoal.Options) throws(ShoalError) {
        self.init()
        listen = ListenAddress(host: "127.0.0.1", port: options.port)
        storage = options.directory.map { .directory($0) } ?? .ephemeral
        for text in options.buckets {
            guard let name = BucketName(text) else { throw ShoalError("'\(text)' is no bucket name") }
            buckets.append(name)
        }
        accessKey = options.accessKeyId
        secretKey = Secret(options.secretAccessKey)
        region = options.region
        allowsRequestFaults = options.allowsRequestFaults
        tls = options.tls ? .ownAuthority : nil
    }
}

/// What was asked for cannot be done, in a sentence that says what to change.
public struct ShoalError: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    /// Of the body of a refusal.
    init(_ problem: [UInt8]) {
        guard let problem = try? Problem(decoding: problem) else {
            self.init("the server answered with something that is no problem document")
            return
        }
        let place = problem.pointer.map { $0.isEmpty ? "" : "\($0): " } ?? ""
        let hint = problem.nearest.map { "; did you mean '\($0)'?" } ?? ""
        self.init(place + (problem.detail ?? problem.title) + hint)
    }
}
