import ShoalS3
import ShoalSigV4
import Testing

@testable import ShoalSTS

private func action(_ body: String, query: String = "") throws(STSError) -> STSAction {
    try STSAction(query: Array(query.utf8)[...], body: Array(body.utf8))
}

private let role = "RoleArn=arn%3Aaws%3Aiam%3A%3A000000000000%3Arole%2Fteam%2Fuploader"

@Suite struct `A request to the Security Token Service` {
    @Test func `is read from its body as from its query`() throws {
        let body = "Action=GetSessionToken&Version=2011-06-15&DurationSeconds=900"
        #expect(try action(body) == .getSessionToken(durationSeconds: 900))
        #expect(try action("", query: body) == .getSessionToken(durationSeconds: 900))
        #expect(try action("Version=2011-06-15&Action=GetCallerIdentity") == .getCallerIdentity)
    }

    @Test func `gets half a day for a session token and an hour for a role, unless it asks for more`() throws {
        #expect(
            try action("Action=GetSessionToken&Version=2011-06-15") == .getSessionToken(durationSeconds: 43_200))
        guard
            case .assumeRole(let wanted) = try action(
                "Action=AssumeRole&Version=2011-06-15&\(role)&RoleSessionName=a%2Bb%40c")
        else {
            Issue.record("no AssumeRole")
            return
        }
        #expect((wanted.account, wanted.roleName, wanted.sessionName) == ("000000000000", "uploader", "a+b@c"))
        #expect(try wanted.seconds(isChained: false) == 3_600)
    }

    @Test func `hands a session of a role on for an hour at most`() throws {
        let text = "Action=AssumeRole&Version=2011-06-15&\(role)&RoleSessionName=ab&DurationSeconds=3601"
        guard case .assumeRole(let wanted) = try action(text) else {
            Issue.record("no AssumeRole")
            return
        }
        #expect(try wanted.seconds(isChained: false) == 3_601)
        let error = #expect(throws: STSError.self) { try wanted.seconds(isChained: true) }
        #expect(error?.message.hasPrefix("The requested DurationSeconds exceeds the 1 hour session limit") == true)
    }

    @Test(arguments: [
        ("Action=GetSessionToken&DurationSeconds=899", "greater than or equal to 900"),
        ("Action=GetSessionToken&DurationSeconds=129601", "less than or equal to 129600"),
        ("Action=GetSessionToken&DurationSeconds=-9223372036854775809", "must be an integer"),
        ("Action=GetSessionToken&DurationSeconds=", "must be an integer"),
        ("Action=AssumeRole&\(role)&RoleSessionName=ab&DurationSeconds=43201", "less than or equal to 43200"),
        ("Action=AssumeRole&\(role)&RoleSessionName=a", "'a' at 'roleSessionName' failed"),
        ("Action=AssumeRole&\(role)&RoleSessionName=a%20b", #"pattern: [\w+=,.@-]*"#),
        ("Action=AssumeRole&\(role)", "1 validation error detected: Value null at 'roleSessionName' failed"),
        ("Action=AssumeRole", "2 validation errors detected: Value null at 'roleArn' failed"),
        ("Action=AssumeRole&DurationSeconds=1", "3 validation errors detected: Value null at 'roleArn' failed"),
        ("Action=AssumeRole&RoleArn=uploader&RoleSessionName=ab", "length greater than or equal to 20"),
        (
            "Action=AssumeRole&RoleArn=arn:aws:iam::000000000000:user/a&RoleSessionName=ab",
            "arn:aws:iam::000000000000:user/a is invalid"
        ),
        (
            "Action=AssumeRole&RoleArn=arn:aws:iam::00000000000x:role/a&RoleSessionName=ab",
            "arn:aws:iam::00000000000x:role/a is invalid"
        ),
    ])
    func `is told which member is wrong and why`(text: String, words: String) {
        let error = #expect(throws: STSError.self) { try action("Version=2011-06-15&" + text) }
        #expect(error?.code == .validationError)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("Action=GetFederationToken", "GetFederationToken is not implemented"),
        ("Action=AssumeRoleWithWebIdentity", "AssumeRoleWithWebIdentity is not implemented"),
        ("Action=GetSessionToken&SerialNumber=arn:aws:iam::1:mfa/a", "SerialNumber of GetSessionToken"),
        ("Action=AssumeRole&\(role)&RoleSessionName=ab&Policy=%7B%7D", "Policy of AssumeRole"),
        ("Action=AssumeRole&\(role)&RoleSessionName=ab&PolicyArns.member.1.arn=arn:aws:iam::aws:policy", "PolicyArns"),
        ("Action=AssumeRole&\(role)&RoleSessionName=ab&Tags.member.1.Key=a", "Tags of AssumeRole"),
    ])
    func `is answered 501 where ignoring a part would grant more than was asked for`(text: String, words: String) {
        let error = #expect(throws: STSError.self) { try action("Version=2011-06-15&" + text) }
        #expect(error?.code == .notImplemented && error?.code.status.code == 501)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("", "Could not find operation  for version NO_VERSION_SPECIFIED"),
        ("Action=GetSessionToken", "Could not find operation GetSessionToken for version NO_VERSION_SPECIFIED"),
        ("Action=GetSession&Version=2011-06-15", "Could not find operation GetSession for version 2011-06-15"),
        ("Action=GetSessionToken&Version=2012-06-15", "for version 2012-06-15"),
    ])
    func `has to name an action and the version`(text: String, words: String) {
        let error = #expect(throws: STSError.self) { try action(text) }
        #expect(error?.code == .invalidAction)
        #expect(error?.message.contains(words) == true)
    }

    @Test(arguments: ["Action=%", "Action=%zz&Version=2011-06-15", "a=%f"])
    func `must have escapes that decode`(text: String) {
        #expect(throws: STSError(.malformedQueryString, "The query string contains a syntax error")) {
            try action(text)
        }
    }
}

