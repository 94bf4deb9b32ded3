import Domain
import EventLoop
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Fields, bodies, cursors and notifications that no page of the product sends.
@Suite(.timeLimit(.minutes(5))) struct HostileRequestTests {
    // MARK: Bodies

    @Test(
        .database,
        arguments: [
            ("application/json", #"{"csrf":"x","name":"Gift"}"#), ("text/plain", "name=Gift"),
            ("application/json", String(repeating: "[", count: 60_000)), ("application/xml", "<name>Gift</name>"),
            ("application/x-www-form-urlencoded; charset=utf-16", "name=Gift"), ("", "name=Gift"),
        ])
    func `a body that is not a form changes nothing`(type: String, body: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.send(.post, "/settings/household", type: type, Array(body.utf8))
            #expect([400, 403, 415].contains(answer.status.code), "\(answer.status.code)")
            #expect(try await !anna.get("/settings/household").text.contains("Gift"))
        }
    }

    // MARK: Unknown fields

    @Test(.database) func `ignores fields that the form does not have`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo")
            let ben = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let extra: KeyValuePairs = [
                "household_id": "\(paul.household)", "household": "\(paul.household)", "person_id": "\(paul.person)",
                "role": "owner", "owner": "1", "is_admin": "true", "id": "\(PersonID.new())", "verdict": "proven",
                "created_at": "2000-01-01", "stage": "confirmed", "source": "demo", "revision": "1",
            ]
            func fields(_ own: KeyValuePairs<String, String>) -> [(String, String)] {
                own.map { ($0.key, $0.value) } + extra.map { ($0.key, $0.value) }
            }
            func send(_ browser: Browser, _ target: String, _ own: KeyValuePairs<String, String>) async throws {
                let token = try await browser.get("/settings").token ?? ""
                let body = ([("csrf", token)] + fields(own))
                    .map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
                _ = try await browser.send(
                    .post, target, type: "application/x-www-form-urlencoded", Array(body.utf8))
            }
            let tables = ["receipt", "comparison_group", "product", "change_log"]
            func rowCount(_ table: String) throws -> Int64? {
                try scene.owner.query(
                    SQL(
                        uncheckedText: "SELECT count(*) FROM \(table) WHERE household_id = '\(paul.household)'")
                ).first(Int64.self)
            }
            let countsBefore = try tables.map(rowCount)
            let receipt = try scene.receipt([("MILCH", 179)], person: anna.person)
            try await send(ben, "/settings/account", ["name": "Ben", "language": "de"])
            try await send(
                ben, "/receipts/\(receipt)/review",
                ["revision": "1", "store": "HOFER", "day": "2026-11-02", "total": "1,79", "action": "save"])
            try await send(ben, "/compare/groups", ["name": "Milch", "unit": "l"])
            try await send(ben, "/receipts/drafts", [:])
            try await send(ben, "/settings/invitations", [:])
            #expect(
                try scene.text("SELECT role FROM membership WHERE person_id = \(ben.person)") == "member")
            #expect(
                try scene.text("SELECT person_id::text FROM receipt WHERE id = \(receipt)")
                    == anna.person.description)
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(receipt)") == "review")
            #expect(try scene.text("SELECT verdict FROM receipt WHERE id = \(receipt)") == "review")
            #expect(try tables.map(rowCount) == countsBefore)
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE created_at < now() - interval '1 day'") == 0)
        }
    }

    // MARK: Cursors

    @Test(
        .database,
        arguments: [
            "/receipts?before=9999-99", "/receipts?before=-1", "/receipts?before=2026-11';--", "/receipts?before=",
            "/receipts?store=x&member=y&category=z&state=w", "/products?after=-1",
            "/products?after=99999999999999999999",
            "/products?after=1e9", "/products?sort=name;drop", "/products?chain=%27%20OR%201=1",
            "/products?category=00000000-0000-0000-0000-000000000000",
        ])
    func `an invented cursor or filter gives an empty page, never an error`(target: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo")
            _ = try harness.scene(paul).receipt([("GEHEIMES", 179)], stage: "confirmed")
            let answer = try await anna.get(target)
            #expect(answer.status == .ok)
            #expect(!answer.text.contains("GEHEIMES") && !answer.text.contains("HOFER"))
        }
    }

    // MARK: Notifications

    @Test func `notifications contain no data`() throws {
        let sources = TestSources.root + "/Sources"
        var found = 0
        for name in try #require(FileManager.default.enumerator(atPath: sources)) {
            guard let name = name as? String, name.hasSuffix(".swift") else { continue }
            let text = try String(contentsOfFile: "\(sources)/\(name)", encoding: .utf8)
            for call in text.components(separatedBy: "pg_notify(").dropFirst() {
                found += 1
                #expect(call.hasPrefix("'job', ''"), "\(name): \(call.prefix(60))")
            }
        }
        #expect(found > 0)
    }

    @Test(.database) func `a forged notification has no effect except a check for jobs`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            // The worker still runs. It claims the job and ends it, because the job has no file to read.
            try await ReadingScene.withoutReader(
                harness, testDatabase,
                until: { try scene.count("SELECT count(*) FROM job WHERE attempts = 0") == 0 }
            ) {
                for payload in [String(repeating: "x", count: 7_999), "'; DROP TABLE job;--", "{\"receipt\":1}"] {
                    try scene.owner.query("SELECT pg_notify('job', \(payload)), pg_notify('receipt', \(payload))")
                }
                let receipt = try scene.receipt([], pages: 0, stage: "reading", person: anna.person)
                _ = try await harness.database.query(JobQueue.enqueue(.read, receipt.relabelled(), anna.household))
                try scene.owner.query("SELECT pg_notify('job', 'forged')")
            }
        }
    }
}
