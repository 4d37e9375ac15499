import ShoalJSON
import ShoalLog
import ShoalS3

extension JournalRing.Entry {
    /// How the file tells an entry.
    enum Telling {
        /// A line for each event.
        case inFull
        /// One line for an exchange that went as usual.
        case summary(JournalEvent.RequestHead, key: ObjectKey?, bodyByteCount: UInt64, status: Int?)
        /// Nothing: the end of an exchange whose line stands there already.
        case nothing
    }

    /// An exchange without fault, refusal or loss is one short line in the file: six lines would be a third of what a
    /// small object itself takes. In memory all of its events are kept.
    var telling: Telling {
        var head: JournalEvent.RequestHead?
        var bodyByteCount: UInt64 = 0
        var status: Int?
        var key: ObjectKey?
        for event in events {
            switch event.kind {
            case .requestHead(let requestHead): head = requestHead
            case .formKey(let formKey): key = formKey
            case .body(let body): bodyByteCount = body.bytes
            case .responseHead(let head) where head.code == nil && head.status.code < 400: status = head.status.code
            case .auth(let auth) where auth.verdict == .accepted: break
            case .store(let store) where [.committed, .deleted, .repeated].contains(store.change): break
            case .continueSent, .responseEnd: break
            default: return .inFull
            }
        }
        guard let head else {
            if events.count == 1, case .responseEnd = events[0].kind { return .nothing }
            return .inFull
        }
        return .summary(head, key: key ?? head.key, bodyByteCount: bodyByteCount, status: status)
    }

    /// `{"seq":5,"from":1,"t":…,"scope":…,"conn":1,"exchange":1,"op":…,"attempt":1,"ev":"exchange",…}`
    func appendSummary(
        _ head: JournalEvent.RequestHead, key: ObjectKey?, bodyByteCount: UInt64, status: Int?, to out: inout [UInt8]
    ) {
        JSONText.append("{\"seq\":", to: &out)
        JSONText.append(number: lastSeq, to: &out)
        JSONText.append(",\"from\":", to: &out)
        JSONText.append(number: firstSeq, to: &out)
        JSONText.append(",\"t\":\"", to: &out)
        Timestamp(milliseconds: wall).appendISO8601(to: &out)
        JSONText.append("\",\"scope\":", to: &out)
        JSONText.append(string: scope.name, to: &out)
        if let exchange { JournalEvent.append(exchange, to: &out) }
        JSONText.append(",\"ev\":\"exchange\",\"operation\":", to: &out)
        JSONText.append(string: head.operation.rawValue, to: &out)
        if let bucket = head.bucket {
            JSONText.append(",\"bucket\":", to: &out)
            JSONText.append(string: bucket, to: &out)
        }
        if let key {
            JSONText.append(",\"key\":", to: &out)
            JSONText.append(string: key.bytes, to: &out)
        }
        if bodyByteCount > 0 {
            JSONText.append(",\"bytes\":", to: &out)
            JSONText.append(number: bodyByteCount, to: &out)
        }
        if let status {
            JSONText.append(",\"status\":", to: &out)
            JSONText.append(number: UInt64(status), to: &out)
        }
        JSONText.append("}\n", to: &out)
    }
}
