import ShoalFaults
import Testing

@Suite struct `A line that is no rule` {
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
            ("write @store.writ(3) reset", 8, "no point is called 'store.writ'; the nearest is 'store.write'"),
            ("write @body(half) reset", 13, "'half' is no position, such as 1048576, 1MiB, 50%, -1 or random"),
            ("write @body.at reset", 7, "'body.at' needs a position, such as body.at(50%)"),
            ("write @auth(3) reset", 7, "'auth' takes no position; only body.at, store.write, response.head.at"),
            ("write @body(101%) reset", 7, "101% is more than the whole"),
            ("write @body(-0) reset", 7, "-0 is no position; -1 is before the last byte"),
            ("write @auth", 12, "an action is due behind the point, such as reset"),
            ("write @auth resett", 13, "no action or S3 error code is called 'resett'; the nearest is 'reset'"),
            ("write @auth throtle", 13, "no action or S3 error code is called 'throtle'; the nearest is 'throttle'"),
            ("write @auth SlowDwon", 13, "the nearest is 'SlowDown'"),
            ("write @auth x%3*reset", 13, "'x' is no share, such as 10 or 2.5"),
            ("write @auth 10%x*reset", 16, "'x' is no number of times"),
            ("write @auth 0*reset", 13, "times is 0, so the rule would never fire"),
            ("write @auth reset(1)", 19, "'reset' takes no parameter"),
            ("write @auth delay", 13, "'delay' needs its parameter, as in delay(200ms)"),
            ("write @auth pause", 13, "'pause' needs its parameter, as in pause(gate1)"),
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
            ("write @auth halfClose(up)", 23, "no direction of 'halfClose' is called 'up'; the nearest is"),
            ("any @accept halfClose(in)", 13, "'halfClose(in)' at 'accept' leaves nothing of a request"),
            ("write @auth blackhole(1s)", 23, "'blackhole' takes no parameter"),
            ("write @auth dropAll->reset", 22, "nothing can follow 'dropAll': the exchange is over"),
            ("write @auth closeIdle(5s,yes)", 26, "'announce' is true or false, not 'yes'"),
            ("write @auth closeIdle(1s,true,2)", 31, "'closeIdle' takes at most 2 parameters"),
            ("write @auth closeIdle(1s,afterMs=2)", 26, "'afterMs' is given twice"),
            ("write @auth closeIdle(aftr=2s)", 23, "no parameter of 'closeIdle' is called 'aftr'; the nearest is"),
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
            ("write @auth truncateBody(random)", 13, "'truncateBody' cuts where you say; what is left to chance"),
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
            ("any @auth refuse", 11, "'refuse' acts on a port, which is 'listen', not 'auth'"),
            ("any @auth connectHang(5s)", 11, "'connectHang' acts on a port, which is 'listen', not 'auth'"),
            ("@listen reset", 9, "'reset' acts on a connection, and at 'listen' there is none yet"),
            ("@listen refuse(5s)->reset", 21, "'reset' acts on a connection"),
            ("@listen refuse bucket=a", 16, "nothing is known at 'listen', not even who connects"),
            ("@listen delay(5s)", 9, "as in delay(2s)->refuse(5s)"),
            ("any @auth connectionLimit(5)", 11, "which is 'accept', not 'auth'"),
            ("@accept reset,connectionLimit(5)", 15, "is no step of a sequence or schedule"),
            (
                "any @accept throttle(5)", 13,
                "'throttle' paces a request and its answer, and at 'accept' there is no request yet"
            ),
            ("read @auth dribble(5)", 12, "'dribble' needs its parameter, as in dribble(5,2s)"),
            ("read @auth dribble(1,1s)", 12, "'dribble' sends 2 to 10000 pieces, not 1"),
            ("read @auth dribble(2,0ms)", 12, "'dribble' lasts from 1 ms to 7 days"),
            ("read @auth stallBursts(1s,0ms)", 12, "the turns of 'stallBursts' last from 1 ms to 7 days"),
            ("PutObject @read.open reset", 11, "PutObject reads no object, so 'read.open' is never reached"),
            ("HeadObject @read.at(5) reset", 12, "HeadObject has an answer without a body, so 'read.at' is never"),
            ("GetObject @read.at reset", 11, "'read.at' needs a position, such as read.at(50%)"),
            ("any @idle throttle(out=5)", 11, "'throttle' has nothing left to pace at 'idle'"),
            ("any @idle SlowDown", 11, "'respond' cannot answer at 'idle': an answer is already on its way"),
            ("write @auth reset pre=key", 19, "no option is called 'pre'; the nearest is 'per'"),
            ("write @auth reset per=upload", 23, "no counter is called 'upload'; the nearest is"),
            (
                "write @auth reset per=grant", 23,
                "presigned URLs carry no 'grant' of their own: 'per: operation' counts"
            ),
            ("write @auth reset grant=1", 19, "presigned URLs carry no 'grant' of their own"),
            ("write @auth 101%reset", 13, "a probability is 0 to 1, or 0% to 100%"),
            ("write @auth 0.00000001%reset", 13, "'0.00000001' is no share, such as 10 or 2.5"),
            ("write @auth reset every=0", 19, "every is 0; 1 to 1000000000 are possible"),
            ("write @auth reset every=x", 25, "'x' is no whole number"),
            ("write @auth reset between=6-4", 19, "between takes the first and the last match that may be struck"),
            ("write @auth reset between=0-4", 19, "between takes the first and the last match that may be struck"),
            ("write @auth reset between=4..6", 27, "'4..6' is no span of matches, such as 4-6"),
            (
                "write @auth reset between=4-6 every=4", 31,
                "fewer than 4 matches lie between, so the rule would never fire"
            ),
            ("write @auth reset budget=20", 26, "'20' is no budget, such as 20/minute or 3/30s"),
            ("write @auth reset budget=0/minute", 19, "a budget is 1 to 1000000000 firings in 1 ms to 7 days"),
            ("write @auth reset budget=1/8d", 19, "a budget is 1 to 1000000000 firings in 1 ms to 7 days"),
            ("write @auth reset expires=soon", 27, "'soon' is no duration, such as 200ms, 8s or 1m30s"),
            ("write @auth reset expires=0ms", 19, "a rule expires after 1 ms to 7 days"),
            ("write @auth reset stableKey=key", 29, "no stable key is called 'key'; the nearest is"),
            ("write @auth reset stableKey=arrival", 19, "nothing in this rule is left to chance"),
            ("write @auth reset then=last", 24, "'then' goes with a sequence, such as pass,reset,pass"),
            ("write @auth pass,reset then=lst", 29, "no ending of a sequence is called 'lst'; the nearest is 'last'"),
            ("write @auth pass", 13, "a sequence has 2 to 64 steps; what is always the same needs none"),
            ("write @auth pass,pass", 13, "every step of the sequence is 'pass', so the rule would never fire"),
            (
                "write @auth 2*pass,reset", 13,
                "a sequence says itself which matches are struck, so 'times' cannot go with it"
            ),
            ("write @auth 2%pass,reset", 13, "a sequence says itself which matches are struck"),
            ("write @auth pass,reset every=2", 24, "a sequence says itself which matches are struck"),
            ("write @auth pass,reset->close", 25, "nothing can follow 'reset': the exchange is over"),
            ("write @auth pass,respond", 18, "an answer needs a status or an S3 error code"),
            (
                "write @auth 1.2:reset,close", 13,
                "each step of a schedule has its place in front of it, as in 1.3:reset"
            ),
            ("write @auth 1.2:reset,1.2:close", 23, "the place is given twice"),
            ("write @auth 0.2:reset", 13, "'0.2' is no place, such as 1.3 for the third match of the first counter"),
            (
                "write @auth 1.2:reset skip=1", 23,
                "a schedule says itself which matches are struck, so 'skip' cannot go"
            ),
            ("write @auth 1.1:pass", 13, "a place of the schedule has no action; what is not listed passes"),
            (
                "write @body(random) 1.1:reset", 7,
                "a schedule repeats what chance decided, and 'random' would decide anew"
            ),
            ("write @auth delay(uniform)", 19, "'uniform' needs its parameters, as in delay(uniform,min=100ms,max=2s)"),
            ("write @auth delay(uniform,1ms,2ms)", 27, "a name is due here, as in delay(uniform,min=100ms,max=2s)"),
            ("write @auth delay(uniform,min=2s,max=1s)", 13, "a uniform delay lies between 'min' and a larger 'max'"),
            (
                "write @auth delay(normal,mean=1s,sigma=1)", 34,
                "no parameter of 'normal' is called 'sigma'; the nearest is"
            ),
            ("write @auth delay(normal,mean=1s,mean=1s)", 34, "'mean' is given twice"),
            ("write @auth delay(normal,mean=0ms,deviation=1s)", 13, "'mean' lasts from 1 ms to 7 days"),
            ("write @auth delay(normal,mean=2s,deviation=1s,max=1s)", 13, "'max' lies between 'mean' and 7 days"),
            ("write @auth delay(lognormal,median=1s,sigma=x)", 39, "'x' is no number such as 0.8"),
            ("write @auth delay(lognormal,median=1s,sigma=11)", 13, "'sigma' is above 0, and 10 at most"),
            ("write @auth reset ageOfUrl=50s", 28, "'50s' is no age, such as >50s, <5m or >50s<5m"),
            ("write @auth reset ageOfUrl=>5s<5s", 19, "no age fits 'ageOfUrl'"),
            ("write @auth reset presigned=false ageOfUrl=>5s", 35, "only a presigned URL has an age"),
            ("write @auth reset expectContinue=1", 34, "expectContinue is true or false, not '1'"),
            ("write @continue reset expectContinue=false", 23, "'continue' is due only where a request expects it"),
            ("write @auth reset after=busy:x", 25, "'busy:x' is neither a rule with how often it fired"),
            ("write @auth reset after=busy:0", 19, "'fired' is between 1 and 1000000000"),
            ("write @auth reset after=committed(GetObject)", 19, "GetObject stores nothing, so it never commits"),
            ("write @auth reset after=a id=a", 19, "the rule would wait for itself"),
            (
                "write @auth reset query.X-Amz-Signature=a", 19,
                "'X-Amz-Signature' holds a secret, so rules cannot match it"
            ),
            ("write @auth reset query.a=1 query.a=2", 29, "'a' is given twice"),
            (
                "write @auth reset query.a/b=1", 19,
                "a parameter's name is 1 to 128 of letters, digits, '.', '_' and '-'"
            ),
            (
                "write @auth reset any=PutObject", 23,
                "a matcher in parentheses is due here, such as any=(PutObject a/*)"
            ),
            ("write @auth reset any=(read)", 19, "no operation fits all of 'op', 'any' and 'not'"),
            ("write @auth reset not=(write)", 19, "no operation fits all of 'op', 'any' and 'not'"),
            ("write @auth reset any=(PutObject)(read)", 34, "'|' and another matcher are due here, or the end"),
            ("write @auth reset any=()", 19, "an empty matcher fits every request, so it says nothing in 'any'"),
            ("write @auth reset any=(PutObjct)", 24, "no operation or group is called 'PutObjct'; the nearest is"),
            ("write @auth reset any=(PutObject per=key)", 34, "'per=' stands behind the action"),
            ("write @auth reset not=(size=>5<6)", 24, "no number fits 'size'"),
            ("write @auth reset not=(size=5 size=6)", 31, "'size' is given twice"),
            (
                "any @auth reset not=(not=(not=(not=(not=(size=5)))))", 37,
                "'any' and 'not' nest 4 deep at most"
            ),
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
            (
                "any @accept reset per=key", 19,
                "at 'accept' counting is per rule, per connection or per client: no key is known yet"
            ),
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
}
