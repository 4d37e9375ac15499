import ShoalFaults
import ShoalJSON
import ShoalS3
import ShoalSigV4
import ShoalWire
import Testing

/// A PUT of three bytes to a URL that the admin API minted.
struct MintedURL: Sendable {
    let url: String
    let request: WireRequest

    /// `more` are further members of the request, each with a comma in front.
    init(_ server: TestServer, _ more: String = "") throws {
        let answer = try AdminClient(server).json(
            "POST", "/urls",
            #"{"method":"PUT","bucket":"photos","key":"a.jpg","expires":300,"headers":{"Content-Type":"image/jpeg"}"#
                + more + "}")
        url = try #require(answer["url"]?.string)
        let authority = url.dropFirst("http://".count).prefix { $0 != "/" }
        request = WireRequest(
            method: "PUT", target: String(url.dropFirst("http://".count + authority.count)), host: String(authority),
            headers: [("Content-Type", "image/jpeg"), ("Content-Length", "3")], body: Array("jpg".utf8))
    }
}

@Suite struct `A minted URL` {
    @Test func `works as it is`() throws {
        let server = try TestServer()
        let s3 = S3Client(server)
        #expect(try s3.send(MintedURL(server).request).status == 200)
        #expect(try s3.get("a.jpg")["Content-Type"] == "image/jpeg")
    }

    @Test(arguments: [
        ("expired", "AccessDenied", "Request has expired"),
        ("not-yet-valid", "AccessDenied", "Request is not yet valid"),
        (
            "wrong-secret", "SignatureDoesNotMatch",
            "The request signature we calculated does not match the signature you provided. Check your key and signing "
                + "method."
        ),
        ("wrong-host", "SignatureDoesNotMatch", ""), ("wrong-method", "SignatureDoesNotMatch", ""),
    ])
    func `with a defect gets the refusal that a client must handle`(defect: String, code: String, message: String)
        throws
    {
        let server = try TestServer()
        let answer = try S3Client(server).send(MintedURL(server, #","defect":"\#(defect)""#).request)
        #expect(answer.status == 403)
        #expect(answer.code == code)
        if !message.isEmpty { #expect(answer.element("Message") == message) }
    }

    @Test func `is made for the name the client uses (lerd-env/lerd#1703)`() throws {
        let server = try TestServer()
        let minted = try MintedURL(server, #","baseURL":"http://shoal.test:\#(server.port)""#)
        #expect(minted.url.hasPrefix("http://shoal.test:\(server.port)/photos/a.jpg?"))
        #expect(try S3Client(server).send(minted.request).status == 200)
    }

    @Test(arguments: [
        (#"{"method":"PUT","bucket":"photos","key":"a"}"#, "expires"),
        (#"{"method":"PUT","bucket":"P","key":"a","expires":1}"#, "bucket name"),
        (#"{"method":"PUT","bucket":"photos","key":"","expires":1}"#, "key"),
        (#"{"method":"PUT","bucket":"photos","key":"a","expires":604801}"#, "cannot be signed"),
        (#"{"method":"PUT","bucket":"photos","key":"a","expires":-1}"#, "cannot be signed"),
        (#"{"method":"PUT","bucket":"photos","key":"a","expires":1,"baseURL":"ftp://x"}"#, "http URL"),
        (#"{"method":"PUT","bucket":"photos","key":"a","expires":1,"defect":"broken"}"#, "broken"),
        (#"{"method":"P T","bucket":"photos","key":"a","expires":1}"#, "cannot be signed"),
        (#"{"method":"PUT","bucket":"photos","key":"a","expires":1,"headers":{"a\r\nb":"c"}}"#, "cannot be signed"),
        ("{", ""),
    ])
    func `is not made from nonsense`(body: String, detail: String) throws {
        let server = try TestServer()
        let answer = try AdminClient(server).send("POST", "/urls", body)
        #expect(answer.status == 400)
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(try JSONParser.parse(answer.body)["detail"]?.string?.contains(detail) ?? true, "\(answer.text)")
    }
}

@Suite struct `An explanation` {
    static func explain(_ server: TestServer, _ method: String, _ url: String, _ headers: [(String, String)] = [])
        throws -> JSON
    {
        let fields = headers.map { JSON.Member($0.0, .string($0.1)) }
        let body: JSON = ["method": .string(method), "url": .string(url), "headers": .object(fields)]
        return try AdminClient(server).json("POST", "/_shoal/v1/explain", body.text)
    }

    static let type = ("Content-Type", "image/jpeg")

    @Test func `of a good request says that it would be accepted`() throws {
        let server = try TestServer()
        let answer = try Self.explain(server, "PUT", MintedURL(server).url, [Self.type])
        #expect(answer["verdict"]?.string == "accepted")
        #expect(answer["status"] == nil)
    }

    @Test(arguments: Defect.allCases)
    func `of a defect names it and what to change`(defect: Defect) throws {
        let server = try TestServer()
        let answer = try Self.explain(
            server, "PUT", MintedURL(server, #","defect":"\#(defect.rawValue)""#).url, [Self.type])
        #expect(answer["verdict"]?.string == "refused")
        #expect(answer["status"]?.integer == 403)
        #expect(answer["summary"]?.string?.isEmpty == false)
        #expect(answer["findings"]?.elements.isEmpty == false)
        #expect(answer["findings"]?.first?["text"]?.string?.isEmpty == false)
    }

    @Test func `of another type than the pinned one shows both (minio#5031, aws-sdk-ios#1016)`() throws {
        let server = try TestServer()
        let answer = try Self.explain(server, "PUT", MintedURL(server).url, [("content-type", "false")])
        #expect(answer["code"]?.string == "SignatureDoesNotMatch")
        let text = answer["findings"]?.elements.compactMap { $0["text"]?.string }.joined(separator: "\n") ?? ""
        #expect(text == #"The header content-type was signed as "image/jpeg", but sent as "false"."#)
    }

    @Test func `of no signature says that buckets are private`() throws {
        let server = try TestServer()
        let answer = try Self.explain(server, "GET", server.url + "/photos/a")
        #expect(answer["verdict"]?.string == "anonymous")
        #expect(answer["code"]?.string == "AccessDenied")
    }

    @Test func `follows the scope's clock`() throws {
        let server = try TestServer()
        let url = try MintedURL(server).url
        try AdminClient(server).json("PUT", "/clock", #"{"advance":"1h"}"#)
        let answer = try Self.explain(server, "PUT", url, [Self.type])
        #expect(answer["message"]?.string == "Request has expired")
    }
}
