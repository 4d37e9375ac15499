import ShoalAdminAPI
import ShoalHTTPClient
import Testing

@testable import shoal

@Suite struct `A refusal of the server` {
    @Test(arguments: [
        (
            400,
            #"{"type":"about:blank","title":"Bad Request","status":400,"detail":"there is no point 'comit.after'","#
                + #""pointer":"/rules/0/at","nearest":"commit.after"}"#,
            "/rules/0/at: there is no point 'comit.after'; did you mean 'commit.after'?"
        ),
        (404, #"{"type":"about:blank","title":"No such rule","status":404}"#, "No such rule"),
        (401, "", "the server wants another token (401); set --admin-token or SHOAL_ADMIN_TOKEN"),
        (502, "<html>proxy</html>", "the server answered 502; is this a Shoal server?"),
    ])
    func `says what to change`(status: Int, body: String, text: String) {
        #expect(ServerRefusal(status: status, body: Array(body.utf8)).description == text)
    }

    @Test func `for want of an answer asks whether the server runs`() throws {
        let error = ServerUnreachable(
            base: try BaseURL("http://127.0.0.1:9000", in: "--endpoint"), error: .unreachable("Connection refused"))
        #expect(
            error.description
                == "no answer from http://127.0.0.1:9000 (Connection refused): is `shoal serve` running? Set --endpoint or SHOAL_ENDPOINT"
        )
    }
}
