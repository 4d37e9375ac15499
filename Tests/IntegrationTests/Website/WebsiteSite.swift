import ShoalServer
import ShoalWire
import Testing

/// The bucket `photos` as a website that everybody may read, unless a test says otherwise.
struct WebsiteSite {
    let server: TestServer
    let s3: S3Client
    var host: String

    static let index = "<IndexDocument><Suffix>index.html</Suffix></IndexDocument>"
    static let errorDocument = "<ErrorDocument><Key>error.html</Key></ErrorDocument>"
    static let readable =
        #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","#
        + #""Resource":"arn:aws:s3:::photos/*"}"#
    /// Whoever may list a bucket is told what is missing.
    static let listable =
        readable + #",{"Effect":"Allow","Principal":"*","Action":"s3:ListBucket","Resource":"arn:aws:s3:::photos"}"#

    /// `website` is what stands in its configuration; nil puts none.
    init(
        _ website: String? = index, policy: String? = listable, objects: [String: String] = [:],
        _ configure: (inout ServeOptions) -> Void = { _ in }
    ) throws {
        server = try TestServer { options in
            options.newBuckets = .open
            configure(&options)
        }
        s3 = S3Client(server)
        host = "photos.s3-website.localhost:\(server.port)"
        if let website { try put(website) }
        if let policy {
            let answer = try s3.send(S3Call("PUT", "photos", query: [("policy", "")], body: policy + "]}"))
            #expect(answer.status == 204, "\(answer.text)")
        }
        for (key, body) in objects {
            #expect(try s3.put(key, body, headers: [("Content-Type", "text/html")]).status == 200)
        }
    }

    func put(_ website: String) throws {
        let body = "<WebsiteConfiguration>\(website)</WebsiteConfiguration>"
        let answer = try s3.send(S3Call("PUT", "photos", query: [("website", "")], body: body))
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// As a browser asks.
    func request(_ method: String, _ target: String, headers: [WireRequest.Field] = []) -> WireRequest {
        WireRequest(method: method, target: target, host: host, headers: headers, body: [])
    }

    func get(_ target: String, headers: [WireRequest.Field] = []) throws -> WireResponse {
        try s3.send(request("GET", target, headers: headers))
    }

    func head(_ target: String) throws -> WireResponse { try s3.send(request("HEAD", target)) }
}

extension WireResponse {
    /// `301 http://…` of a redirect.
    var redirect: String { "\(status) \(self["Location"] ?? "")" }

    /// The page that S3 shows for an error, to the letter.
    func isPage(_ title: String, _ items: [(String, String)], tail: String = "") -> Bool {
        let all = items + [("RequestId", self["x-amz-request-id"] ?? ""), ("HostId", self["x-amz-id-2"] ?? "")]
        let list = all.map { "<li>\($0.0): \($0.1)</li>\n" }.joined()
        return text == "<html>\n<head><title>\(title)</title></head>\n<body>\n<h1>\(title)</h1>\n<ul>\n\(list)</ul>\n"
            + "\(tail)<hr/>\n</body>\n</html>\n"
    }
}
