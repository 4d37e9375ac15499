import ShoalHTTP
import ShoalLog
import ShoalS3
import ShoalSigV4
import ShoalStore

/// `GET /{path}` on the host of a bucket's website, and its HEAD.
/// https://docs.aws.amazon.com/AmazonS3/latest/userguide/WebsiteHosting.html
struct GetWebsitePage: Operation {
    private let request: S3Request
    private let bucket: BucketName
    private let asked: WebsiteRequest

    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        bucket = try request.bucket
        asked = try WebsiteRequest(request.head, isSecure: request.isSecure)
    }

    func start(in world: World) throws -> Step {
        guard let record = world.store.bucket(bucket) else { throw S3Error.noSuchBucket(bucket) }
        guard let website = BucketSettings(record).website else {
            throw S3Error(.noSuchWebsiteConfiguration, elements: [.init("BucketName", bucket.text)])
        }
        if let redirect = website.redirect(asked) { return .answer(HTTPResponse(redirect)) }
        guard case .pages(let pages) = website else { preconditionFailure("the other kind redirects everything") }
        return .look { [self] in
            do {
                return try page(pages, in: world)
            } catch {
                // What went wrong decides what is shown, so it is looked at before the pipeline answers it.
                let error = S3Error(mapping: error)
                if let redirect = website.redirect(asked, insteadOf: error.status) { return HTTPResponse(redirect) }
                if let redirect = try errorRedirect(error, pages, in: world) { return redirect }
                throw failure(error, pages, in: world)
            }
        }
    }

    /// The object that the path shows, or the redirect in its place. Throws what GetObject throws.
    private func page(_ pages: WebsiteConfiguration.Pages, in world: World) throws -> HTTPResponse {
        let path = try request.path
        let found = try world.store.current(path)
        if let found, !found.isDeleteMarker {
            if let redirect = redirect(of: found) {
                guard try mayRead(path, in: world) else { throw S3Error(.accessDenied) }
                return redirect
            }
        } else if let key = pages.directoryIndexKey(of: asked.path).flatMap({ ObjectKey($0) }) {
            let index = ObjectPath(bucket: bucket, key: key)
            if let there = try world.store.current(index), !there.isDeleteMarker, try mayRead(index, in: world) {
                return HTTPResponse(pages.directoryRedirect(of: asked.path))
            }
        }
        return try read(path.key, in: world, dropping: Self.isAmz)
    }

    /// Where the object itself sends whoever wants it; nil if it is there to be read.
    private func redirect(of record: ObjectRecord) -> HTTPResponse? {
        ObjectAttributes(record).metadata.value(of: .websiteRedirectLocation).map { location in
            HTTPResponse(
                WebsiteRedirect(status: .movedPermanently, location: String(decoding: location, as: UTF8.self)))
        }
    }

    private func mayRead(_ path: ObjectPath, in world: World) throws(S3Error) -> Bool {
        let (_, access) = try world.access(to: path.bucket, for: request)
        return try access?.allows(AccessTarget(.getObject, path)) ?? true
    }

    /// As a GetObject that nobody signed; blocking.
    private func read(
        _ key: ObjectKey, in world: World, dropping isDropped: (ArraySlice<UInt8>) -> Bool
    ) throws -> HTTPResponse {
        let reading = S3Request(
            head: request.head.droppingFields(where: isDropped), route: request.route.showing(key), caller: nil,
            payload: .unsigned, now: request.now, lane: request.lane, peer: request.peer,
            isSecure: request.isSecure, identifiers: request.identifiers)
        let operation: any Operation =
            request.route.operation == .headObject ? try HeadObject(reading) : try GetObject(reading)
        switch try operation.start(in: world) {
        case .answer(let response): return response
        case .look(let work): return try work()
        case .receive, .commit, .change, .write, .longWrite: preconditionFailure("reading changes nothing")
        }
    }

    // MARK: Errors

    /// The redirect that the bucket's own page for errors is, if it is one.
    private func errorRedirect(
        _ error: S3Error, _ pages: WebsiteConfiguration.Pages, in world: World
    ) throws -> HTTPResponse? {
        guard (400..<500).contains(error.status.code), let key = pages.errorKey.flatMap({ ObjectKey($0.utf8) }) else {
            return nil
        }
        let path = ObjectPath(bucket: bucket, key: key)
        guard let found = try world.store.record(of: path), try mayRead(path, in: world) else { return nil }
        return redirect(of: found)
    }

    /// With the bucket's own page for errors where it has one; S3 shows that for what the client did, and for nothing else.
    private func failure(_ error: S3Error, _ pages: WebsiteConfiguration.Pages, in world: World) -> WebsiteFailure {
        guard let errorKey = pages.errorKey, (400..<500).contains(error.status.code) else {
            return WebsiteFailure(error: error, document: nil, documentFailure: nil)
        }
        do {
            guard let key = ObjectKey(Array(errorKey.utf8)) else {
                throw S3Error(.noSuchKey, elements: [.init("Key", errorKey)])
            }
            let document = try read(key, in: world) { Self.isAmz($0) || Self.isConditional($0) }
            return WebsiteFailure(error: error, document: document, documentFailure: nil)
        } catch let thrown {
            // The page says both what went wrong and why the bucket's own is missing.
            let reason = S3Error(mapping: thrown)
            if reason.status.code >= 500 {
                world.log.error("a page for errors cannot be shown", ["cause": "\(reason.cause ?? thrown)"])
            }
            return WebsiteFailure(error: error, document: nil, documentFailure: reason)
        }
    }

    /// Headers of the API mean nothing on a website.
    private static func isAmz(_ name: ArraySlice<UInt8>) -> Bool {
        name.count > 6 && name.prefix(6).map(\.lowercasedASCII).elementsEqual("x-amz-".utf8)
    }

    /// Conditions and ranges are about the page that was asked for.
    private static func isConditional(_ name: ArraySlice<UInt8>) -> Bool {
        let name = name.map(\.lowercasedASCII)
        return name.starts(with: "if-".utf8) || name.elementsEqual("range".utf8)
    }
}

extension HTTPResponse {
    init(_ redirect: WebsiteRedirect) {
        self.init(redirect.status)
        add("Location", redirect.location)
    }
}
