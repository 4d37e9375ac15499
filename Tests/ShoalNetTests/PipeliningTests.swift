import ShoalHTTP
import ShoalNet
import ShoalWire
import Testing

@Suite struct `Requests that come together` {
    /// What a client would have to store to have it taken for its next request.
    private static let payload = Array(String(repeating: "DELETE /b HTTP/1.1\r\nHost: h\r\n\r\n", count: 200).utf8)

    @Test func `are read as they were sent, whatever file is answered in between`() throws {
        let file = OpenFile(Self.payload)
        let (server, _) = try `An exchange on the wire`.server { head, service in
            guard head.path.elementsEqual("/file".utf8) else { return TrialExchange(head, service: service) }
            let exchange = ResponseStop(head, service: service)
            exchange.payload = .file(file)
            return exchange
        }
        let client = WireClient(port: server.port)
        client.send(
            "GET /file HTTP/1.1\r\nHost: h\r\n\r\n"
                + "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody"
                + "GET /file HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(client.receiveResponse()?.body == Self.payload)
        #expect(client.receiveResponse()?.text == "4")
        #expect(client.receiveResponse()?.body == Self.payload)
        #expect(client.receive().end == .fin)
    }
}
