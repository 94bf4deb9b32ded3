import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Actions on outdated pages. The answer says that the action was already done.
@Suite(.timeLimit(.minutes(5))) struct DoneAlreadyTests {
    @Test(.database) func `every request for a receipt that was joined into another receipt redirects`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let first = try scene.receipt([("MILCH", 150)])
            let second = try scene.receipt([("BROT", 250)])
            let join: KeyValuePairs = [
                "receipt": "\(first)", "receipt": "\(second)", "position-\(first)": "1", "position-\(second)": "2",
            ]
            #expect(try await anna.post("/receipts/joins", join).location == "/receipts/\(first)")
            // The same form again redirects to the joined receipt.
            let secondAnswer = try await anna.post("/receipts/joins", join)
            #expect(secondAnswer.status == .seeOther && secondAnswer.location == "/receipts/\(first)")
            for path in ["", "/review", "/splits/new"] {
                let answer = try await anna.get("/receipts/\(second)\(path)")
                #expect(answer.status == .seeOther && answer.location == "/receipts", "\(path)")
            }
            for path in ["review", "confirmation", "discard", "restoration", "rereading", "splits"] {
                let answer = try await anna.post(
                    "/receipts/\(second)/\(path)",
                    ["revision": "1", "line": "new1", "name-new1": "X", "total-new1": "1"])
                #expect(answer.status == .seeOther && answer.location == "/receipts", "\(path)")
                #expect(
                    try await anna.get("/receipts").text.contains("Diesen Beleg gibt es nicht mehr"))
            }
            // An identifier that never existed is not found.
            #expect(try await anna.get("/receipts/\(ReceiptID.new())").status == .notFound)
        }
    }

    @Test(.database) func `repeated requests to discard, restore or read again have no further effect`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let revision = "\(try scene.revision(receipt))"
            for _ in 0..<2 {
                let answer = try await anna.post("/receipts/\(receipt)/discard", ["revision": revision])
                #expect(answer.location == "/receipts")
                #expect(try await anna.get("/receipts").text.contains("Beleg verworfen."))
            }
            let discarded = try scene.revision(receipt)
            let lateAnswer = try await anna.post("/receipts/\(receipt)/rereading", ["revision": "\(discarded)"])
            #expect(lateAnswer.location == "/receipts/\(receipt)")
            #expect(try await anna.get("/receipts/\(receipt)").text.contains("Dieser Beleg wurde verworfen"))
            for _ in 0..<2 {
                let answer = try await anna.post("/receipts/\(receipt)/restoration", ["revision": "\(discarded)"])
                #expect(answer.location == "/receipts/\(receipt)")
            }
            #expect(try scene.revision(receipt) == discarded + 1)
            for _ in 0..<2 {
                let answer = try await anna.post("/receipts/\(receipt)/rereading", ["revision": "\(discarded + 1)"])
                #expect(answer.location == "/receipts/\(receipt)")
            }
            #expect(try scene.revision(receipt) == discarded + 2)
            // After a correction, a discard with the earlier revision is a conflict.
            let other = try scene.receipt([("BROT", 250)])
            try await harness.change(other, #"{"purchase_time": "10:15"}"#, by: anna)
            #expect(try await anna.post("/receipts/\(other)/discard", ["revision": "1"]).status == .conflict)
        }
    }

    @Test(.database) func `a manual receipt cannot be read again, and the page says so`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)], pages: 0)
            let answer = try await anna.post("/receipts/\(receipt)/rereading", ["revision": "1"])
            #expect(answer.location == "/receipts/\(receipt)")
            #expect(try await anna.get("/receipts/\(receipt)/review").text.contains("Dieser Beleg hat kein Bild"))
            #expect(try scene.text("SELECT stage FROM receipt") == "review")
        }
    }

    @Test(.database) func `separating a receipt that is already separated redirects to its second part`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150), ("BROT", 250)])
            let line = try scene.keys(receipt)[1]
            let fields: KeyValuePairs = ["revision": "\(try scene.revision(receipt))", "line": "\(line)"]
            let firstAnswer = try await anna.post("/receipts/\(receipt)/splits", fields)
            let second = try #require(firstAnswer.location?.split(separator: "/").dropFirst().first)
            let secondAnswer = try await anna.post("/receipts/\(receipt)/splits", fields)
            #expect(secondAnswer.location == "/receipts/\(second)")
            #expect(try scene.count("SELECT count(*) FROM receipt") == 2)
        }
    }

    @Test(.database) func `the language switch on the answer to a form leads to a page that GET can load`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 150)])
            let form = [("revision", "1"), ("line", "new1"), ("name-new1", "X"), ("total-new1", "viel")]
            let page = try await anna.get("/receipts/\(receipt)/review")
            let pairs = [("csrf", page.token ?? "")] + form
            let body = Array(pairs.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&").utf8)
            for (path, referer, back) in [
                ("confirmation", "review", "review"), ("confirmation", "confirmation", ""),
                ("review", "review", "review"),
            ] {
                let answer = try await anna.send(
                    .post, "/receipts/\(receipt)/\(path)", type: "application/x-www-form-urlencoded", body,
                    fields: ["Referer": "http://localhost:8080/receipts/\(receipt)/\(referer)"])
                #expect(answer.status == .unprocessableContent)
                let address = "/receipts/\(receipt)" + (back.isEmpty ? "" : "/\(back)")
                #expect(answer.attribute("value", after: "name=\"return\"") == address, "\(path) from \(referer)")
            }
        }
    }
}