@Suite struct `An answer of the Security Token Service` {
    @Test func `is well-formed, with credentials in their places`() throws {
        let credentials = TemporaryCredentials(
            TemporarySession(
                issuer: Array("shoal".utf8), expiry: Timestamp(seconds: 1_773_500_966),
                role: .init(name: "uploader", sessionName: "a&b")),
            issuerSecret: Array("s".utf8), nonce: [UInt8](repeating: 7, count: TemporaryCredentials.nonceByteCount))
        let identity = STSIdentity(account: "000000000000", session: credentials.session)
        #expect(identity.arn == "arn:aws:sts::000000000000:assumed-role/uploader/a&b")
        let bytes = STSResult.role(credentials, identity).document(requestID: "R1")
        let text = String(decoding: bytes, as: UTF8.self)
        let arn = "<Arn>arn:aws:sts::000000000000:assumed-role/uploader/a&amp;b</Arn>"
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>\
                <AccessKeyId>\(credentials.accessKeyId)</AccessKeyId>\
                <SecretAccessKey>\(credentials.secret)</SecretAccessKey>\
                <SessionToken>\(credentials.sessionToken)</SessionToken>\
                <Expiration>2026-03-14T15:09:26Z</Expiration></Credentials><AssumedRoleUser>\
                <AssumedRoleId>\(identity.userID.replacing("&", with: "&amp;"))</AssumedRoleId>\(arn)</AssumedRoleUser>\
                </AssumeRoleResult><ResponseMetadata><RequestId>R1</RequestId></ResponseMetadata></AssumeRoleResponse>
                """)
    }

    @Test(arguments: STSError.Code.allCases)
    func `says in its error what the client did`(code: STSError.Code) throws {
        let bytes = STSError(code, "a < b").document(requestID: "R1")
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>\
                <Code>\(code.rawValue)</Code><Message>a &lt; b</Message></Error><RequestId>R1</RequestId></ErrorResponse>
                """)
    }
}
