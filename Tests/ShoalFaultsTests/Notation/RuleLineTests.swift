import ShoalFaults
import ShoalHTTP
import ShoalS3
import Testing

@Suite struct `A one-line rule` {
    private static let lostAnswer = FaultRule(
        match: Matcher(operations: [.operation(.putObject)], key: TextPattern([Glob("photos/*")!])),
        at: FaultSite(.commitAfter), do: [.reset], count: FaultCount(times: 2))

    @Test(
        arguments: [
            ("PutObject photos/* @commit.after 2*reset", lostAnswer),
            (
                "UploadPart *#2 @body(50%) hang(8s)->reset",
                FaultRule(
                    match: Matcher(operations: [.operation(.uploadPart)], partNumber: .oneOf([2])),
                    at: FaultSite(.bodyAt, .percent(50)), do: [.hang(.seconds(8)), .reset])
            ),
            (
                "write @auth SlowDown(retryAfter=2)",
                FaultRule(
                    match: Matcher(operations: [.group(.write)]), at: FaultSite(.auth),
                    do: [.respond(InjectedAnswer(code: .slowDown, retryAfter: 2))])
            ),
            (
                "any @body.at(1MiB) delay(200ms)->pause(gate1)->close",
                FaultRule(
                    at: FaultSite(.bodyAt, .bytes(1_048_576)),
                    do: [.delay(.milliseconds(200)), .pause(gate: "gate1"), .close])
            ),
            (
                "GetObject @response.at(-1) close connection=reused",
                FaultRule(
                    match: Matcher(operations: [.operation(.getObject)], connection: .reused),
                    at: FaultSite(.responseAt, .fromEnd(1)), do: [.close])
            ),
            (
                "PutObject,UploadPart \"my photos/*|b?.jpg\" @auth expire(scope) per=key skip=1 times=3 presigned=true",
                FaultRule(
                    match: Matcher(
                        operations: [.operation(.putObject), .operation(.uploadPart)],
                        key: TextPattern([Glob("my photos/*")!, Glob("b?.jpg")!]), presigned: true),
                    at: FaultSite(.auth), do: [.expire(.scope)], count: FaultCount(skip: 1, times: 3, per: .key))
            ),
            (
                "@accept reset per=connection",
                FaultRule(at: FaultSite(.accept), do: [.reset], count: FaultCount(per: .connection))
            ),
            (
                "write @request.head respond(503, SlowDown, retryAfter=2, message=\"a \\\"b\\\", c\", drain=none, then=reset)",
                FaultRule(
                    match: Matcher(operations: [.group(.write)]), at: FaultSite(.requestHead),
                    do: [
                        .respond(
                            InjectedAnswer(
                                status: .serviceUnavailable, code: .slowDown, message: "a \"b\", c", retryAfter: 2,
                                drain: .none, then: .reset))
                    ])
            ),
            (
                "PutObject @auth respond(200,contentType=text/html,body=\"<p>log in\",header.X-Portal=1) size=>10<99",
                FaultRule(
                    match: Matcher(operations: [.operation(.putObject)], size: .between(above: 10, below: 99)),
                    at: FaultSite(.auth),
                    do: [
                        .respond(
                            InjectedAnswer(
                                status: .ok, fields: [.init(name: "X-Portal", value: "1")], contentType: "text/html",
                                body: "<p>log in"))
                    ])
            ),
            (
                "PutObject @auth reset header.Content-Type=!image/* bucket=a|b exchange=2|3 id=one note=\"why, \\\\ how\"",
                FaultRule(
                    id: "one", note: "why, \\ how",
                    match: Matcher(
                        operations: [.operation(.putObject)], bucket: TextPattern([Glob("a")!, Glob("b")!]),
                        headers: [
                            .init(name: "content-type", pattern: TextPattern([Glob("image/*")!], isNegated: true))
                        ],
                        exchange: .oneOf([2, 3])),
                    at: FaultSite(.auth), do: [.reset])
            ),
        ] as [(String, FaultRule)])
    func `reads as the rule it says`(line: String, rule: FaultRule) throws {
        #expect(try FaultRule(line: line) == rule)
    }

