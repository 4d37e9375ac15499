import ShoalHTTP
import ShoalS3
import Testing

/// A head as the parser makes it from the wire; `fields` are lines without their ends.
func requestHead(_ requestLine: String, host: String = "localhost:9000", _ fields: [String] = []) throws -> RequestHead
{
    let text = ([requestLine + " HTTP/1.1", "Host: " + host] + fields + ["", ""]).joined(separator: "\r\n")
    var parser = HeadParser()
    let bytes = Array(text.utf8)
    return try #require(try parser.parse(bytes.span)).head
}

let testDomains = BaseDomains(["localhost", "s3.localhost"])

func route(_ requestLine: String, host: String = "localhost:9000", _ fields: [String] = []) throws -> Route {
    try Route(try requestHead(requestLine, host: host, fields), under: testDomains)
}

/// What an error tells the client, in a form that reads well in a table.
func summary(_ error: S3Error) -> String {
    ([error.code.rawValue, error.message] + error.elements.map { "\($0.name)=\($0.value)" }).joined(separator: " | ")
}

/// The summary of the error that `body` throws; nil if it throws none.
func refusal(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch let error as S3Error {
        return summary(error)
    } catch {
        return "\(error)"
    }
}

/// The fields of a request, with the parameters of its query that act like headers.
func requestFields(_ requestLine: String = "PUT /bucket/key", _ fields: [String] = []) throws -> RequestFields {
    let head = try requestHead(requestLine, fields)
    return RequestFields(head, try QueryParameters(head.query, of: head.target))
}

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// What a body that the schema does not know is answered with.
let malformedXML =
    "MalformedXML | The XML you provided was not well-formed or did not validate against our published schema"
