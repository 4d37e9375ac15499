import ShoalTesting
import XCTest

/// The library is as good in an XCTestCase.
final class ShoalXCTestCase: XCTestCase {
    func testAnUploadIsRefusedOnceAndThenStored() throws {
        let shoal = try Shoal.start()
        defer { shoal.stop() }
        let scope = try shoal.scope(buckets: ["photos"])
        try scope.fault("PutObject @auth 1*respond(SlowDown)")
        let link = try scope.presign("PUT", "photos", "a")
        XCTAssertEqual(try send("PUT", to: link, "x", shoal)?.status, 503)
        XCTAssertEqual(try send("PUT", to: link, "x", shoal)?.status, 200)
        XCTAssertEqual(try scope.objects().map(\.size), [1])
        XCTAssertTrue(try scope.end().neverFired.isEmpty)
    }
}
