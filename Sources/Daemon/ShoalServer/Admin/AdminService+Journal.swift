import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP

extension AdminService {
    private static let eventCountMax: UInt64 = 10_000

    /// `?since=SEQ&limit=N&format=json|ndjson|har`
    func readJournal(_ request: AdminRequest) throws -> HTTPResponse {
        let since = try request.number("since", in: 0...UInt64(Int64.max), otherwise: 0)
        let limit = try request.number("limit", in: 1...Self.eventCountMax, otherwise: 1_000)
        let page = world.journal.read(scope: scope, since: since, limit: Int(limit))
        switch request.parameter("format") ?? "json" {
        case "ndjson":
            var response = HTTPResponse(.ok, body: .bytes(Self.lines(page.events)))
            response.add("Content-Type", "application/x-ndjson")
            return response
        case "json": return .jsonText(Self.document(page))
        case "har":
            let history = JournalHistory(page.events, isComplete: page.isComplete)
            return .json(HTTPArchive.document(history, base: world.publicURL, version: shoalVersion))
        case let other: throw Problem.badRequest("format is json, ndjson or har, not '\(other)'")
        }
    }

    static func lines(_ events: [JournalEvent]) -> [UInt8] {
        var lines: [UInt8] = []
        for event in events {
            event.appendJSON(to: &lines)
            if lines.last != UInt8(ascii: "\n") { lines.append(UInt8(ascii: "\n")) }
        }
        return lines
    }

    /// As `JournalPage` has it.
    private static func document(_ page: Journal.Page) -> [UInt8] {
        var text = Array(#"{"events":["#.utf8)
        for (index, event) in page.events.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            event.appendJSON(to: &text)
            if text.last == UInt8(ascii: "\n") { text.removeLast() }
        }
        text += Array(#"],"last":\#(page.next),"incomplete":\#(!page.isComplete)}"#.utf8)
        return text
    }
}

extension HTTPResponse {
    fileprivate static func jsonText(_ bytes: [UInt8]) -> HTTPResponse {
        var response = HTTPResponse(.ok, body: .bytes(bytes))
        response.add("Content-Type", "application/json")
        return response
    }
}
