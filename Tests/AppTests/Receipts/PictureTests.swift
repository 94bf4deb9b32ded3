import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct PictureTests {
    @Test(.database) func `a picture is revalidated each time, and sent again only when it has changed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            let path = "/receipts/\(receipt)/pages/1/display"
            func requestAgain(_ tag: String) async throws -> Answer {
                try await anna.send(.get, path, type: nil, [], fields: ["If-None-Match": tag])
            }
            let firstPage = try await anna.get(path)
            #expect(firstPage.headers[.cacheControl] == "private, no-cache")
            let tag = try #require(firstPage.headers["ETag"])
            let same = try await requestAgain(tag)
            #expect(same.status == .notModified && same.headers[.cacheControl] == "private, no-cache")
            for list in ["*", "\"other\", \(tag)", "W/\(tag)"] {
                #expect(try await requestAgain(list).status == .notModified, "\(list)")
            }
            #expect(try await requestAgain("\"other\"").status == .ok)
            // After a new reading, the same address has another picture.
            let blob = try scene.blob("display")
            try scene.owner.query("UPDATE receipt_page SET display_blob_id = \(blob)")
            let other = try await requestAgain(tag)
            #expect(other.status == .ok && other.headers["ETag"] != tag)
            // A member who has signed out does not get the picture.
            anna.cookies = [:]
            #expect(try await requestAgain(tag).status == .seeOther)
        }
    }
}
