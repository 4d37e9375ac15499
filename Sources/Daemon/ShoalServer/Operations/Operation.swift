import ShoalHTTP
import ShoalS3
import ShoalSigV4
import ShoalStore

/// One operation of S3: decoded from its request in its initializer, which throws what S3 answers to headers and
/// parameters once the signature is right, and run by `start`.
///
/// It knows neither sockets nor faults: it says what comes next, and the pipeline does it.
protocol Operation {
    func start(in world: World) throws -> Step
}

/// What an operation wants next.
enum Step {
    case answer(HTTPResponse)
    /// Take the body; when its last byte is in the sink, go on with `then`.
    case receive(any BodySink, then: () throws -> Step)
    /// A change of objects, done by the store's group commit; the completion may come on any thread.
    case commit((@escaping @Sendable (Result<Changed, any Error>) -> Void) -> Void)
    /// A change that waits for the disk.
    case change(@Sendable () throws -> HTTPResponse)
    /// The same where one object or part is written.
    case write(@Sendable () throws -> Changed)
    /// A change that takes long, such as a copy; others do not wait for it.
    case longWrite(@Sendable () throws -> Changed)
    /// Reading that waits for the disk.
    case look(@Sendable () throws -> HTTPResponse)
}

/// A change that was made: its answer, and what the journal tells of it.
struct Changed: Sendable {
    let response: HTTPResponse
    /// What is stored now; nil if the change was no single object or part.
    var written: Written?
    /// The change had been made before, by the same request: nothing is different now.
    var isRepeated = false

    struct Written: Sendable {
        let etag: ETag
        let size: UInt64
        /// Nil where versions have no names.
        var versionID: String?
    }

    init(_ response: HTTPResponse, wrote written: Written? = nil, isRepeated: Bool = false) {
        self.response = response
        self.written = written
        self.isRepeated = isRepeated
    }
}

extension Changed.Written {
    init(_ record: ObjectRecord, at path: ObjectPath) {
        self.init(
            etag: record.etag, size: record.size,
            versionID: record.isNull ? nil : VersionID.text(of: record.version, at: path))
    }

    init(_ part: PartRecord) { self.init(etag: part.etag, size: part.size) }
}

/// Takes the bytes of a request body, in pieces of any size.
protocol BodySink: AnyObject {
    func take(_ bytes: UnsafeRawBufferPointer) throws

    /// Memory in which the next bytes are wanted, if that saves copying them.
    var space: UnsafeMutableRawBufferPointer? { get }

    /// Whether work on earlier bytes has to go on first: until there is room for more, or until everything is digested.
    /// If so, `then` is called once that is so, on any thread.
    func waits(for moment: BodySinkMoment, then: @escaping @Sendable () -> Void) -> Bool

    /// The body will not be completed: nothing of it may stay.
    func abandon()

    /// Set while the body has said who sends it and waits to be judged; nothing more is taken before that.
    var proof: (any SelfProvingBody)? { get }
}

/// A body that says itself who sends it, as a form does in the fields in front of its file: its head proves nothing, so
/// that it is received first and judged in the middle.
protocol SelfProvingBody: BodySink {
    /// Whom the head showed to have sent it; nil if it showed nothing.
    var headSender: Accounts.Caller? { get }

    /// What it says of the request that other requests say in their heads.
    var evidence: FormEvidence { get }

    /// What the proof is worth.
    func verdict(in world: World) -> Verdict

    /// Goes on, on behalf of `caller`. Throws what the operation answers once it knows its caller, and what `take` throws.
    func admit(_ caller: Accounts.Caller?, in world: World) throws
}

enum BodySinkMoment: Sendable {
    case room, end
}

extension BodySink {
    var space: UnsafeMutableRawBufferPointer? { nil }

    func waits(for moment: BodySinkMoment, then: @escaping @Sendable () -> Void) -> Bool { false }

    var proof: (any SelfProvingBody)? { nil }
}

/// A request whose signature was judged. A class, so that operations hold it at the price of one reference.
final class S3Request: Sendable {
    let head: RequestHead
    let route: Route
    /// Nil for an anonymous request.
    let caller: Accounts.Caller?
    let payload: PayloadExpectation
    let fields: RequestFields
    /// The scope's time at which the request was judged.
    let now: Timestamp
    let lane: Int
    /// The client's address and port.
    let peer: String
    /// Whether it came over TLS.
    let isSecure: Bool
    /// How it was signed; nil for an anonymous request.
    let signing: PolicyRequest.Signing?
    /// As its answer names it.
    let identifiers: RequestIdentifiers

    init(
        head: RequestHead, route: Route, caller: Accounts.Caller?, payload: PayloadExpectation, now: Timestamp,
        lane: Int, peer: String, isSecure: Bool, signing: PolicyRequest.Signing? = nil, identifiers: RequestIdentifiers
    ) {
        self.head = head
        self.route = route
        self.caller = caller
        self.payload = payload
        fields = RequestFields(head, route.query)
        self.now = now
        self.lane = lane
        self.peer = peer
        self.isSecure = isSecure
        self.signing = signing
        self.identifiers = identifiers
    }

    /// The client's address, without its port and without the brackets of IPv6.
    var sourceAddress: String { PeerAddress.host(of: peer) }

    /// The scheme of the URL that it was sent to.
    var scheme: String { isSecure ? "https" : "http" }

    /// The same request, once its body has said who sends it.
    func sent(by caller: Accounts.Caller?) -> S3Request {
        S3Request(
            head: head, route: route, caller: caller, payload: .unsigned, now: now, lane: lane, peer: peer,
            isSecure: isSecure, signing: caller.map { _ in PolicyRequest.Signing(kind: .form, ageMilliseconds: nil) },
            identifiers: identifiers)
    }

    /// The bucket a route of a bucket operation has.
    var bucket: BucketName {
        get throws(S3Error) {
            guard let bucket = route.bucket else { throw S3Error(.invalidRequest) }
            return bucket
        }
    }

    /// The path a route of an object operation has.
    var path: ObjectPath {
        get throws(S3Error) {
            guard let path = route.path else { throw S3Error(.invalidRequest) }
            return path
        }
    }
}