    @Test(
        arguments: [
            ("PutObject photos/* @commit.after reset", nil),
            ("PutObject * @commit.after reset", "PutObject @commit.after reset"),
            ("@accept reset", "any @accept reset"),
            ("UploadPart *#2 @body(50%) hang(8s)->reset", "UploadPart *#2 @body.at(50%) hang(8s)->reset"),
            ("write @auth respond(SlowDown)", "write @auth SlowDown"),
            ("write @auth SlowDown(status=500)", "write @auth respond(500,SlowDown)"),
            ("any @body(1KiB) delay(90000ms)", "any @body.at(1024) delay(1m30s)"),
            ("UploadPart a\\#b#>1<9 @auth reset", nil),
            ("any \"a b (1).jpg\" @auth pause(g)", nil),
            ("any \\!a|\\@b @auth pause(g) per=rule", "any \\!a|@b @auth pause(g) per=rule"),
            ("any a\\|b\\*c @auth reset header.x=\"\"", nil),
        ] as [(String, String?)])
    func `prints in its canonical form`(line: String, canonical: String?) throws {
        #expect(try FaultRule(line: line).line == canonical ?? line)
    }

    @Test(
        arguments: [
            ("", 1, "a rule needs a point, such as @commit.after"),
            ("PutObject photos/*", 19, "a rule needs a point, such as @commit.after"),
            ("PutObjet @auth reset", 1, "no operation or group is called 'PutObjet'; the nearest is 'PutObject'"),
            ("photos/* @auth reset", 1, "a key stands behind its operation, as in 'any photos/*'"),
            ("PutObject,PutObject @auth reset", 11, "'PutObject' is given twice"),
            (
                "PutObject a b @auth reset", 13,
                "a point is due here, such as @commit.after; a key with blanks needs quotes"
            ),
            ("PutObject \"a b @auth reset", 11, "the quote does not close"),
            ("PutObject a\\", 13, "a rule needs a point"),
            ("UploadPart a#x @auth reset", 14, "'x' is no part number, such as 2, 2|3 or >1; a '#' in a key is '\\#'"),
            ("write @comit.after reset", 8, "no point is called 'comit.after'; the nearest is 'commit.after'"),
            ("write @store.write(3) reset", 8, "no point is called 'store.write'; the nearest is"),
            ("write @body(half) reset", 13, "'half' is no position, such as 1048576, 1MiB, 50% or -1"),
            ("write @body.at reset", 7, "'body.at' needs a position, such as body.at(50%)"),
            ("write @auth(3) reset", 7, "'auth' takes no position; only body.at, response.head.at, response.at do"),
            ("write @body(101%) reset", 7, "101% is more than the whole"),
            ("write @body(-0) reset", 7, "-0 is no position; -1 is before the last byte"),
            ("write @auth", 12, "an action is due behind the point, such as reset"),
            ("write @auth resett", 13, "no action or S3 error code is called 'resett'; the nearest is 'reset'"),
            ("write @auth throtle", 13, "no action or S3 error code is called 'throtle'; the nearest is 'throttle'"),
            ("write @auth SlowDwon", 13, "the nearest is 'SlowDown'"),
            ("write @auth 10%3*reset", 13, "'10%3' is no number of times"),
            ("write @auth 0*reset", 13, "times is 0, so the rule would never fire"),
            ("write @auth reset(1)", 19, "'reset' takes no parameter"),
            ("write @auth delay", 13, "'delay' needs its parameter, as in delay(200ms)"),
            ("write @auth pause", 13, "'pause' needs its parameter, as in pause(gate1)"),
            ("write @auth halfClose(up)", 23, "no direction of 'halfClose' is called 'up'; the nearest is"),
            ("any @accept halfClose(in)", 13, "'halfClose(in)' at 'accept' leaves nothing of a request"),
            ("write @auth blackhole(1s)", 23, "'blackhole' takes no parameter"),
            ("write @auth dropAll->reset", 22, "nothing can follow 'dropAll': the exchange is over"),
            ("write @auth closeIdle(5s,yes)", 26, "'announce' is true or false, not 'yes'"),
            ("write @auth closeIdle(1s,true,2)", 31, "'closeIdle' takes at most 2 parameters"),
            ("write @auth closeIdle(1s,afterMs=2)", 26, "'afterMs' is given twice"),
            ("write @auth closeIdle(after=2)", 23, "no parameter of 'closeIdle' is called 'after'; the nearest is"),
            ("write @auth closeIdle(8d)", 13, "'closeIdle' waits for 7 days at most"),
            ("any @accept closeIdle", 13, "'closeIdle' acts behind an answer, and at 'accept' there is no request"),
            (
                "any @response.head closeIdle(0ms,true)", 20,
                "'closeIdle' cannot announce itself at 'response.head': the answer's head is already on its way"
            ),
            ("write @auth dropHeader", 13, "'dropHeader' needs its parameter, as in dropHeader(ETag)"),
            ("write @auth dropHeader(a b)", 13, "'a b' is no header name"),
            ("write @auth dropHeader(Connection)", 13, "'Connection' is written by the connection"),
            ("write @auth setHeader(ETag)", 13, "'setHeader' needs its parameter, as in setHeader(ETag,"),
            ("write @auth setHeader(content-length,5)", 13, "'content-length' is what 'wrongLength' is for"),
            ("write @auth setHeader(a,\"b\\nc\")", 13, "the value of 'a' cannot stand in a header line"),
            ("write @auth wrongLength", 13, "'wrongLength' needs its parameter, as in wrongLength(+10)"),
            ("write @auth wrongLength(lots)", 25, "'by' is a number of bytes such as +10 or -5, or 'absent', not"),
            ("write @auth wrongLength(0)", 13, "a length is wrong by 1 to 68719476736 bytes, or 'absent'"),
            ("write @auth extraInformational(101)", 13, "an informational answer is 100, 102 or 103, not 101"),
            ("write @auth extraInformational(103,0)", 13, "1 to 100 informational answers are possible"),
            ("write @auth noContinue", 13, "'noContinue' acts where 100 Continue is due, which is 'continue', not"),
            ("write @continue noContinue(8d)", 17, "'noContinue' lasts from 1 ms to 7 days"),
            ("any @accept dropHeader(ETag)", 13, "'dropHeader' changes an answer, and at 'accept' there is no request"),
            (
                "any @response.end missingTerminator", 19,
                "'missingTerminator' cannot change the answer at 'response.end': it is already on its way"
            ),
            (
                "any @auth wrongLength(absent)->missingTerminator", 32,
                "'missingTerminator' and 'wrongLength' both say how the answer ends; one of them can"
            ),
            ("write @auth truncateHead", 13, "'truncateHead' needs its parameter, as in truncateHead(20)"),
            ("write @auth truncateHead(x)", 26, "'bytes' is a number of bytes, such as 65536 or 64KiB, not 'x'"),
            ("write @auth truncateHead(1,fin)", 28, "no ending of an answer that is cut is called 'fin'"),
            ("read @auth truncateBody(101%)", 12, "101% is more than the whole"),
            ("read @auth truncateBody(half)", 25, "'at' is a position, such as 1048576, 1MiB, 50% or -1, not 'half'"),
            ("read @auth garbage(behind)", 20, "no place of 'garbage' is called 'behind'; the nearest is"),
            (
                "read @auth truncateBody(50%)->duplicateResponse", 31,
                "'duplicateResponse' and 'truncateBody' both say how the answer ends; one of them can"
            ),
            ("read @auth redirect(308)", 21, "no status of 'redirect' is called '308'; the nearest is"),
            ("read @auth redirect(307,a/b)", 12, "a region is made of letters, digits and '-'"),
            ("read @auth redirect(endpoint=\"a b\")", 12, "an endpoint is a host, with a port if need be"),
            ("read @auth foreignPage(location=\"a\\nb\")", 12, "the location cannot stand in a header line"),
            ("any @response.end redirect", 19, "'redirect' cannot answer at 'response.end': an answer is already"),
            ("any @accept foreignPage", 13, "'foreignPage' cannot answer at 'accept': there is no request yet"),
            ("write @commit.after respondEarly(503)", 21, "'respondEarly' answers before the body is taken, and at"),
            ("GetObject @auth respondEarly(503)", 17, "'respondEarly' answers before a body, and there is none"),
            ("write @auth respondEarly(503,drain=5)", 13, "'respondEarly' reads what comes behind its answer, or"),
            ("write @auth respondEarly", 13, "an answer needs a status or an S3 error code"),
            ("write @auth throttle", 13, "'throttle' needs 'in' or 'out', as in throttle(out=20000)"),
            ("write @auth throttle(in=0)", 13, "'throttle' takes 1 to 68719476736 bytes"),
            ("write @response.head throttle(5)", 22, "'throttle' has no request body left to pace at 'response.head'"),
            ("read @response.end dribble(2,1s)", 20, "'dribble' has nothing left to pace at 'response.end'"),
            ("any @accept throttle(5)", 13, "'throttle' paces a request and its answer, and at 'accept' there is none"),
            ("read @auth dribble(5)", 12, "'dribble' needs its parameter, as in dribble(5,2s)"),
            ("read @auth dribble(1,1s)", 12, "'dribble' sends 2 to 10000 pieces, not 1"),
            ("read @auth dribble(2,0ms)", 12, "'dribble' lasts from 1 ms to 7 days"),
            ("read @auth stallBursts(1s,0ms)", 12, "the turns of 'stallBursts' last from 1 ms to 7 days"),
            ("write @auth pause(a/b)", 13, "a gate's name is 1 to 64 of letters, digits, '.', '_' and '-'"),
            ("write @auth hang(8)", 18, "'8' is no duration, such as 200ms, 8s or 1m30s"),
            ("write @auth hang(8s,9s)", 21, "'hang' takes one parameter"),
            ("write @auth delay(8d)", 13, "'delay' lasts from 1 ms to 7 days"),
            ("write @auth expire(all)", 20, "no reach of 'expire' is called 'all'; the nearest is"),
            ("write @auth SlowDown(retry=2)", 22, "no parameter of 'SlowDown' is called 'retry'; the nearest is"),
            ("write @auth SlowDown(retryAfter=x)", 22, "retryAfter is a whole number of seconds"),
            ("write @auth SlowDown(retryAfter=)", 33, "a value is due here"),
            ("write @auth respond(503,503)", 25, "'status' is given twice"),
            ("write @auth respond(99,SlowDown)", 13, "status 99 is not between 200 and 599"),
            ("write @auth respond(204,SlowDown)", 13, "status 204 has no body"),
            ("write @auth respond", 13, "an answer needs a status or an S3 error code"),
            ("write @auth respond(200,header.Content-Length=1)", 13, "'Content-Length' is written by the connection"),
            ("write @auth SlowDown(body=x)", 13, "an answer has an S3 error code or a body of its own, not both"),
            ("write @auth respond(200,message=x)", 13, "a message needs an S3 error code to go with"),
            ("write @auth respond(200,contentType=x)", 13, "a content type needs a body to go with"),
            ("write @auth respond(200,drain=some)", 25, "drain is 'all', 'none' or a number of bytes"),
            ("write @auth respond(200", 20, "the parenthesis does not close"),
            ("write @auth reset)", 18, "nothing is open to close here"),
            ("write @auth reset->close", 20, "nothing can follow 'reset': the exchange is over"),
            ("write @auth hang->close", 19, "nothing can follow 'hang' without a time: the exchange is over"),
            ("write @auth reset->", 20, "an action is due here, such as reset or SlowDown"),
            ("write @auth reset;close", 18, "'->' and another action are due here, or the end"),
            ("write @auth reset per", 19, "an option is due here, such as per=key; 'per' is none"),
            ("write @auth reset pre=key", 19, "no option is called 'pre'; the nearest is 'per'"),
            ("write @auth reset per=upload", 23, "no counter is called 'upload'; the nearest is"),
            ("write @auth reset skip=-1", 24, "'-1' is no whole number"),
            ("write @auth reset per=key per=key", 27, "'per' is given twice"),
            ("write @auth 2*reset times=3", 21, "'times' is given twice"),
            ("write @auth reset size=big", 24, "'big' is no number pattern, such as 5, 5|6, >5 or >5<9"),
            ("write @auth reset size=>5<6", 19, "no number fits 'size'"),
            ("write @auth reset presigned=yes", 29, "presigned is true or false, not 'yes'"),
            ("write @auth reset connection=old", 30, "no kind of connection is called 'old'; the nearest is"),
            ("write @auth reset id=a/b", 19, "an id is 1 to 64 of letters, digits, '.', '_' and '-'"),
            (
                "write @auth reset header.Authorization=x", 19,
                "'authorization' holds a secret, so rules cannot match it"
            ),
            ("write @auth reset header.a=1 header.A=2", 30, "'a' is given twice"),
            ("GetObject @body.at(5) reset", 11, "GetObject has no request body, so 'body.at' is never reached"),
            ("CopyObject @body.end reset", 12, "CopyObject has no request body, so 'body.end' is never reached"),
            ("GetObject @continue reset", 11, "GetObject has no request body, so 'continue' is never due"),
            ("read,list @commit.after reset", 11, "read,list stores nothing, so 'commit.after' is never reached"),
            (
                "HeadObject @response.at(1) reset", 12,
                "HeadObject has an answer without a body, so 'response.at' is never reached"
            ),
            (
                "write @response.at(10) SlowDown", 24,
                "'respond' cannot answer at 'response.at': an answer is already on its way"
            ),
            ("any @accept SlowDown", 13, "'respond' cannot answer at 'accept': there is no request yet"),
            ("PutObject @accept reset", 1, "nothing is known about a request at 'accept', so it cannot be matched"),
            ("write bucket=photos @auth SlowDown", 7, "'bucket=' stands behind the action"),
            ("any @accept reset bucket=b", 19, "nothing is known about a request at 'accept'"),
            ("any @accept reset per=key", 19, "at 'accept' counting is per rule or per connection"),
            (
                "any @request.head expire", 19,
                "'expire' acts where expiry is judged, which is 'auth', not 'request.head'"
            ),
            ("ListBuckets a* @auth reset", 13, "ListBuckets names no key"),
            ("PutObject *#2 @auth reset", 13, "PutObject has no part number"),
            ("PutObject Zürich/ü @auth resett", 26, "the nearest is 'reset'"),
        ] as [(String, Int, String)])
    func `names the column and what is wrong there`(line: String, column: Int, message: String) {
        let error = #expect(throws: RuleError.self) { try FaultRule(line: line) }
        #expect(error?.place == .column(column))
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `is bounded`() {
        #expect(throws: RuleError.self) {
            try FaultRule(line: "any " + String(repeating: "a", count: 9_000) + " @auth reset")
        }
        let actions = Array(repeating: "delay(1ms)", count: 17).joined(separator: "->")
        #expect(throws: RuleError.self) { try FaultRule(line: "any @auth \(actions)") }
        #expect(throws: RuleError.self) {
            try FaultRule(line: "any @auth reset note=\(String(repeating: "n", count: 1_025))")
        }
    }
}
