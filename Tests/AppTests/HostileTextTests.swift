import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Malicious texts, numbers and forms.
@Suite(.timeLimit(.minutes(5))) struct HostileTextTests {
    private static let form = "application/x-www-form-urlencoded"

    /// Creates a manual receipt, and returns the address of its review page.
    private func createDraft(_ browser: Browser) async throws -> String {
        let answer = try await browser.post("/receipts/drafts")
        return try #require(answer.location)
    }

    private func line(
        name: String = "SEMMEL", quantity: String = "1", unit: String = "piece", price: String = "",
        total: String = "1,00"
    ) -> KeyValuePairs<String, String> {
        [
            "revision": "1", "action": "save", "store": "Greissler", "day": "2026-03-04", "time": "", "total": "1,00",
            "line": "new1", "name-new1": name, "quantity-new1": quantity, "unit-new1": unit, "unit_price-new1": price,
            "total-new1": total, "kind-new1": "item", "vat_class-new1": "A",
        ]
    }

    private func lineCount(_ harness: AppHarness) throws -> Int64? {
        try harness.owner().query("SELECT count(*) FROM receipt_line").first(Int64.self)
    }

    // MARK: Numbers

    static let amounts = [
        "1e300", "NaN", "-nan", "inf", "9223372036854775808", "99999999999,99", "0x10", "١٢٣", "12,345,678", "1,2,3",
        "--1", "1-", "one", "1;2", "$1", "' OR 1=1--", String(repeating: "9", count: 1_000),
    ]

    @Test(.database) func `refuses invalid amounts or stores them within the allowed range`() async throws {
        try await AppHarness.run { harness in
            for text in Self.amounts {
                let anna = try await harness.signUp()
                let review = try await createDraft(anna)
                for fields in [line(total: text), line(quantity: text), line(price: text)] {
                    let answer = try await anna.post(review, fields)
                    if answer.status == .seeOther {
                        // Some of the texts are valid numbers. These are stored within the allowed range.
                        let bounds = try harness.owner().query(
                            "SELECT count(*) FROM receipt_line WHERE abs(total_minor) > 100000000 OR abs(quantity_thousandths) > 100000000"
                        ).first(Int64.self)
                        #expect(bounds == 0)
                    } else {
                        #expect(answer.status == .unprocessableContent, "\(text): \(answer.status)")
                    }
                }
            }
        }
    }

    @Test(.database) func `quantities out of range cause no internal error`() async throws {
        try await AppHarness.run { harness in
            for (quantity, unit) in [
                ("1000000", "kg"), ("100001", "piece"), ("99999999", "g"), ("0", "piece"), ("0,000", "kg"),
                ("-1", "piece"),
                ("0,0005", "kg"),
            ] {
                let anna = try await harness.signUp()
                let review = try await createDraft(anna)
                let answer = try await anna.post(review, line(quantity: quantity, unit: unit, price: "0,01"))
                #expect(answer.status.code < 500, "\(answer.status)")
                let confirmationAnswer = try await anna.post(
                    review.replacing("/review", with: "/confirmation"),
                    line(quantity: quantity, unit: unit))
                #expect(confirmationAnswer.status.code < 500, "\(confirmationAnswer.status)")
                #expect(try await anna.get("/receipts").status == .ok)
                #expect(try await anna.get("/").status == .ok)
            }
        }
    }

    @Test(.database) func `refuses texts that are not days between 2000 and today`() async throws {
        try await AppHarness.run { harness in
            for day in [
                "2026-02-31", "2025-02-29", "00.00.0000", "1926-01-01", "9999-12-31", "0026-01-01", "2030-01-01",
                "31.02.2026",
                "gestern", "2026-13-01",
            ] {
                let anna = try await harness.signUp()
                let review = try await createDraft(anna)
                let answer = try await anna.post(
                    review, ["revision": "1", "action": "save", "store": "", "day": day, "total": "1,00"])
                #expect(answer.status == .unprocessableContent, "\(answer.status)")
                #expect(
                    try harness.owner().query("SELECT count(*) FROM receipt WHERE purchase_day <> current_date")
                        .first(Int64.self) == 0)
            }
        }
    }

    @Test(.database) func `refuses times that do not exist`() async throws {
        try await AppHarness.run { harness in
            for time in ["25:61", "24:00", "-1:00", "99", "x"] {
                let anna = try await harness.signUp()
                let answer = try await anna.post(
                    try await createDraft(anna),
                    ["revision": "1", "action": "save", "store": "", "day": "2026-03-04", "time": time])
                #expect(answer.status == .unprocessableContent, "\(answer.status)")
            }
        }
    }

    // MARK: Texts

    static let texts = [
        "<img src=x onerror=alert(1)>", "{{secret}} ${7*7} %n%s {{{name}}} {{#a}}", "' OR 1=1--", "\\", "$1", "%_",
        "=HYPERLINK(\"http://x\",\"y\")", "+cmd|' /C calc'!A0", "@SUM(1)", "\u{202E}evil", "e\u{301}\u{301}\u{301}",
        String(repeating: "ä", count: 200), String(repeating: "👨‍👩‍👧‍👦", count: 80),
        "a" + String(repeating: "\u{301}", count: 1_000), "\u{FEFF}", "\u{1}\u{2}",
    ]

    @Test(.database) func `pages escape names`() async throws {
        try await AppHarness.run { harness in
            for text in Self.texts {
                let anna = try await harness.signUp()
                let review = try await createDraft(anna)
                let confirmation = review.replacing("/review", with: "/confirmation")
                let saveAnswer = try await anna.post(
                    confirmation,
                    [
                        "revision": "1", "store": text, "day": "2026-03-04", "total": "1,00", "line": "new1",
                        "name-new1": text, "quantity-new1": "1", "unit-new1": "piece", "total-new1": "1,00",
                    ])
                #expect(saveAnswer.status.code < 500, "\(saveAnswer.status)")
                if let line = try harness.owner().query(
                    "SELECT id FROM receipt_line WHERE household_id = \(anna.household)"
                ).first(ReceiptLineID.self) {
                    let matchAnswer = try await anna.post(
                        "/matching", ["alias": "\(line)", "product": "new", "name": text, "category": ""])
                    #expect(matchAnswer.status.code < 500, "\(matchAnswer.status)")
                }
                let group = try await anna.post("/compare/groups", ["name": text, "unit": "kg", "revision": "1"])
                #expect(group.status.code < 500, "\(group.status)")
                for (path, field) in [("/settings/account", "name"), ("/settings/household", "household")] {
                    let renameAnswer = try await anna.post(path, [field: text, "language": "de"])
                    #expect(renameAnswer.status.code < 500, "\(path): \(renameAnswer.status)")
                }
                var pages = [
                    "/", "/receipts", "/products", "/matching", "/compare", "/settings/account", "/settings/household",
                    review,
                    review.replacing("/review", with: ""), "/receipts?search=\(PercentCoding.encode(text))",
                    "/products?search=\(PercentCoding.encode(text))",
                    "/compare/groups/new?search=\(PercentCoding.encode(text))",
                ]
                for product in try harness.owner().query(
                    "SELECT id FROM product WHERE household_id = \(anna.household)"
                ).decode(ProductID.self) {
                    pages += ["/products/\(product)", "/products/\(product)/edit", "/products/\(product)/merge"]
                }
                for path in pages {
                    let page = try await anna.get(path)
                    #expect(page.status.code < 400, "\(path): \(page.status)")
                    #expect(!page.text.contains("<img src=x"), "\(path)")
                    // 7 × 7: the template must not evaluate the text.
                    #expect(!page.text.contains("{{secret}} 49"), "\(path)")
                }
            }
        }
    }

    @Test(.database) func `accepts a receipt of two thousand lines, and refuses a longer one`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let review = try await createDraft(anna)
            func post(_ count: Int) async throws -> Answer {
                let token = try #require(try await anna.get("/settings").token)
                var body =
                    "csrf=\(PercentCoding.encode(token))&revision=1&action=save&store=S&day=2026-03-04&total=20,00"
                for n in 1...count { body += "&line=new\(n)&name-new\(n)=A\(n)&total-new\(n)=0,01" }
                return try await anna.send(.post, review, type: Self.form, Array(body.utf8))
            }
            #expect(try await post(2_001).status == .badRequest)
            #expect(try lineCount(harness) == 0)
            #expect(try await post(2_000).status == .seeOther)
            #expect(try lineCount(harness) == 2_000)
            #expect(try await anna.get(review).status == .ok)
        }
    }

    @Test(.database) func `truncates or refuses a line of a hundred thousand characters`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post(
                try await createDraft(anna), line(name: String(repeating: "A", count: 100_000)))
            #expect(answer.status.code < 500)
            let longest = try harness.owner().query("SELECT coalesce(max(length(printed_name)), 0) FROM receipt_line")
                .first(Int32.self)
            #expect(longest ?? 0 <= 200)
        }
    }

    // MARK: Searches and forms

    static let searches = [
        "' OR 1=1--", "\\", "%", "_", "$1", "a & b | !c:*", "(((", "[a-", "^(a+)+$", "\u{202E}", "🫖",
        String(repeating: "a", count: 5_000) + "!", "{{secret}}",
    ]

    @Test(.database) func `a search treats its input as text`() async throws {
        try await AppHarness.run { harness in
            for text in Self.searches {
                let anna = try await harness.signUp()
                let mine = try Tenant.addDocuments(try harness.owner(), of: anna, mark: "Eigen")
                let query = PercentCoding.encode(text)
                for path in [
                    "/receipts?search=", "/products?search=", "/products?chain=", "/products?sort=", "/receipts?state=",
                    "/receipts?store=", "/receipts?before=", "/products?category=", "/products?after=",
                    "/receipts?member=",
                    "/products/\(mine.first("product"))/merge?search=", "/products/\(mine.first("product"))?after=",
                ] {
                    let answer = try await anna.get(path + query)
                    #expect(answer.status == .ok, "\(path): \(answer.status)")
                    if path.hasSuffix("receipts?search=") {
                        #expect(!answer.text.contains("href=\"/receipts/\(mine.first("receipt"))"), "\(text)")
                    }
                }
            }
        }
    }

    @Test(.database) func `refuses forms with malformed percent-encoding or UTF-8`() async throws {
        try await AppHarness.run { harness in
            for body in [
                "csrf=%ff", "%ff=1", "csrf=%zz", "csrf=%", "a=%00", "name=%c0%af", "name=%ed%a0%80",
            ] {
                let anna = try await harness.signUp()
                let answer = try await anna.send(.post, "/settings/account", type: Self.form, Array(body.utf8))
                #expect([400, 403].contains(answer.status.code), "\(answer.status)")
            }
        }
    }

    @Test(.database) func `a text with NUL causes no internal error; an address with NUL is refused`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            for (path, field) in [("/settings/account", "name"), ("/settings/household", "household")] {
                let answer = try await anna.post(path, [field: "A\u{0}B", "language": "de"])
                #expect(answer.status.code < 500, "\(path): \(answer.status)")
            }
            #expect(try await anna.post(try await createDraft(anna), line(name: "A\u{0}B")).status.code < 500)
            for target in ["/receipts?search=a%00b", "/products?search=a&chain=%00"] {
                await #expect(throws: RequestRefusal.self) { try await anna.get(target) }
            }
        }
    }

    @Test(.database) func `refuses too many fields and too large a form`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let many = String(repeating: "a=1&", count: 1_000_000)
            let small = String(repeating: "a=1&", count: 300)
            #expect(
                try await anna.send(.post, "/settings/account", type: Self.form, Array(many.utf8)).status
                    == .contentTooLarge)
            #expect(
                try await anna.send(.post, "/settings/account", type: Self.form, Array(small.utf8)).status
                    == .badRequest)
        }
    }
}
