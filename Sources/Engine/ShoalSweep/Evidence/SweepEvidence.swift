import ShoalFaults
import ShoalS3

/// What is known of a run once its command has ended: by the command, and by the server whatever the command says.
package struct SweepEvidence: Sendable {
    package enum Ending: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
        /// It went on past its time and was killed.
        case timedOut
    }

    /// An object that is stored at the end.
    package struct StoredObject: Hashable, Comparable, Sendable {
        package let bucket: String
        package let key: String
        /// Bytes.
        package let size: UInt64
        /// In hexadecimal.
        package let sha256: String

        package init(bucket: String, key: String, size: UInt64, sha256: String) {
            self.bucket = bucket
            self.key = key
            self.size = size
            self.sha256 = sha256
        }

        package var name: String { "\(bucket)/\(key)" }

        package static func < (left: StoredObject, right: StoredObject) -> Bool {
            (left.bucket, left.key) < (right.bucket, right.key)
        }
    }

    /// A request that arrived.
    package struct Request: Sendable {
        package let operation: S3Operation
        /// `bucket/key`, or as much of it as the request names.
        package let target: String
        /// Where the rule struck it first; nil if it did not.
        package let struckAt: FaultPoint?
        /// It left something in the store, or took something away.
        package let isCommitted: Bool
        package let etag: String?
        /// Nil while it is under way.
        package let outcome: Attempt.Outcome?

        package init(
            _ operation: S3Operation, target: String, struckAt: FaultPoint? = nil, isCommitted: Bool = false,
            etag: String? = nil, outcome: Attempt.Outcome? = .ok
        ) {
            self.operation = operation
            self.target = target
            self.struckAt = struckAt
            self.isCommitted = isCommitted
            self.etag = etag
            self.outcome = outcome
        }

        /// Whether it made an object's content, be it the same as before.
        var commitsContent: Bool {
            switch operation {
            case .putObject, .postObject, .copyObject, .completeMultipartUpload: isCommitted
            default: false
            }
        }

        /// Whether success stands in a document behind the answer's head, so that the head alone tells nothing.
        private var isAnsweredInBody: Bool {
            switch operation {
            case .createMultipartUpload, .completeMultipartUpload, .copyObject, .uploadPartCopy, .deleteObjects: true
            default: false
            }
        }

        /// Whether the client had a whole answer that says success.
        var toldSuccess: Bool {
            let needed: FaultPoint = isAnsweredInBody ? .responseEnd : .responseHead
            return outcome == .ok && struckAt.map { $0 >= needed } ?? true
        }
    }

    /// A check of the verifier that was asked of the run.
    package struct Finding: Equatable, Sendable {
        /// In its one-line form.
        package let check: String
        package let outcome: JournalVerdict.Outcome
        package let reason: String

        package init(check: String, outcome: JournalVerdict.Outcome, reason: String) {
            self.check = check
            self.outcome = outcome
            self.reason = reason
        }
    }

    package let ending: Ending
    package let milliseconds: Int64
    /// What the command wrote, its middle left out if it is long.
    package let output: String
    /// How often the rule struck.
    package let firings: Int
    package let objects: [StoredObject]
    package let openUploadCount: Int
    /// In order of arrival within each operation.
    package let requests: [Request]
    package let findings: [Finding]
    /// The attempts of every operation, drawn.
    package let timeline: [String]

    package init(
        ending: Ending, milliseconds: Int64 = 0, output: String = "", firings: Int = 1, objects: [StoredObject] = [],
        openUploadCount: Int = 0, requests: [Request] = [], findings: [Finding] = [], timeline: [String] = []
    ) {
        self.ending = ending
        self.milliseconds = milliseconds
        self.output = output
        self.firings = firings
        self.objects = objects
        self.openUploadCount = openUploadCount
        self.requests = requests
        self.findings = findings
        self.timeline = timeline
    }

    /// Whether the command says that it succeeded.
    package var saysSuccess: Bool { ending == .exit(0) }

    /// How often content was committed, and how often a commit changed it.
    var commits: (all: Int, changes: Int) {
        var last: [String: String] = [:]
        var (all, changes) = (0, 0)
        for request in requests where request.commitsContent {
            all += 1
            if last.updateValue(request.etag ?? "", forKey: request.target) != request.etag ?? "" { changes += 1 }
        }
        return (all, changes)
    }

    /// Uploads in parts that stay open although the client was told their ids.
    var orphanCount: Int {
        let untold = requests.count {
            $0.operation == .createMultipartUpload && $0.isCommitted && !$0.toldSuccess
        }
        return max(0, openUploadCount - untold)
    }

    /// Whether everything that was struck had its whole answer, and that was success.
    var wasToldSuccess: Bool {
        let struck = requests.filter { $0.struckAt != nil }
        return !struck.isEmpty && struck.allSatisfy(\.toldSuccess)
    }

    /// A signal that says a program went wrong by itself, or a shell's exit code for it.
    var crash: Int32? {
        // SIGILL, SIGABRT, SIGBUS, SIGFPE and SIGSEGV of Linux.
        let deadly: [Int32] = [4, 6, 7, 8, 11]
        switch ending {
        case .signal(let number): return number
        case .exit(let code): return deadly.contains(code - 128) ? code - 128 : nil
        case .timedOut: return nil
        }
    }
}
