import Domain
import HTTP
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// Two members of one household edit the same receipts.
@Suite(.timeLimit(.minutes(5))) struct SharedReceiptTests {
    /// Sends the review form for the given revision.
    private func save(
        _ receipt: ReceiptID, _ browser: Browser, revision: Int64, lines: [(key: String, name: String, total: String)]
    ) async throws -> Answer {
        var body =
            "csrf=\(try await browser.get("/settings").token ?? "")&revision=\(revision)&store=HOFER&day=2026-11-02"
        body += "&total=5,08&action=save"
        for line in lines {
            body +=
                "&line=\(line.key)&name-\(line.key)=\(line.name)&total-\(line.key)=\(line.total)&quantity-\(line.key)=1"
        }
        return try await browser.send(
            .post, "/receipts/\(receipt)/review", type: "application/x-www-form-urlencoded", Array(body.utf8))
    }

    @Test(.database) func `changes of different lines by two members are both stored`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 179), ("BROT", 329)])
            let keys = try scene.keys(receipt).map(\.description)
            let revision = try scene.revision(receipt)
            let first = try await save(
                receipt, anna, revision: revision,
                lines: [(keys[0], "VOLLMILCH", "1,79"), (keys[1], "BROT", "3,29")])
            let second = try await save(
                receipt, ben, revision: revision,
                lines: [(keys[0], "MILCH", "1,79"), (keys[1], "BROT", "3,39")])
            #expect(first.status == .seeOther)
            #expect(second.status == .seeOther)
            #expect(try scene.lines(receipt) == ["VOLLMILCH", "BROT"])
            #expect(
                try scene.count("SELECT sum(total_minor)::bigint FROM receipt_line WHERE receipt_id = \(receipt)")
                    == 518)
        }
    }

    @Test(.database) func `if two members change one field, the first value is kept and the second member is informed`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 179)])
            let key = try scene.keys(receipt)[0].description
            let revision = try scene.revision(receipt)
            _ = try await save(receipt, anna, revision: revision, lines: [(key, "VOLLMILCH", "1,79")])
            let second = try await save(receipt, ben, revision: revision, lines: [(key, "HALTBARMILCH", "1,79")])
            #expect(second.status == .conflict)
            #expect(second.text.contains("HALTBARMILCH") && second.text.contains("Anna"))
            #expect(try scene.lines(receipt) == ["VOLLMILCH"])
        }
    }

    @Test(.database) func `an amount keeps its sign if another member changes the kind of the line`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("RABATT STORNO", 100), ("BROT", 329)])
            try await harness.setKinds([.discount, .item], of: receipt, by: anna)
            let keys = try scene.keys(receipt).map(\.description)
            func save(
                _ browser: Browser, kind: String, amount: String = "1,00", revision: Int64, bread: String
            ) async throws -> Answer {
                var body = "csrf=\(try await browser.get("/settings").token ?? "")&revision=\(revision)"
                body += "&store=HOFER&day=2026-11-02&total=4,29&action=save"
                body += "&line=\(keys[0])&name-\(keys[0])=RABATT STORNO&kind-\(keys[0])=\(kind)"
                body += "&total-\(keys[0])=\(amount)"
                body += "&line=\(keys[1])&name-\(keys[1])=\(bread)&kind-\(keys[1])=item&total-\(keys[1])=3,29"
                return try await browser.send(
                    .post, "/receipts/\(receipt)/review", type: "application/x-www-form-urlencoded", Array(body.utf8))
            }
            // Store the kind in the change log.
            _ = try await save(anna, kind: "discount", revision: try scene.revision(receipt), bread: "WECKEN")
            let revision = try scene.revision(receipt)
            let first = try await save(anna, kind: "coupon", amount: "%2B1,00", revision: revision, bread: "WECKEN")
            let second = try await save(ben, kind: "discount", revision: revision, bread: "SEMMEL")
            #expect([first.status, second.status] == [.seeOther, .seeOther])
            #expect(
                try scene.text(
                    "SELECT kind || total_minor FROM receipt_line WHERE receipt_id = \(receipt) ORDER BY position LIMIT 1"
                )
                    == "coupon100")
        }
    }

    @Test(.database) func `a line is kept if one member deletes it and another edits it`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 179), ("BROT", 329)])
            let keys = try scene.keys(receipt).map(\.description)
            let revision = try scene.revision(receipt)
            _ = try await save(receipt, anna, revision: revision, lines: [(keys[1], "BROT", "3,29")])
            #expect(try scene.lines(receipt) == ["BROT"])
            _ = try await save(
                receipt, ben, revision: revision, lines: [(keys[0], "VOLLMILCH", "1,79"), (keys[1], "BROT", "3,29")])
            #expect(try scene.lines(receipt) == ["VOLLMILCH", "BROT"])
        }
    }

    @Test(.database) func `a line that was moved to another receipt is not added again, and the page shows the input`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 179), ("BROT", 329)])
            let keys = try scene.keys(receipt).map(\.description)
            let revision = try scene.revision(receipt)
            let split = try await anna.post(
                "/receipts/\(receipt)/splits", ["revision": "\(revision)", "line": keys[1]])
            #expect(split.status == .seeOther)
            let answer = try await save(
                receipt, ben, revision: revision, lines: [(keys[0], "MILCH", "1,79"), (keys[1], "BROTLAIB", "3,49")])
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("„BROT“ gehört inzwischen zu einem anderen Beleg"))
            #expect(answer.text.contains("Name BROTLAIB, Einzelpreis 3,49, Betrag 3,49 €"))
            #expect(try scene.lines(receipt) == ["MILCH"])
            #expect(
                try scene.count(
                    "SELECT sum(total_minor)::bigint FROM receipt_line WHERE household_id = \(scene.household)")
                    == 508)
        }
    }

    @Test(.database, arguments: ["read again", "being read", "discarded"])
    func `the page keeps the input for a receipt that was read again, discarded or queued in the meantime`(
        event: String
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let receipt = try await scene.receiptInChangeLog(harness, [("MILCH", 179), ("BROT", 329)])
            let keys = try scene.keys(receipt).map(\.description)
            let revision = try scene.revision(receipt)
            switch event {
            case "read again":
                let page = ReadingScene.page(
                    .text, ["HOFER", "MILCH 1,79", "BROT 3,29", "SUMME 5,08", "02.11.2026 10:15"])
                _ = try await anna.post("/receipts/\(receipt)/rereading")
                try await JoinedCorrectionsTests.read(harness, as: RecognizedDocument(pages: [page]))
            case "being read":
                #expect(
                    try await anna.post("/receipts/\(receipt)/rereading", ["revision": "\(revision)"]).status
                        == .seeOther)
            default:
                #expect(
                    try await anna.post("/receipts/\(receipt)/discard", ["revision": "\(revision)"]).status == .seeOther
                )
            }
            let answer = try await save(
                receipt, ben, revision: revision, lines: [(keys[0], "VOLLMILCH", "1,99"), (keys[1], "BROT", "3,29")])
            #expect(answer.status == .conflict)
            if event == "being read" {
                #expect(answer.text.contains("<form method=\"post\" action=\"/receipts/\(receipt)/review\">"))
                #expect(answer.text.contains("name=\"name-\(keys[0])\" value=\"VOLLMILCH\""))
                #expect(answer.text.contains("Noch einmal senden"))
            } else {
                #expect(answer.text.contains("<li>„MILCH“: Name VOLLMILCH, Einzelpreis 1,99, Betrag 1,99 €</li>"))
                #expect(!answer.text.contains("„BROT“:"))
            }
            #expect(try scene.lines(receipt) == ["MILCH", "BROT"])
        }
    }

    @Test(.database) func `a hidden gift is on no page of another member`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.invite(by: anna)
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("RINGELBLUME", 1790)], person: anna.person)
            try await harness.hide(receipt, by: anna)
            let revision = try scene.revision(receipt)
            #expect(try await anna.get("/receipts/\(receipt)/review").text.contains("RINGELBLUME"))
            for address in [
                "/receipts/\(receipt)", "/receipts/\(receipt)/review", "/receipts/\(receipt)/splits/new",
                "/receipts/\(receipt)/pages/1/display", "/receipts/\(receipt)/pages/1/preview",
                "/receipts/\(receipt)/events",
            ] {
                #expect(try await ben.get(address).status == .notFound, "\(address)")
            }
            for address in ["/", "/receipts", "/receipts?search=RINGEL", "/receipts/discarded", "/receipts/joins/new"] {
                let text = try await ben.get(address).text
                #expect(!text.contains("RINGELBLUME") && !text.contains("\(receipt)"), "\(address)")
            }
            for form in ["discard", "rereading", "restoration", "splits"] {
                let answer = try await ben.post("/receipts/\(receipt)/\(form)", ["revision": "\(revision)"])
                #expect(answer.status == .notFound, "\(form)")
            }
            #expect(try scene.revision(receipt) == revision)
        }
    }

    @Test(.database) func `discarding a receipt can be undone`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            #expect(try await anna.post("/receipts/\(receipt)/discard", ["revision": "1"]).status == .seeOther)
            let list = try await anna.get("/receipts")
            #expect(list.text.contains("action=\"/receipts/\(receipt)/restoration\""))
            #expect(try await anna.get("/receipts/discarded").text.contains("\(receipt)"))
            #expect(try await anna.post("/receipts/\(receipt)/restoration").status == .seeOther)
            #expect(try await anna.get("/receipts/\(receipt)/review").status == .ok)
            #expect(try scene.lines(receipt) == ["MILCH"])
        }
    }

    @Test(.database) func `a file sent twice is one receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let png: [UInt8] =
                [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
                + [0, 0, 0, 200, 0, 0, 1, 144, 8, 2, 0, 0, 0, 0, 0, 0, 0]
            let first = try await anna.upload(
                "/receipts", field: "files", fileName: "bon.png", type: "image/png", png)
            let second = try await anna.upload(
                "/receipts", field: "files", fileName: "noch einmal.png", type: "image/png", png)
            #expect(first.status == .seeOther)
            #expect(second.status.code < 400)
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE household_id = \(scene.household)") == 1)
            #expect(try scene.count("SELECT count(*) FROM blob WHERE household_id = \(scene.household)") == 1)
        }
    }
}
