import CShoalSystem
import Glibc
import ShoalTLS
import Testing

@Suite struct `A session of TLS` {
    private static let now: Int64 = 1_800_000_000

    /// Both ends of one, on a pair of sockets that do not block.
    private final class Pair {
        let server: TLSSession
        let client: TLSSession
        let descriptors: (Int32, Int32)
        var hello: TLSHello?
        var agreement: TLSAgreement?

        init(
            _ context: TLSContext = .server(), trusting: TLSContext = .client(trusting: nil),
            named: String = "a.localhost",
            protocols: [String] = ["h2", "http/1.1"], sendBuffer: Int32? = nil
        ) throws {
            var pair: [Int32] = [0, 0]
            #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
            descriptors = (pair[0], pair[1])
            if var size = sendBuffer {
                setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            }
            server = TLSSession(context, on: pair[0], output: CiphertextBuffer())
            client = TLSSession(trusting, on: pair[1], to: try #require(SubjectName(named)), offering: protocols)
        }

        deinit {
            close(descriptors.0)
            close(descriptors.1)
        }

        /// Lets both sides go on until both are done, or one fails; what the server was told.
        func shake(presenting identity: TLSIdentity) -> TLSFailure? {
            for _ in 0..<20 {
                if case .failed = client.handshake() {}
                switch server.handshake() {
                case .hello(let hello):
                    self.hello = hello
                    server.present(identity)
                case .finished(let agreement):
                    self.agreement = agreement
                    if client.isEstablished { return nil }
                case .failed(let failure): return failure
                case .wantsInput, .peerFinished, .peerReset: break
                }
            }
            return nil
        }
    }

    private let authority = CertificateAuthority(named: "A test's authority", at: now)
    private let key = PrivateKey()

    /// Good now, by the clock that OpenSSL looks at.
    private func identity(_ names: [SubjectName] = [.dns("a.localhost")]) -> TLSIdentity {
        let today = Int64(time(nil))
        return TLSIdentity(
            CertificateAuthority(named: "Nobody", at: today).issue(names, for: key, .ofServer(at: today)), key: key)
    }

    @Test func `tells whom the client wants before it answers, and agrees on TLS 1.3`() throws {
        let pair = try Pair()
        #expect(pair.shake(presenting: identity()) == nil)
        #expect(pair.hello == TLSHello(serverName: "a.localhost", protocols: ["h2", "http/1.1"]))
        #expect(pair.agreement?.version == "TLSv1.3")
        #expect(pair.agreement?.isResumed == false)
    }

    @Test func `knows no name where the client wants an address`() throws {
        let pair = try Pair(named: "127.0.0.1", protocols: [])
        #expect(pair.shake(presenting: identity([.address("127.0.0.1")])) == nil)
        #expect(pair.hello == TLSHello(serverName: nil))
    }

    @Test func `is refused by a client that does not know the authority, in words`() throws {
        let stranger = TLSContext.client(trusting: [authority.certificate])
        let pair = try Pair(trusting: stranger)
        let failure = try #require(pair.shake(presenting: identity()))
        #expect(failure.isDistrust && failure.description.contains("does not know the authority"), "\(failure)")
    }

    @Test func `is refused to a client that speaks no HTTP/1.1`() throws {
        let pair = try Pair(protocols: ["h2"])
        #expect(pair.shake(presenting: identity()) == .noProtocol)
    }

    @Test func `carries bytes both ways, whole, and says when there is more of them`() throws {
        let pair = try Pair()
        #expect(pair.shake(presenting: identity()) == nil)
        let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
        #expect(bytes.withUnsafeBytes { pair.client.write($0.baseAddress, $0.count) } == bytes.count)
        var buffer = [UInt8](repeating: 0, count: 25_000)
        #expect(buffer.withUnsafeMutableBytes { pair.server.read(into: $0.baseAddress, $0.count) } == 25_000)
        #expect(buffer.elementsEqual(bytes[..<25_000]))
        #expect(pair.server.hasBufferedInput)
        #expect(buffer.withUnsafeMutableBytes { pair.server.read(into: $0.baseAddress, $0.count) } == 15_000)
        #expect(buffer[..<15_000].elementsEqual(bytes[25_000...]))
        #expect(!pair.server.hasBufferedInput)
        #expect(buffer.withUnsafeMutableBytes { pair.server.read(into: $0.baseAddress, $0.count) } == -1)
        #expect(errno == EAGAIN)
    }

    @Test func `keeps what the kernel does not take, and encrypts nothing more before it is gone`() throws {
        let pair = try Pair(sendBuffer: 4_096)
        #expect(pair.shake(presenting: identity()) == nil)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
        #expect(bytes.withUnsafeBytes { pair.server.write($0.baseAddress, $0.count) } == bytes.count)
        #expect(pair.server.hasUnsent)
        #expect(bytes.withUnsafeBytes { pair.server.write($0.baseAddress, $0.count) } == -1)
        #expect(errno == EAGAIN)
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<10_000 where received.count < bytes.count {
            #expect(pair.server.flush())
            let count = buffer.withUnsafeMutableBytes { pair.client.read(into: $0.baseAddress, $0.count) }
            if count > 0 { received += buffer[..<count] }
        }
        #expect(received == bytes)
        #expect(!pair.server.hasUnsent)
    }

    @Test func `says that it ends, unless it is to be cut`() throws {
        for isCut in [false, true] {
            let pair = try Pair()
            #expect(pair.shake(presenting: identity()) == nil)
            if isCut { pair.server.truncate() }
            pair.server.sendCloseNotify()
            shutdown(pair.descriptors.0, Int32(SHUT_WR))
            var byte: UInt8 = 0
            // A ticket of the server's is read first, which is no data.
            while pair.client.read(into: &byte, 1) < 0, errno == EAGAIN {}
            #expect(pair.client.read(into: &byte, 1) == 0)
            #expect(pair.client.hasPeerClosed == !isCut)
            #expect(pair.client.failure == nil)
        }
    }

    @Test func `takes an end of TCP for an end, and can still answer`() throws {
        let pair = try Pair()
        #expect(pair.shake(presenting: identity()) == nil)
        shutdown(pair.descriptors.1, Int32(SHUT_WR))
        var byte: UInt8 = 0
        #expect(pair.server.read(into: &byte, 1) == 0)
        #expect(pair.server.write("x", 1) == 1)
        #expect(pair.client.read(into: &byte, 1) == 1)
        #expect(byte == UInt8(ascii: "x"))
    }

    @Test func `is no TLS where the client sends something else`() throws {
        let pair = try Pair()
        let garbage = [UInt8](repeating: 0xFF, count: 300)
        #expect(write(pair.descriptors.1, garbage, garbage.count) == garbage.count)
        guard case .failed(let failure) = pair.server.handshake() else {
            Issue.record("no failure")
            return
        }
        #expect(failure == .notTLS, "\(failure)")
    }

    @Test func `sends any alert in place of a ServerHello`() throws {
        for number: UInt8 in [40, 112, 200] {
            let pair = try Pair()
            _ = pair.client.handshake()
            guard case .hello = pair.server.handshake() else {
                Issue.record("no hello")
                return
            }
            pair.server.refuse(withAlert: number)
            guard case .failed(let failure) = pair.client.handshake() else {
                Issue.record("no failure")
                return
            }
            if number < 200 {
                guard case .alert(number, _) = failure else {
                    Issue.record("\(failure)")
                    return
                }
            }
        }
    }
}
