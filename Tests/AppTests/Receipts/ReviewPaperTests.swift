import DocumentParsing
import Domain
import HTTP
import JSON
import Postgres
import Recognition
import TestSupport
import Testing

@testable import App

/// Documents other than supermarket receipts. They are read, reviewed, corrected by a button, and confirmed as
/// expenses.
@Suite(.timeLimit(.minutes(5))) struct ReviewPaperTests {
    private static let dinner = [
        "PIZZERIA DA MARCO", "Rechnung Nr. 1042", "Datum 02.07.2026 19:22 Tisch 3", "Gesamt EUR 29,00",
        "MwSt 19% 4,63 Netto 24,37", "Trinkgeld 7,00", "Bezahlt mit Visa 36,00",
    ]
    private static let invoice = [
        "Wien Energie GmbH", "Rechnungsnummer 2026-884411", "Kundennummer 1234567", "Rechnungsdatum 03.08.2026",
        "Strom Verbrauch 712 kWh", "Nettobetrag 155,33", "20% USt 31,07", "Rechnungsbetrag EUR 186,40",
        "Zahlbar bis 24.08.2026", "IBAN AT61 1904 3002 3457 3201",
    ]

    /// A receipt read from these lines.
    private static func read(
        _ lines: [String], _ harness: AppHarness, _ scene: ReceiptScene, _ testDatabase: TestDatabase
    ) async throws -> ReceiptID {
        let receipt = try await scene.queueForRereading(harness, lines)
        try await ReadingScene.withoutReader(
            harness, testDatabase,
            until: { try scene.text("SELECT stage FROM receipt WHERE id = \(receipt)") == "review" })
        return receipt
    }

    /// The fields of the page's form, as a browser sends them.
    private static func fields(_ page: String, _ receipt: ReceiptID) throws -> [(String, String)] {
        func value(_ name: String) throws -> String {
            let pattern = try Regex("name=\"\(name)\"[^>]*value=\"([^\"]*)\"")
            let found = page.firstMatch(of: pattern)
            return found.flatMap { $0.output[1].substring.map(String.init) } ?? ""
        }
        let selected = page.firstMatch(of: #/<select class="input" id="category".*?<option value="([^"]*)" selected/#)
        return [
            ("revision", try value("revision")), ("store", try value("store")), ("total", try value("total")),
            ("day", try value("day")), ("time", ""), ("currency", "EUR"),
            ("category", selected.map { String($0.output.1) } ?? "none"), ("suggested", try value("suggested")),
            ("paid_on", try value("paid_on")), ("proposal-total.0", try value("proposal-total.0")),
        ]
    }

    @Test(.database) func `an invalid day of payment is explained beside its field`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.read(Self.invoice, harness, try harness.scene(anna), testDatabase)
            let fields = try Self.fields(try await anna.get("/receipts/\(receipt)/review").text, receipt)
            for (text, sentence) in [
                ("1999-12-31", "nicht vor 2000"), ("bald", "Bitte geben Sie ein Datum ein"),
            ] {
                let wrongFields = fields.map { $0.0 == "paid_on" ? ("paid_on", text) : $0 }
                let answer = try await anna.post("/receipts/\(receipt)/confirmation", pairs: wrongFields)
                #expect(answer.status == .unprocessableContent)
                #expect(answer.text.contains("id=\"paid_on-error\"") && answer.text.contains(sentence))
            }
        }
    }

    @Test(.database) func `one button confirms a restaurant bill with its category`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.read(Self.dinner, harness, try harness.scene(anna), testDatabase)
            let page = try await anna.get("/receipts/\(receipt)/review").text
            #expect(page.contains(#"<legend class="label">Restaurant</legend>"#) && page.contains("Davon Trinkgeld"))
            #expect(page.contains("take:total.1") && page.contains("data-field=\"candidate\""))
            let fields = try Self.fields(page, receipt)
            // The amount that was paid, with the tip. The bill without the tip is another candidate.
            #expect(fields.contains { $0 == ("total", "36,00") })
            #expect(page.contains("29,00"))
            #expect(fields.contains { $0 == ("day", "2026-07-02") })
            let done = try await anna.post("/receipts/\(receipt)/confirmation", pairs: fields)
            #expect(done.status == .seeOther, "\(done.text)")
            let caller = try await harness.caller(anna)
            let entry = try await caller.get("/api/v1/expenses?month=2026-07").json["expenses"]?.array?.first
            let categories = try await caller.get("/api/v1/categories").json["categories"]?.array ?? []
            let dining = categories.first { $0["name"]?.string?.hasPrefix("Restaurant") == true }
            #expect(entry?["amount_minor"]?.integer == 3600 && entry?["is_receipt"]?.bool == true)
            #expect(entry?["category_id"]?.string == dining?["id"]?.string && dining != nil)
            let spending = try await caller.get("/api/v1/spending?month=2026-07").json
            #expect(spending["categories"]?.array?.first?["category_id"]?.string == dining?["id"]?.string)
        }
    }

    @Test(.database) func `without scripts, a button chooses another candidate for the total`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.read(Self.dinner, harness, try harness.scene(anna), testDatabase)
            let page = try await anna.get("/receipts/\(receipt)/review").text
            let fields = try Self.fields(page, receipt)
            let other = "29,00"
            #expect(page.contains("name=\"proposal-total.1\" value=\"\(other)\""))
            let secondAnswer = try await anna.post(
                "/receipts/\(receipt)/review",
                pairs: fields + [("proposal-total.1", other), ("action", "take:total.1")])
            #expect(secondAnswer.status == .ok)
            #expect(try Self.fields(secondAnswer.text, receipt).contains { $0 == ("total", other) })
        }
    }

    @Test(.database) func `an invoice has its day of payment and its account number`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.read(Self.invoice, harness, try harness.scene(anna), testDatabase)
            let page = try await anna.get("/receipts/\(receipt)/review").text
            #expect(page.contains("AT611904300234573201"))
            let fields = try Self.fields(page, receipt)
            #expect(
                fields.contains { $0 == ("total", "186,40") } && fields.contains { $0 == ("paid_on", "2026-08-24") })
            let done = try await anna.post("/receipts/\(receipt)/confirmation", pairs: fields)
            #expect(done.status == .seeOther, "\(done.text)")
            let paid = try harness.scene(anna).text(
                "SELECT paid_on::text FROM expense WHERE receipt_id = \(receipt)")
            #expect(paid == "2026-08-24")
        }
    }

    @Test(.database) func `a receipt whose labels leave no room for a rule's labels can be confirmed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("DIESEL", 900)])
            let labels = (10..<25).map { "\($0)" + String(repeating: "x", count: 37) }
            try scene.owner.query(
                """
                INSERT INTO expense (household_id, id, receipt_id, person_id, labels)
                VALUES (\(anna.household), \(ExpenseID.new()), \(receipt), \(anna.person), \(labels))
                """)
            _ = try await anna.post("/rules", ["contains": "hofer", "labels": "Lebensmittel", "action": "save"])
            try await harness.confirm(receipt, by: anna)
            let storedLabels = try scene.owner.query("SELECT labels FROM expense").first([String].self)
            #expect(storedLabels == labels)
        }
    }

    @Test(.database) func `a rule sets labels and shares of a confirmed receipt`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let caller = try await harness.caller(anna)
            let people = "[\"\(anna.person)\", \"\(ben.person)\"]"
            let rule = try await caller.post(
                "/api/v1/expense-rules", #"{"contains": "marco", "labels": ["abend"], "people": \#(people)}"#)
            #expect(rule.status == .created, "\(rule.text)")
            let receipt = try await Self.read(Self.dinner, harness, try harness.scene(anna), testDatabase)
            let page = try await anna.get("/receipts/\(receipt)/review").text
            let fields = try Self.fields(page, receipt)
            let done = try await anna.post("/receipts/\(receipt)/confirmation", pairs: fields)
            #expect(done.status == .seeOther, "\(done.text)")
            let currentExpense = try await caller.get("/api/v1/expenses/\(receipt)").json
            #expect(currentExpense["labels"]?.array?.compactMap(\.string) == ["abend"])
            #expect(currentExpense["shares"]?.array?.count == 2 && currentExpense["split"]?.string == "equal")
        }
    }

    @Test(.database) func `proven receipts that are confirmed together get the suggested category and day of payment`()
        async throws
    {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipts = [
                try await Self.read(Self.dinner, harness, scene, testDatabase),
                try await Self.read(Self.invoice, harness, scene, testDatabase),
            ]
            let shopping = try scene.receipt([("MILCH", 150)])
            try scene.owner.query("UPDATE receipt SET verdict = 'proven'")
            let page = try await anna.get("/receipts/\(receipts[0])/review").text
            #expect(page.contains("id=\"category\""))
            _ = try await anna.post("/receipts/confirmations")
            let rows = try scene.owner.query(
                """
                SELECT c.key, e.category_source, coalesce(e.paid_on::text, '-') FROM expense e
                JOIN category c ON c.id = e.category_id WHERE e.receipt_id = ANY(\(receipts))
                ORDER BY array_position(\(receipts)::uuid[], e.receipt_id)
                """
            ).decode((String, String, String).self)
            #expect(rows.map(\.0) == ["dining", "energy"] && rows.map(\.1) == ["suggested", "suggested"])
            #expect(rows.map(\.2) == ["-", "2026-08-24"])
            #expect(try scene.text("SELECT stage FROM receipt WHERE id = \(shopping)") == "confirmed")
            #expect(try scene.owner.query("SELECT 1 FROM expense WHERE receipt_id = \(shopping)").isEmpty)
            for table in ["spending_day", "expense_day"] as [SQL] {
                let spent = try scene.owner.query(
                    """
                    SELECT sum(d.amount_minor)::bigint FROM \(table) d
                    JOIN category c ON c.id = d.category_id AND c.key = 'energy'
                    """
                ).first(Int64.self)
                #expect(spent == 18_640)
            }
        }
    }

    @Test func `a proven document is stored with its kind and without candidates for other values`() throws {
        let document = RecognizedDocument(pages: [ReadingScene.page(.text, Self.dinner)])
        let paper = PaperReading(document, asOf: try #require(LocalDate(parsing: "2026-07-03")))
        func storedPaper(isProven: Bool) throws -> StoredPaper? {
            var json = JSONWriter()
            json.object { StoredPaper.write(paper, .eur, isProven: isProven, &$0) }
            return StoredPaper(try JSONValue(reading: json.bytes)["paper"])
        }
        let proven = try #require(try storedPaper(isProven: true))
        #expect(proven.kind == .restaurant && proven.candidates.values.allSatisfy(\.isEmpty))
        #expect(try storedPaper(isProven: false)?.candidates[.total]?.isEmpty == false)
    }

    @Test(.database) func `a supermarket receipt has no field for the category`() async throws {
        let testDatabase = try TestDatabase.current
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let receipt = try await Self.read(
                ["HOFER", "VASE 42,00", "SEMMEL 0,39", "SUMME 49,39", "02.11.2026 10:15"], harness,
                try harness.scene(anna), testDatabase)
            let page = try await anna.get("/receipts/\(receipt)/review").text
            #expect(!page.contains("id=\"category\""))
        }
    }
}
