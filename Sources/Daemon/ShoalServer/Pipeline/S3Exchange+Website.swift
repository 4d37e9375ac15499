import ShoalFaults
import ShoalHTTP
import ShoalNet
import ShoalS3

/// A website takes the way of every other read; only nobody signs there, and people read the errors.
extension S3Exchange {
    /// Goes on behind `auth`: whoever comes is anonymous, whatever he sends.
    func showPage(_ routed: Result<Route, S3Error>) -> Directive {
        do {
            let route = try routed.get()
            trace.record(.auth(.init(.anonymous, scopeTime: now.milliseconds)))
            return run(route, for: nil, .unsigned)
        } catch {
            return refuse(error)
        }
    }

    /// The answer to an error, with its type but without headers of its own: S3's XML, or on a website a page, which may
    /// be the bucket's. `status` is the error's unless given.
    func errorAnswer(_ error: S3Error, _ failure: WebsiteFailure? = nil, status: HTTPStatus? = nil) -> HTTPResponse {
        guard websiteBucket != nil else {
            var response = HTTPResponse(status ?? error.status, body: .bytes(error.document(identifiers)))
            response.add("Content-Type", "application/xml")
            return response
        }
        var response: HTTPResponse
        if let document = failure?.document {
            response = document
            response.status = error.status
        } else {
            let page = error.websitePage(identifiers, errorDocumentFailure: failure?.documentFailure)
            response = HTTPResponse(status ?? error.status, body: .bytes(page))
            response.add("Content-Type", "text/html; charset=utf-8")
        }
        for (name, value) in error.websiteHeaders { response.add(name: name, value: value) }
        return response
    }
}

extension World {
    /// What a head asks the website of a bucket for. Throws 400 as `Route` does.
    func route(_ head: RequestHead, toWebsiteOf bucket: [UInt8]) throws(S3Error) -> Route {
        let record = BucketName(bytes: bucket[...]).flatMap(store.bucket)
        return try Route(
            website: head, of: bucket, indexSuffix: record.flatMap { BucketSettings($0).website?.indexSuffix })
    }
}

/// Why a website shows no page of the bucket, or the one for errors.
struct WebsiteFailure: Error {
    let error: S3Error
    /// The bucket's own page for errors.
    let document: HTTPResponse?
    /// Why there is none, if the bucket should have one.
    let documentFailure: S3Error?
}
