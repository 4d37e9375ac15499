/// What makes single actions impossible.
extension FaultRule {
    func flaw(ofIdle wait: Duration, _ announces: Bool) -> String? {
        let point = site.point
        if point == .accept { return "'closeIdle' acts behind an answer, and at 'accept' there is no request yet" }
        if announces && point.isAfterResponseBegan {
            return "'closeIdle' cannot announce itself at '\(point.rawValue)': the answer's head is already on its "
                + "way; the last point that can is 'commit.after'"
        }
        return wait <= Self.waitMax ? nil : "'closeIdle' waits for 7 days at most"
    }

    func flaw(ofAnswering name: String) -> String? {
        let point = site.point
        if point == .accept { return "'\(name)' cannot answer at 'accept': there is no request yet" }
        guard point.isAfterResponseBegan else { return nil }
        return "'\(name)' cannot answer at '\(point.rawValue)': an answer is already on its way; "
            + "the last point that can is 'commit.after'"
    }

    func flaw(ofAnsweringEarly answer: InjectedAnswer) -> String? {
        if let reason = flaw(ofAnswering: "respondEarly") { return reason }
        switch site.point {
        case .requestHead, .continueDue, .auth, .bodyAt: break
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
        if point == .accept { return "'\(name)' paces a request and its answer, and at 'accept' there is none yet" }
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
