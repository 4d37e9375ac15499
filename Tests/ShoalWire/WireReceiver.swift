import CShoalSystem
import Glibc
import Synchronization

/// An HTTP server on 127.0.0.1 that takes what is posted to it, and answers as it is told.
package final class WireReceiver: Sendable {
    /// One request, with the status it was answered.
    package struct Message: Sendable {
        package let head: String
        package let body: [UInt8]
        /// Nil if the connection was closed without an answer.
        package fileprivate(set) var status: Int?

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package let port: UInt16
    private let core: Core
    private let thread = Mutex<pthread_t?>(nil)

    /// `answer` gives the status, or nil for a connection that is closed without a word. Until `open` is called the port
    /// refuses connections.
    package init(isOpen: Bool = true, answer: @escaping @Sendable (Message) -> Int? = { _ in 200 }) {
        core = Core(answer)
        port = core.port.number
        if isOpen { open() }
    }

    deinit { stop() }

    /// Accepts connections from now on.
    package func open() {
        core.port.open()
        let argument = Unmanaged.passRetained(core).toOpaque()
        thread.withLock { thread in
            var started = pthread_t()
            let code = pthread_create(
                &started, nil,
                { argument in
                    if let argument { Unmanaged<Core>.fromOpaque(argument).takeRetainedValue().serve() }
                    return nil
                }, argument)
            precondition(code == 0)
            thread = started
        }
    }

    package func stop() {
        core.ringStop()
        if let thread = thread.withLock({ $0.take() }) { pthread_join(thread, nil) }
    }

    /// Everything received so far, oldest first.
    package var messages: [Message] { core.messages.withLock { $0 } }

    /// Waits until `isEnough` of all that was received; gives what there is after twenty seconds without a message.
    @discardableResult
    package func messages(until isEnough: ([Message]) -> Bool) -> [Message] {
        while true {
            let messages = messages
            if isEnough(messages) { return messages }
            var news = pollfd(fd: core.news, events: Int16(POLLIN), revents: 0)
            guard poll(&news, 1, 20_000) > 0 else { return messages }
            var count: UInt64 = 0
            _ = read(core.news, &count, 8)
        }
    }
}

/// What the serving thread works with.
private final class Core: Sendable {
    let port = LoopbackPort()
    /// Counts messages for who waits; of eventfd(2), as `end` is.
    let news: Int32
    let messages = Mutex<[WireReceiver.Message]>([])
    private let end: Int32
    private let answer: @Sendable (WireReceiver.Message) -> Int?

    init(_ answer: @escaping @Sendable (WireReceiver.Message) -> Int?) {
        self.answer = answer
        news = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        end = eventfd(0, Int32(EFD_CLOEXEC))
    }

    deinit { for descriptor in [news, end] { close(descriptor) } }

    func ringStop() {
        var one: UInt64 = 1
        _ = write(end, &one, 8)
    }

    func serve() {
        var connections: [Int32: [UInt8]] = [:]
        defer { for descriptor in connections.keys { close(descriptor) } }
        while true {
            let descriptors = [end, port.descriptor] + connections.keys
            var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polls, nfds_t(polls.count), -1) > 0 else { continue }
            if polls[0].revents != 0 { return }
            if polls[1].revents != 0 { connections[accept(port.descriptor, nil, nil)] = [] }
            for found in polls.dropFirst(2) where found.revents != 0 {
                guard let rest = read(found.fd, connections[found.fd] ?? []) else {
                    connections[found.fd] = nil
                    close(found.fd)
                    continue
                }
                connections[found.fd] = rest
            }
        }
    }

    /// What is left behind the requests that are whole; nil once the connection is over.
    private func read(_ descriptor: Int32, _ earlier: [UInt8]) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        var bytes = earlier + buffer[..<count]
        while let (message, byteCount) = Self.request(in: bytes) {
            bytes = Array(bytes.dropFirst(byteCount))
            guard reply(to: message, on: descriptor) else { return nil }
        }
        return bytes
    }

    private func reply(to message: WireReceiver.Message, on descriptor: Int32) -> Bool {
        var message = message
        message.status = answer(message)
        messages.withLock { $0.append(message) }
        if let status = message.status {
            let text = Array("HTTP/1.1 \(status) Answer\r\nContent-Length: 0\r\n\r\n".utf8)
            send(descriptor, text, text.count, Int32(MSG_NOSIGNAL))
        }
        var one: UInt64 = 1
        _ = write(news, &one, 8)
        return message.status != nil
    }

    private static func request(in bytes: [UInt8]) -> (WireReceiver.Message, byteCount: Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let length =
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) } ?? 0
        guard bytes.count >= end.upperBound + length else { return nil }
        let body = Array(bytes[end.upperBound..<end.upperBound + length])
        return (WireReceiver.Message(head: head, body: body, status: nil), end.upperBound + length)
    }
}
