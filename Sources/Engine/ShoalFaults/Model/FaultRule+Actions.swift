/// What makes single actions impossible.
extension FaultRule {
    /// A port is all there is at `listen`; `delay` may stand in front of what is done to it.
    func flaw(atListenOf action: FaultAction, isLast: Bool) -> String? {
        switch action {
        case .refuse, .connectHang: nil
        case .delay, .drawnDelay:
            isLast ? "'delay' at 'listen' goes before 'refuse' or 'connectHang', as in delay(2s)->refuse(5s)" : nil
        default:
            "'\(action.name.rawValue)' acts on a connection, and at 'listen' there is none yet; 'refuse' and "
                + "'connectHang' act on the port"
        }
    }

    func flaw(ofPortAction name: String, lasting wait: Duration?) -> String? {
        if site.point != .listen { return "'\(name)' acts on a port, which is 'listen', not '\(site.point.rawValue)'" }
        guard let wait, wait <= .zero || wait > Self.waitMax else { return nil }
        return "'\(name)' lasts from 1 ms to 7 days"
    }

    /// Of an action that has a part in the verdict about the sender.
    func flaw(ofJudging action: FaultAction) -> String? {
        let name = action.name.rawValue
        if site.point != .auth {
            return "'\(name)' acts where the sender is judged, which is 'auth', not '\(site.point.rawValue)'"
        }
        switch action {
        case .pin(let pins):
            return match.operationSet == [.postObject]
                ? "'pin' is about headers, and a form has its conditions in its policy" : pins.flaw
        case .quota(let quota): return quota.flaw
        default: return nil
        }
    }

    func flaw(ofIdle wait: Duration, _ announces: Bool) -> String? {
        let point = site.point
        if let lack = point.requestLack {
            return "'closeIdle' acts behind an answer, and at '\(point.rawValue)' \(lack)"
        }
        if announces && point.isAfterResponseBegan {
            return "'closeIdle' cannot announce itself at '\(point.rawValue)': the answer's head is already on its "
                + "way; the last point that can is 'commit.after'"
        }
        return wait <= Self.waitMax ? nil : "'closeIdle' waits for 7 days at most"
    }

    func flaw(ofAnswering name: String) -> String? {
        let point = site.point
        if let lack = point.requestLack { return "'\(name)' cannot answer at '\(point.rawValue)': \(lack)" }
        guard point.isAfterResponseBegan else { return nil }
        return "'\(name)' cannot answer at '\(point.rawValue)': an answer is already on its way; "
            + "the last point that can is 'commit.after'"
    }

    func flaw(ofAnsweringEarly answer: InjectedAnswer) -> String? {
        if let reason = flaw(ofAnswering: "respondEarly") { return reason }
        switch site.point {
        case .requestHead, .continueDue, .auth, .bodyAt, .storeWrite: break
        default:
            return "'respondEarly' answers before the body is taken, and at '\(site.point.rawValue)' it is; 'respond' "
                + "answers there"
        }
        if match.operationSet.allSatisfy({ !$0.takesBody }) {
            return "'respondEarly' answers before a body, and there is none; 'respond' answers here"
        }
        if case .bytes = answer.drain {
            return "'respondEarly' reads what comes behind its answer, or nothing: drain is 'all' or 'none'"
        }
        return answer.flaw
    }

    func flaw(ofPacing pacing: Pacing) -> String? {
        let (name, point) = (pacing.name.rawValue, site.point)
        if let lack = point.requestLack {
            return "'\(name)' paces a request and its answer, and at '\(point.rawValue)' \(lack)"
        }
        if point == .responseEnd || point == .idle {
            return "'\(name)' has nothing left to pace at '\(point.rawValue)'"
        }
        if case .throttle(_?, nil, _) = pacing, point.isAfterResponseBegan {
            return "'\(name)' has no request body left to pace at '\(point.rawValue)'; 'out' paces the answer"
        }
        return nil
    }

    func flaw(ofWithholding wait: Duration?) -> String? {
        if site.point != .continueDue {
            return "'noContinue' acts where 100 Continue is due, which is 'continue', not '\(site.point.rawValue)'"
        }
        guard let wait, wait <= .zero || wait > Self.waitMax else { return nil }
        return "'noContinue' lasts from 1 ms to 7 days"
    }
}
