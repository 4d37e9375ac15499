import ShoalAdminAPI
import ShoalFaults
import ShoalJSON
import ShoalServer
import ShoalSigV4
import ShoalWire
import Testing

/// https://spec.openapis.org/oas/v3.1.0.html
@Suite struct `The description of the admin API` {
    private let document: JSON
    private let schemas: JSONSchema

    init() throws {
        document = try JSONParser.parse(OpenAPI.document)
        schemas = JSONSchema(in: document)
    }

    @Test func `is served as it stands among the documents, and is OpenAPI 3.1`() throws {
        let answer = try AdminClient(try TestServer()).send("GET", "/_shoal/v1/openapi.json")
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "application/json")
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        #expect(answer.text == TestServer.read(root + "/docs/openapi.json"))
        #expect(document["openapi"] == "3.1.0")
        #expect(document["info"]?["title"]?.string?.isEmpty == false)
        #expect(document["info"]?["version"]?.string == shoalVersion)
        #expect(document["components"]?["securitySchemes"]?["token"]?["scheme"] == "bearer")
    }

    @Test func `has every route of the server, and no other`() {
        let described = document["paths"]?.members.flatMap { path in
            path.value.members.filter { $0.name != "parameters" }.map { method in
                "\(method.name.uppercased()) \(path.name) \(method.value["operationId"]?.string ?? "")"
            }
        }
        #expect(described?.sorted() == AdminRoute.allCases.map { "\($0.rawValue) \($0)" }.sorted())
    }

    @Test func `has what it refers to`() {
        #expect(danglingReferences(in: document) == [])
        for path in document["paths"]?.members ?? [] {
            let parameters = (path.value["parameters"]?.elements ?? []).compactMap(schemas.resolved)
            let names = parameters.map { "{\($0["name"]?.string ?? "")}" }
            #expect(names == path.name.split(separator: "/").map(String.init).filter { $0.hasPrefix("{") })
        }
    }

    private func danglingReferences(in value: JSON) -> [JSON] {
        let here = value["$ref"] != nil && schemas.resolved(value) == nil ? [value] : []
        let inside = value.members.map(\.value) + value.elements
        return here + inside.flatMap(danglingReferences)
    }

    @Test(arguments: AdminRoute.allCases)
    func `tells how each route answers its own example`(route: AdminRoute) throws {
        let server = try TestServer { if route == .readAuthority { $0.tls = .ownAuthority } }
        if route.path.contains("{scope}") { try prepare(server) }
        let operation = try #require(document["paths"]?[route.path]?[route.method.lowercased()])
        let bodies = operation["requestBody"]?["content"]?.members ?? [JSON.Member("", [:])]
        for body in bodies {
            let example = try body.value["schema"].map { schema in
                let example = try #require(body.value["example"])
                #expect(schemas.flaws(of: example, by: schema) == [])
                return example
            }
            let answer = try AdminClient(server).send(
                route.method, try target(route, operation), example.map { $0.string ?? $0.text } ?? "",
                headers: body.name.isEmpty ? [] : [("Content-Type", body.name)])
            try #require((200..<300).contains(answer.status), "\(answer.text)")
            try expect(answer, in: operation)
        }
    }

    /// The path and query made of the parameters' examples.
    private func target(_ route: AdminRoute, _ operation: JSON, scope: String? = nil) throws -> String {
        var target = route.path
        for (name, parameter) in document["components"]?["parameters"]?.members.map({ ($0.name, $0.value) }) ?? [] {
            guard target.contains("{\(name)}") else { continue }
            let example = try #require(parameter["example"]?.string)
            target = target.replacing("{\(name)}", with: name == "scope" ? scope ?? example : example)
        }
        let query = try (operation["parameters"]?.elements ?? []).map { parameter in
            let parameter = try #require(schemas.resolved(parameter))
            let (name, example) = (try #require(parameter["name"]?.string), try #require(parameter["example"]))
            #expect(schemas.flaws(of: example, by: try #require(parameter["schema"])) == [])
            return "\(name)=\(example.string ?? example.text)"
        }
        return query.isEmpty ? target : target + "?" + query.joined(separator: "&")
    }

    private func expect(_ answer: WireResponse, in operation: JSON) throws {
        let response = try #require(
            operation["responses"]?[String(answer.status)].flatMap(schemas.resolved), "\(answer.status)")
        for header in response["headers"]?.members ?? [] where answer.status == 201 {
            #expect(answer[header.name] != nil)
        }
        guard let content = response["content"] else {
            #expect(answer.body.isEmpty)
            return
        }
        let type = try #require(answer["Content-Type"])
        let schema = try #require(content[type]?["schema"], "\(type)")
        guard type.hasSuffix("json") else { return }
        #expect(schemas.flaws(of: try JSONParser.parse(answer.body), by: schema) == [])
    }

    /// The scope, the upload and the rule that the examples speak of, and something for every list.
    private func prepare(_ server: TestServer) throws {
        let scope = try TestScope(server, "checkout")
        try scope.admin.arm("PutObject 7.jpg @response.head delay(1ms) id=delayed")
        #expect(try scope.s3.put("7.jpg", "abc", headers: [("x-shoal-op", "upload-7")]).status == 200)
        #expect(try scope.s3.send(S3Call("POST", "photos", "film", query: [("uploads", "")])).status == 200)
        try scope.admin.arm("PutObject 8.jpg @commit.after 1*reset id=lost")
    }

    @Test func `tells how a scope that is not there is answered`() throws {
        let server = try TestServer()
        for route in AdminRoute.allCases where route.path.contains("{scope}") {
            let operation = try #require(document["paths"]?[route.path]?[route.method.lowercased()])
            let body = operation["requestBody"]?["content"]?.members.first?.value["example"]?.text ?? ""
            let answer = try AdminClient(server).send(
                route.method, try target(route, operation, scope: "nobody"), body)
            #expect(answer.status == 404, "\(route)")
            #expect(answer.text.contains("No such scope"), "\(route): \(answer.text)")
            try expect(answer, in: operation)
        }
    }

    @Test(arguments: [
        ("MintURLRequest/properties/defect", Defect.allCases.map(\.rawValue)),
        ("Explanation/properties/verdict", ExplainResponse.Verdict.allCases.map(\.rawValue)),
        ("Verdict/properties/outcome", JournalVerdict.Outcome.allCases.map(\.rawValue)),
        ("CheckResult/properties/outcome", JournalVerdict.Outcome.allCases.map(\.rawValue)),
        ("Count/properties/per", FaultCount.Key.allCases.map(\.rawValue)),
        ("Count/properties/stableKey", FaultCount.StableKey.allCases.map(\.rawValue)),
        ("Count/properties/then", FaultSequence.Ending.allCases.map(\.rawValue)),
        ("Matcher/properties/connection", Matcher.ConnectionAge.allCases.map(\.rawValue)),
    ])
    func `has the names that the server knows`(place: String, names: [String]) {
        let schema = schemas.resolved(["$ref": .string("#/components/schemas/\(place)")])
        #expect(schema?["enum"]?.elements.compactMap(\.string) == names)
    }

    @Test func `has every condition of a rule`() {
        let described = document["components"]?["schemas"]?["Matcher"]?["properties"]?.members.map(\.name)
        #expect(described?.sorted() == Matcher.Field.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: [
        (#"{"status":"ok"}"#, "/version: missing"), (#"{"status":"ill","version":"1"}"#, "/status: not \"ok\""),
        (#"{"status":"ok","version":1}"#, "/version: a number instead of \"string\""),
        (#"{"status":"ok","version":"1","age":2}"#, "/age: not described"), ("[]", ": an array instead of \"object\""),
    ])
    func `would not let another answer pass`(answer: String, flaw: String) throws {
        let health = JSON.object([JSON.Member("$ref", "#/components/schemas/Health")])
        #expect(schemas.flaws(of: try JSONParser.parse(answer), by: health) == [flaw])
    }
}

extension JSON {
    fileprivate var members: [JSON.Member] { if case .object(let members) = self { members } else { [] } }
}
