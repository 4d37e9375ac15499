import ShoalCrypto
import ShoalHTTP
import ShoalS3
import ShoalSigV4

/// Receives a form: its fields in memory, its file into the store.
///
/// How long the file is, is known only once what follows it has come: the place in the store is made for the most it can
/// be, and what is not needed of it is given up.
final class FormIntake: SelfProvingBody {
    private let request: S3Request
    private let byteCount: UInt64
    private var reader: PostFormReader
    /// Of the whole form, where the head was signed with it.
    private let payloadHash: Digest?
    private var isProofDue = false
    /// What came with the last field, kept until the sender is known.
    private var pending: [UInt8] = []
    private var policy: PostPolicy?
    private var upload: FormUpload?
    /// Its sender's.
    private var world: World?
    /// Nil before the sender is known, and again for a file that has grown beyond what the policy allows.
    private var intake: ObjectIntake?
    private var fileByteCount: UInt64 = 0
    private var fileByteCountMax: UInt64 = 0

    /// Throws 411 `MissingContentLength`, 501 `NotImplemented` for chunks, 400 `MalformedPOSTRequest`.
    init(_ request: S3Request) throws(S3Error) {
        self.request = request
        byteCount = try UploadLength.formByteCount(of: request.head)
        reader = try PostFormReader(request.head)
        switch request.payload {
        case .unsigned: payloadHash = nil
        case .sha256: payloadHash = Digest(.sha256)
        case .chunked: throw S3Error(.notImplemented, elements: [.init("Header", "x-amz-content-sha256")])
        }
    }

    // MARK: Bytes

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        payloadHash?.update(bytes)
        try read(bytes)
    }

    private func read(_ bytes: UnsafeRawBufferPointer) throws {
        let span = bytes.bindMemory(to: UInt8.self).span
        var index = 0
        while true {
            switch try reader.next(span, from: &index) {
            case .needsMore: return
            case .fileBegins:
                _ = try reader.form.key()
                isProofDue = true
                pending = Array(bytes[index...])
                return
            case .file(let range): try takeFile(UnsafeRawBufferPointer(rebasing: bytes[range]))
            case .heldFile(let held): try held.withUnsafeBytes(takeFile)
            }
        }
    }

    private func takeFile(_ bytes: UnsafeRawBufferPointer) throws {
        fileByteCount += UInt64(bytes.count)
        // There is no room left for the last boundary.
        guard fileByteCount <= fileByteCountMax else { throw S3Error(.malformedPOSTRequest) }
        if let max = policy?.fileByteCountMax, fileByteCount > UInt64(clamping: max) {
            // Counted on, because the refusal tells how large it was.
            abandon()
            return
        }
        try intake?.take(bytes)
    }

    func waits(for moment: BodySinkMoment, then: @escaping @Sendable () -> Void) -> Bool {
        intake?.waits(for: moment, then: then) ?? false
    }

    func abandon() {
        intake?.abandon()
        intake = nil
    }

    // MARK: Who sends it

    var proof: (any SelfProvingBody)? { isProofDue ? self : nil }

    var headSender: Accounts.Caller? { request.caller }

    var evidence: FormEvidence { FormEvidence(reader.form) }

    /// On signature and policy; anonymous without either.
    func verdict(in world: World) -> Verdict {
        do throws(S3Error) {
            guard let signature = try PostFormSignature(reader.form) else { return .anonymous(request.payload) }
            let verdict = world.verdict(on: signature, at: request.now)
            guard case .accepted = verdict else { return verdict }
            let policy = try PostPolicy(signature.policy)
            self.policy = policy
            try policy.check(reader.form, in: try request.bucket, at: request.now)
            return verdict
        } catch {
            return .rejected(error)
        }
    }

    func admit(_ caller: Accounts.Caller?, in world: World) throws {
        isProofDue = false
        let request = request.sent(by: caller)
        let name = try request.bucket
        let path = ObjectPath(bucket: name, key: try reader.form.key())
        let bucket = try world.bucket(name, for: request, target: AccessTarget(.postObject, path))
        let upload = try FormUpload(reader.form, for: request, in: bucket, world)
        self.upload = upload
        self.world = world
        fileByteCountMax = reader.fileByteCountMax(ofBody: byteCount)
        try UploadLength.check(byteCount: fileByteCountMax)
        intake = try ObjectIntake(
            request, upload.expectation, byteCount: fileByteCountMax, mayBeShort: true, in: world)
        let pending = pending
        self.pending = []
        try pending.withUnsafeBytes(read)
    }

    // MARK: The end

    /// What is to be stored, and where. Throws what a form without its end or its file throws, `EntityTooSmall` and `EntityTooLarge`
    /// of the policy, and what an upload throws whose digests do not match.
    func finish() throws -> (upload: FormUpload, received: ObjectIntake.Result, world: World) {
        try reader.finish()
        if case .sha256(let expected) = request.payload, let payloadHash {
            try PayloadHash.check(expected, payloadHash.finish())
        }
        try policy?.check(fileByteCount: fileByteCount)
        guard let upload, let intake, let world else { throw S3Error(.malformedPOSTRequest) }
        return (upload, try intake.finish(), world)
    }
}
