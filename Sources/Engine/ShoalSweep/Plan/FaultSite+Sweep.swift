import ShoalFaults

extension FaultSite {
    /// Every point at which a request can be told from others, in the order in which a request comes by; those with a
    /// position in the middle, and in an answer's head behind its status line, which some clients take for all of it.
    ///
    /// Not behind the request's first line alone: to a client that is the same as behind its head.
    package static var usual: [FaultSite] {
        FaultPoint.allCases.filter { $0 != .requestLine }.compactMap(FaultSite.usual(at:))
    }

    /// Nil where no request is known yet, so that no operation can be struck.
    package static func usual(at point: FaultPoint) -> FaultSite? {
        switch point {
        case _ where point.precedesRequest: nil
        // "HTTP/1.1 200 OK" and its line break.
        case .responseHeadAt: FaultSite(point, .bytes(17))
        default: FaultSite(point, point.takesPosition ? .percent(50) : nil)
        }
    }

    /// Reads `commit.after`, `body.at(25%)`, or `body.at` for its usual place.
    package init(sweeping text: String) throws(SweepFlaw) {
        if let point = FaultPoint(rawValue: text) {
            guard let site = FaultSite.usual(at: point) else {
                throw SweepFlaw("at '\(text)' no request is known yet, so that no operation can be struck there")
            }
            self = site
            return
        }
        do throws(RuleError) {
            self = try FaultRule(line: "any @\(text) reset").site
        } catch {
            throw SweepFlaw("'\(text)' is no point: \(error.message)")
        }
    }
}

/// A list on the command line: commas divide it, except in parentheses and quotes.
package enum SweepList {
    package static func parts(of text: String) -> [String] {
        var parts = [""]
        var depth = 0
        var isQuoted = false
        for letter in text {
            switch letter {
            case "\"": isQuoted.toggle()
            case "(" where !isQuoted: depth += 1
            case ")" where !isQuoted: depth -= 1
            default: break
            }
            if letter == ",", depth == 0, !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(letter)
            }
        }
        return parts.map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
}
