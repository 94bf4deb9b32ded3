import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Currency, country and time zone of a household.
@Suite(.timeLimit(.minutes(5))) struct HouseholdRegionTests {
    private func set(
        _ browser: Browser, currency: String = "EUR", country: String = "AT", zone: String = ""
    ) async throws -> Answer {
        try await browser.post(
            "/settings/region", ["currency": currency, "country": country, "zone": zone])
    }

    @Test(.database) func `an owner sets currency, country and time zone`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            #expect(try await set(anna, currency: "CHF", country: "CH", zone: "Europe/Zurich").status == .seeOther)
            let page = try await anna.get("/settings/household")
            #expect(page.text.contains(#"<option value="CHF" selected>"#))
            #expect(page.text.contains(#"<option value="CH" selected>"#))
            #expect(page.text.contains(#"value="Europe/Zurich""#))
            #expect(try await set(ben).status == .forbidden)
            #expect(try await set(anna, currency: "USD").status == .badRequest)
            #expect(try await set(anna, country: "XX").status == .badRequest)
            for zone in ["Europe/Atlantis", "../../etc/passwd", "/etc/localtime", String(repeating: "x", count: 500)] {
                let refusal = try await set(anna, zone: zone)
                #expect(
                    refusal.status == .unprocessableContent && refusal.text.contains("Diese Zeitzone gibt es nicht"))
            }
            // The refused form keeps the chosen values.
            let refused = try await set(anna, currency: "EUR", country: "DE", zone: "Europe/Atlantis").text
            #expect(refused.contains(#"<option value="EUR" selected>"#))
            #expect(refused.contains(#"<option value="DE" selected>"#))
        }
    }

    @Test(.database) func `a receipt entered by hand has the currency of the household`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            for currency in ["EUR", "CHF"] {
                #expect(try await set(anna, currency: currency).status == .seeOther)
                let draft = try await anna.post("/receipts/drafts")
                let path = try #require(draft.location)
                #expect(try await anna.get(path).text.contains(#"<option value="\#(currency)" selected"#))
            }
        }
    }

    @Test(.database) func `spending is recomputed when the household's currency changes`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            for (currency, total) in [("EUR", 1_000), ("CHF", 300)] as [(String, Int64)] {
                let receipt = try scene.receipt([("WARE", total)], pages: 0)
                try await harness.change(receipt, #"{"currency": "\#(currency)"}"#, by: anna)
                try await harness.confirm(receipt, by: anna)
            }
            for (currency, sum) in [("CHF", 300), ("EUR", 1_000)] as [(String, Int64)] {
                #expect(try await set(anna, currency: currency).status == .seeOther)
                let rows = try scene.owner.query(
                    "SELECT sum(amount_minor)::bigint FROM spending_month WHERE household_id = \(anna.household)")
                #expect(try rows.first(Int64.self) == sum)
            }
        }
    }

    @Test(.database) func `the current date depends on the household's time zone`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            // The zones are 26 hours apart, so the dates always differ.
            var days: [LocalDate] = []
            for zone in ["Pacific/Kiritimati", "Etc/GMT+12"] {
                #expect(try await set(anna, zone: zone).status == .seeOther)
                let draft = try await anna.post("/receipts/drafts")
                let id = try #require(draft.location?.split(separator: "/").dropFirst().first)
                let rows = try harness.owner().query(
                    "SELECT purchase_day FROM receipt WHERE id = \(try #require(ReceiptID(id)))")
                days.append(try #require(try rows.first(LocalDate.self)))
            }
            #expect(days[0] > days[1])
            let zone = try #require(TimeZone.named("Pacific/Kiritimati"))
            let instant = PostgresInstant(microsecondsSince1970: 1_795_222_861_000_000)
            #expect(WallClock.$zone.withValue(zone) { DisplayDate.dayAndTime(instant, .german) } == "21.11.2026, 15:01")
        }
    }

    @Test(.database, arguments: ["member", "viewer"])
    func `an invitation gives the chosen role`(role: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post("/settings/invitations", ["role": role])
            let match = try #require(answer.text.firstMatch(of: #/\/join\/[A-Za-z0-9_-]{43}/#))
            let browser = harness.browser()
            let page = try await browser.get(String(match.output))
            let joinAnswer = try await browser.post(
                String(match.output),
                ["name": "Vera", "email": "vera@example.at", "password": SignInScene.password], on: page)
            #expect(joinAnswer.status == .seeOther)
            let rows = try harness.owner().query(
                "SELECT m.role FROM membership m JOIN person p ON p.id = m.person_id WHERE p.login = 'vera@example.at'")
            #expect(try rows.first(String.self) == role)
            #expect(try await browser.get("/receipts/new").status == (role == "viewer" ? .forbidden : .ok))
            for role in ["owner", "admin", ""] {
                #expect(try await anna.post("/settings/invitations", ["role": role]).status == .badRequest)
            }
        }
    }

    @Test(.database) func `a receipt is read with the current date of the household, not of the server`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            // UTC−12 and UTC+14: the date in at least one of them differs from the server's.
            let server = WallClock.today()
            let (name, day) = try #require(
                ["Etc/GMT-14", "Etc/GMT+12"].lazy.map { name in
                    (name, WallClock.$zone.withValue(TimeZone.named(name)) { WallClock.today() })
                }.first { $0.1 != server })
            #expect(try await set(anna, zone: name).status == .seeOther)
            // A purchase date may be one day after today, but no more.
            let (last, first) = (max(day, server).adding(days: 1), min(day, server).adding(days: 1))
            #expect(last > first)
            let receipt = try await scene.queueForRereading(
                harness, ["HOFER", "VASE 49,00", "SEMMEL 0,39", "SUMME 49,39", "\(last.formatted(.german)) 10:15"])
            try await ReadingScene.withoutReader(
                harness, testDatabase,
                until: { try scene.text("SELECT stage FROM receipt WHERE id = \(receipt)") == "review" })
            let readDay = try scene.text("SELECT purchase_day::text FROM receipt WHERE id = \(receipt)")
            #expect(readDay == (day > server ? last.iso : nil))
        }
    }
}
