import ShoalFaults
import ShoalHTTP
import ShoalNet
import ShoalTLS

/// Connections of a port of TLS, before their first request.
extension S3Service {
    func helloCame(_ hello: TLSHello, on connection: ConnectionHandle) -> Directive {
        let world = scope(of: connection)
        if world !== self.world { connection.belong(to: world) }
        return pass(.tlsHello, on: connection, hello, in: world)
    }

    func secured(_ agreement: TLSAgreement, on connection: ConnectionHandle) -> Directive {
        let hello = connection.hello
        let world = scope(of: connection)
        world.journal.append(
            .connectionSecured(
                .init(
                    version: agreement.version, cipher: agreement.cipher, isResumed: agreement.isResumed,
                    serverName: hello?.serverName, protocols: hello?.protocolText)),
            in: world.journalScope, exchange: ExchangeNumber(connection: connection.id, exchange: 0))
        return pass(.tlsDone, on: connection, hello, in: world)
    }

    func handshakeFailed(_ failure: HandshakeFailure, on connection: ConnectionHandle) {
        let hello = connection.hello
        let world = scope(of: connection)
        world.journal.append(
            .connectionSecured(
                .init(
                    failure: "\(failure)", serverName: hello?.serverName, protocols: hello?.protocolText)),
            in: world.journalScope, exchange: ExchangeNumber(connection: connection.id, exchange: 0))
        let asked = hello?.serverName ?? "none"
        guard failure.isDistrust, let path = world.facilities.tls?.authority?.path else {
            return world.log.info("no TLS", ["peer": connection.peer, "name": asked, "why": "\(failure)"])
        }
        world.log.info(
            "no TLS", ["peer": connection.peer, "name": asked, "why": "\(failure)", "client should trust": path])
    }

    func answerToPlainRequest(on connection: ConnectionHandle) -> HTTPResponse {
        var response = HTTPResponse(
            .badRequest, body: .bytes(Array("This port speaks TLS: use \(world.publicURL)\n".utf8)))
        response.add("Date") { world.now.appendHTTPDate(to: &$0) }
        response.add("Content-Type", "text/plain")
        return response
    }

    /// Whose a connection is by its port, or by a server name such as `upload-test.scope.localhost`; else the main one's.
    func scope(of connection: ConnectionHandle) -> World {
        guard connection.port == nil, let name = connection.hello?.serverName, name.hasSuffix(Self.scopeDomain) else {
            return world(at: connection)
        }
        let scope = name.dropLast(Self.scopeDomain.count)
        let worlds = world.facilities.worlds
        // Names of hosts have no case, names of scopes do.
        return worlds.find(String(scope)) ?? worlds.all.first { $0.name.lowercased() == scope } ?? world
    }

    private static let scopeDomain = ".scope.localhost"

    private func pass(
        _ point: FaultPoint, on connection: ConnectionHandle, _ hello: TLSHello?, in world: World
    ) -> Directive {
        guard world.plan.isArmed else { return .proceed }
        let subject = ConnectionSubject(
            connection: connection.id, peer: connection.peer, hello: hello, isSecure: connection.isSecure)
        guard let strike = world.plan.strike(at: point, subject) else { return .proceed }
        return play(strike, on: connection, in: world)
    }
}

extension ConnectionSubject {
    /// What is known of a connection before it says anything of HTTP.
    init(connection: UInt64, peer: String, hello: TLSHello?, isSecure: Bool) {
        self.init(
            connection: connection, client: Array(PeerAddress.host(of: peer).utf8)[...], isSecure: isSecure,
            serverName: hello?.serverName.map { Array($0.utf8)[...] },
            protocols: hello?.protocolText.map { Array($0.utf8)[...] })
    }
}

extension TLSHello {
    /// As rules match and the journal shows them; nil if none are named.
    var protocolText: String? { protocols.isEmpty ? nil : protocols.joined(separator: ",") }
}
