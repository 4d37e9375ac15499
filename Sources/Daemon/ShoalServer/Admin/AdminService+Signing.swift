import ShoalAdminAPI
import ShoalFaults
import ShoalHTTP
import ShoalS3
import ShoalSigV4

extension AdminService {
    /// Mints a presigned URL with the scope's own key, by the scope's clock.
    func mintURL(_ request: AdminRequest) throws -> HTTPResponse {
        let wanted = try MintURLRequest(decoding: request.body)
        guard let bucket = BucketName(wanted.bucket) else {
            throw Problem.badRequest("'\(wanted.bucket)' is no bucket name", pointer: "/bucket")
        }
        guard let key = ObjectKey(Array(wanted.key.utf8)) else {
            throw Problem.badRequest("a key has 1 to 1,024 bytes", pointer: "/key")
        }
        let base = wanted.baseURL ?? world.publicURL
        guard let endpoint = Endpoint(base) else {
            throw Problem.badRequest("'\(base)' is no http URL of a host", pointer: "/baseURL")
        }
        let unsigned = UnsignedRequest(
            wanted.method.uppercased(), at: endpoint, bucket: bucket.text, key: key.bytes,
            query: try carriedRules(in: wanted), headers: wanted.headers)
        let presigner = Presigner(
            accessKeyId: world.accounts.main.accessKey, secret: world.accounts.mainSecret.text.utf8,
            region: world.options.region ?? "us-east-1")
        let presigned: PresignedRequest
        do throws(SigningError) {
            presigned = try presigner.presign(
                unsigned, lifetime: Int64(wanted.expires), at: world.now, defect: wanted.defect)
        } catch {
            throw Problem.badRequest("the request cannot be signed: \(error)")
        }
        return .json(
            MintURLResponse(
                url: presigned.url, headers: presigned.headers, expiresAt: presigned.expiry.iso8601Seconds))
    }

    /// The parameter that carries rules, if any are wanted.
    private func carriedRules(in wanted: MintURLRequest) throws -> [(name: String, value: String)] {
        guard let text = wanted.fault else { return [] }
        guard world.options.allowsRequestFaults else { throw Problem.requestFaultsAreOff }
        do throws(RuleError) {
            _ = try CarriedRules.read(text, forObject: wanted.method)
        } catch {
            throw Problem.badRequest("\(error)", pointer: "/fault")
        }
        return [(CarriedRules.name, text)]
    }

    /// Makes temporary credentials of a permanent key, by the scope's clock.
    func makeCredentials(_ request: AdminRequest) throws -> HTTPResponse {
        let wanted = try TemporaryKeysRequest(decoding: request.body)
        let accessKey = wanted.accessKey ?? world.accounts.main.accessKey
        guard world.accounts.caller(of: Array(accessKey.utf8)) != nil else {
            throw Problem.badRequest("'\(accessKey)' is no access key of this scope", pointer: "/accessKey")
        }
        let made = world.credentials(for: Array(accessKey.utf8), seconds: Int64(wanted.expiresIn), at: world.now)
        return .json(
            TemporaryKeys(
                accessKeyId: made.accessKeyId, secretAccessKey: made.secret, sessionToken: made.sessionToken,
                expiration: made.session.expiry.iso8601Seconds), .created)
    }

}

extension AdminAPI {
    /// Whether a request would be accepted now, and if not, why and what to change.
    func explain(_ request: AdminRequest) throws -> HTTPResponse {
        let wanted = try ExplainRequest(decoding: request.body)
        let head: RequestHead
        do throws(SigningError) {
            head = try DescribedRequest(
                method: wanted.method, url: wanted.url,
                headers: wanted.headers
            ).head
        } catch {
            throw Problem.badRequest("method, url and headers make no HTTP request: \(error)", pointer: "/url")
        }
        let world = world(of: head)
        if head.first("host").flatMap(world.websites.bucket(inHost:)) != nil {
            return .json(
                ExplainResponse(
                    verdict: .anonymous,
                    summary: "The host is that of a website, which judges no signature: whatever everybody may read is "
                        + "shown there."))
        }
        let route = Result { () throws(S3Error) in try Route(head, under: world.domains) }
        if case .failure(let error) = route { return .json(ExplainResponse(refused: error, [])) }
        switch world.verdict(on: head, try? route.get(), at: world.now) {
        case .accepted:
            return .json(ExplainResponse(verdict: .accepted, summary: "The signature is good now."))
        case .anonymous:
            return .json(
                ExplainResponse(
                    verdict: .anonymous, summary: "The request carries no signature, and buckets here are private.",
                    status: 403, code: "AccessDenied", message: "Access Denied"))
        case .rejected(let error):
            let diagnosis = world.diagnosis(of: head, try? route.get(), at: world.now)
            return .json(ExplainResponse(refused: error, diagnosis.findings, summary: diagnosis.summary))
        }
    }
}

extension AdminAPI {
    /// Whose a described request would be: of a scope's port whoever comes by it.
    private func world(of head: RequestHead) -> World {
        let number = head.text("host").flatMap { host in
            host.lastIndex(of: ":").flatMap { UInt16(host[host.index(after: $0)...]) }
        }
        return number.flatMap(main.facilities.worlds.world(ofPort:)) ?? main.facilities.world(of: head, main: main)
    }
}

extension ExplainResponse {
    init(refused error: S3Error, _ findings: [Diagnosis.Finding], summary: String? = nil) {
        self.init(
            verdict: .refused, summary: summary ?? error.message, status: error.status.code, code: error.code.rawValue,
            message: error.message,
            findings: findings.map {
                Finding(kind: $0.kind.rawValue, text: $0.text, fix: $0.fix.isEmpty ? nil : $0.fix)
            })
    }
}
