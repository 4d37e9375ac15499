import ShoalFaults
import ShoalJSON
import Testing

@Suite struct `A check` {
    /// One check in a line and in JSON; both mean the same, and each can be written down and read again.
    @Test(arguments: [
        ("one-commit key=photos/7.jpg", #"{"oneCommit":{"key":"photos/7.jpg"}}"#),
        (
            "backoff firstMax=1s factor=2 factorMin=1.5 cap=20s jitter=0.5 totalMin=1s500ms",
            #"{"backoff":{"firstMax":"1s","factor":2,"factorMin":1.5,"cap":20000,"jitter":0.5,"totalMin":"1s500ms"}}"#
        ),
        ("no-retry-after codes=NoSuchKey,SlowDown", #"{"noRetryAfter":{"codes":["NoSuchKey","SlowDown"]}}"#),
        ("order of=PutObject:a*,note:told", #"{"order":{"of":["PutObject:a*","note:told"]}}"#),
        ("wasted-bytes max=1048576", #"{"wastedBytes":{"max":1048576}}"#),
        (
            "one-commit key=\"a \\\\*b\" bucket=!films allowIdenticalRewrite=true",
            #"{"oneCommit":{"key":"a \\*b","bucket":"!films","allowIdenticalRewrite":true}}"#
        ),
        ("quiet for=500ms", #"{"quiet":{"for":500}}"#), ("all-fired", #"{"allFired":{}}"#),
        ("never-resent after=expired", #"{"neverResent":{"after":"expired"}}"#),
    ])
    func `means the same in one line and in JSON`(line: String, json: String) throws {
        let check = try Check(line: line)
        let parsed = try Check(json: try JSONParser.parse(json))
        #expect(check == parsed)
        #expect(check.line == line)
        #expect(try Check(line: check.line) == check)
        #expect(try Check(json: check.json) == check)
        #expect(try Check(json: .string(line)) == check)
    }

    @Test(arguments: [
        ("backoff factor>=1.5", "backoff factorMin=1.5"), ("backoff first<=2s", "backoff firstMax=2s"),
        ("oneCommit key=a", "one-commit key=a"), ("  wasted-bytes \t max=1MiB ", "wasted-bytes max=1048576"),
        (
            "content key=\"a b\" sha256=\(String(repeating: "AB", count: 32))",
            "content key=\"a b\" sha256=\(String(repeating: "ab", count: 32))"
        ),
        ("attempts op=\"say \\\"7\\\"\" min=2", "attempts op=\"say \\\"7\\\"\" min=2"),
    ])
    func `has short spellings`(line: String, usual: String) throws { #expect(try Check(line: line).line == usual) }

    @Test(arguments: [
        ("", "column 1: a check is due here, such as one-commit key=photos/7.jpg"),
        ("one-comit", "column 1: no check is called 'one-comit'; the nearest is 'one-commit'"),
        ("one-commit kye=a", "column 12: no parameter of one-commit is called 'kye'; the nearest is 'key'"),
        ("all-fired key=a", "column 11: all-fired takes no parameters"),
        ("one-commit a", "column 12: a parameter is due here, such as key=photos/7.jpg; 'a' is none"),
        ("one-commit key=a key=b", "column 18: 'key' is given twice"),
        ("one-commit key=\"a", "column 16: the quote does not close"),
        ("one-commit op=x key=a", "column 1: give either an operation or a key, not both"),
        ("attempts", "column 1: attempts needs one of min, max"), ("quiet", "column 1: quiet needs for="),
        ("attempts min=3 max=2", "column 1: min is more than max"),
        ("attempts min=-1", "column 14: '-1' is no whole number"),
        ("quiet for=5", "column 11: '5' is no length of time, such as 500ms or 2s"),
        ("backoff min=1s jitter=2", "column 23: '2' is no share from 0 to 1, such as 0.5"),
        ("backoff factor>=0.5", "column 17: '0.5' is no factor from 1 to 1000, such as 1.5"),
        ("backoff factor=nan cap=1s", "column 16: 'nan' is no factor from 1 to 1000, such as 1.5"),
        (
            "no-retry-after codes=NoSuchKye",
            "column 22: no error code of S3 is called 'NoSuchKye'; the nearest is 'NoSuchKey'"
        ),
        ("fresh-url-after after=expird", "column 23: no error code of S3 is called 'expird'; the nearest is 'expired'"),
        ("order of=PutObjet", "column 10: no operation or group is called 'PutObjet'; the nearest is 'PutObject'"),
        ("order of=note:", "column 10: 'note:' is no step, such as PutObject:photos/* or note:saved"),
        ("content key=a sha256=12", "column 22: '12' is no SHA-256 of 64 hexadecimal digits"),
        ("wasted-bytes max=50%", "column 18: '50%' is no number of bytes, such as 1048576 or 1MiB"),
        ("one-commit allowIdenticalRewrite=yes", "column 34: true or false is due here, not 'yes'"),
    ])
    func `that is none is refused with its column and the nearest name`(line: String, message: String) {
        #expect { try Check(line: line) } throws: { "\($0)" == message }
    }

    @Test(arguments: [
        (#"{"oneComit":{}}"#, "/oneComit: no check is called 'oneComit'; the nearest is 'oneCommit'"),
        (
            #"{"oneCommit":{"kye":"a"}}"#,
            "/oneCommit/kye: no parameter of one-commit is called 'kye'; the nearest is 'key'"
        ),
        (#"{"attempts":{"min":"x"}}"#, "/attempts/min: 'x' is no whole number"),
        (#"{"attempts":{}}"#, "/attempts: attempts needs one of min, max"),
        (#"{"attempts":{"min":true}}"#, "/attempts/min: a string is due here, not a boolean"),
        (
            #"{"oneCommit":{},"noCommit":{}}"#,
            #"the document: one check is due here, as in {"oneCommit":{"key":"photos/7.jpg"}}"#
        ),
        ("7", "the document: an object is due here, not a number"),
        (#""one-comit""#, "the document: column 1: no check is called 'one-comit'; the nearest is 'one-commit'"),
    ])
    func `that is none is refused with its place in JSON`(json: String, message: String) throws {
        let value = try JSONParser.parse(json)
        #expect { try Check(json: value) } throws: { "\($0)" == message }
    }

    @Test func `has a meaning, and parameters that it needs`() {
        #expect(Set(CheckName.allCases.map(\.meaning)).count == CheckName.allCases.count)
        #expect(CheckName.freshUrlAfter.word == "fresh-url-after")
    }
}
