import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// A household imports the export of another household, and nothing is lost.
@Suite(.timeLimit(.minutes(5))) struct ExportRoundTripTests {
    /// Kind, name, quantity in thousandths, unit, unit price in thousandths of a cent, total in cents, and, for a
    /// discount, the index of its item.
    private typealias Line = (
        kind: LineKind, name: String, quantity: Int64, unit: MeasureUnit, unitPrice: Int64?, total: Int64, item: Int?
    )

    private static let shopping: [Line] = [
        (.item, "BUTTER", 2_000, .piece, 250_000, 500, nil), (.deposit, "PFAND", 1_000, .piece, 25_000, 25, nil),
        (.discount, "-20%", 1_000, .piece, nil, -100, 0), (.discount, "TREUE", 1_000, .piece, nil, -50, nil),
        (.item, "BANANEN", 543, .kilogram, 198_900, 108, nil), (.item, "GUMMI", 0, .piece, nil, 30, nil),
        (.depositReturn, "LEERGUT", 1_000, .piece, nil, -150, nil),
        (.coupon, "GUTSCHEIN", 1_000, .piece, nil, -200, nil),
        (.rounding, "RUNDUNG", 1_000, .piece, nil, 1, nil),
    ]
    private static let secondPurchase: [Line] = [
        (.discount, "AKTION", 1_000, .piece, nil, -10, 2), (.discount, "NOCH EINE", 1_000, .piece, nil, -4, 2),
        (.item, "SEMMEL", 1_000, .piece, nil, 39, nil), (.item, "BUTTER", -1_000, .piece, 250_000, -250, nil),
        (.item, "BUTTER", 1_000, .piece, 250_000, 250, nil), (.discount, "SOFORT", 1_000, .piece, nil, -60, nil),
    ]
    private static let fuel: [Line] = [(.item, "DIESEL", 25_660, .litre, 155_900, 4_000, nil)]
    private static let swiss: [Line] = [
        (.item, "RIVELLA", 2_000, .piece, 195_000, 390, nil), (.discount, "RABATT", 1_000, .piece, nil, -78, 0),
        (.rounding, "RUNDUNG", 1_000, .piece, nil, -2, nil),
    ]

    @Test(.database, arguments: ["de", "en"])
    func `importing an export creates the same receipts, and exporting these gives the same bytes`(language: String)
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp(language: language)
            let stores = try await Stores(harness, anna)
            let receipts: [(lines: [Line], store: StoreID, daysAgo: Int, currency: Currency)] = [
                (Self.shopping, stores.spar, 20, .eur), (Self.secondPurchase, stores.spar, 20, .eur),
                (Self.fuel, stores.eni, 20, .eur), (Self.secondPurchase, stores.none, 20, .eur),
                (Self.swiss, stores.spar, 19, .chf),
                (Self.shopping, stores.spar, 50, .eur),
            ]
            try await harness.database.write(anna.household, by: anna.person) { changes in
                var ids: [ReceiptID] = []
                for (lines, store, daysAgo, currency) in receipts {
                    let receipt = Self.receipt(lines, store, WallClock.today().adding(days: -daysAgo))
                    ids.append(receipt.id)
                    try await BulkReceipts.insert([receipt], source: "import", currency: currency, changes)
                }
                try await PriceHistory.update(ids, changes)
            }
            let export = try await anna.get("/export.csv?quantities=1").text
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo", language: language)
            let file = try #require(try await paul.importFile(export).location)
            let preview = try await paul.get(file).text
            let all = receipts.reduce(0) { $0 + $1.lines.count }
            #expect(
                preview.contains(language == "de" ? "Erkannt: \(all) von \(all)" : "Recognised: \(all) of \(all)"))
            for (german, english) in [
                ("Rabatt", "Discount"), ("Rabatt ohne Artikel", "Discount without item"), ("Rundung", "Rounding"),
                ("Pfandrückgabe", "Deposit return"),
            ] { #expect(preview.contains("<span class=\"badge\">\(language == "de" ? german : english)</span>")) }
            #expect(preview.contains("CHF"))
            #expect(try await paul.post("\(file)/confirmation").location == "/receipts")
            for query in [lines, prices, spending] {
                let (before, after) = (try query(anna, harness), try query(paul, harness))
                #expect(before == after && !before.isEmpty)
            }
            #expect(try prices(paul, harness).contains { $0.hasSuffix("BUTTER|250000|200000|true|2000|piece|EUR") })
            #expect(try prices(paul, harness).contains { $0.hasSuffix("DIESEL|155900|155900|false|25660|l|EUR") })
            #expect(!(try prices(paul, harness).contains { $0.contains("GUMMI") }))
            #expect(
                try harness.owner().query("SELECT count(*) FROM product WHERE name = 'RUNDUNG'").first(Int64.self) == 0)
            #expect(try await paul.get("/export.csv?quantities=1").text == export)
            // Neither household finds a new line in the file.
            for browser in [anna, paul] {
                let secondImport = try #require(try await browser.importFile(export).location)
                #expect(try await browser.get(secondImport).text.contains(" disabled"))
            }
        }
    }

    @Test(.database)
    func `a discount belongs to the item before it in the same purchase if only discounts are between them`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let table = """
                Name;Price;Category;Shop;Datum;Art
                Milch;2,00;;SPAR;2026-10-20;Artikel
                Minus;-0,50;;SPAR;2026-10-20;Rabatt
                Mehr;-0,25;;SPAR;2026-10-20;Rabatt
                Brot;3,00;;SPAR;2026-10-20;Artikel
                Pfand;0,25;;SPAR;2026-10-20;Pfand
                Fern;-0,50;;SPAR;2026-10-20;Rabatt
                Salz;1,00;;SPAR;2026-10-20;Artikel
                Anderswo;-0,50;;HOFER;2026-10-20;Rabatt
                Zucker;eins;;SPAR;2026-10-20;Artikel
                Zum Zucker;-0,50;;SPAR;2026-10-20;Rabatt
                Mehl;1,00;;SPAR;2026-10-20;
                Bon;-1,00;;SPAR;2026-10-20;
                """
            let file = try #require(try await anna.importFile(table).location)
            #expect(try await anna.get(file).text.contains("Erkannt: 11 von 12"))
            _ = try await anna.post("\(file)/confirmation")
            let linesWithItems = try harness.owner().query(
                """
                SELECT concat_ws(' ', l.kind, l.printed_name, b.printed_name) FROM receipt_line l
                LEFT JOIN receipt_line b ON b.id = l.bound_line_id WHERE l.kind <> 'item' ORDER BY l.printed_name
                """
            ).decode(String.self)
            #expect(
                linesWithItems == [
                    "discount Anderswo", "coupon Bon", "discount Fern", "discount Mehr Milch", "discount Minus Milch",
                    "deposit Pfand", "discount Zum Zucker",
                ])
            let wrongImport = try #require(
                try await anna.importFile(table + "\nX;1,00;;SPAR;2026-10-20;Unsinn").location)
            #expect(try await anna.get(wrongImport).text.contains("Die Art „Unsinn“ ist unbekannt"))
        }
    }

    @Test(.database) func `an import with quantities stores unit prices, and its export can be imported again`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let written = """
                Name;Price;Category;Shop;Datum;Menge;Einheit
                TEEBUTTER 250G;10,76;;SPAR;21.10.2026;4;Stk.
                BANANEN;1,08;;SPAR;21.10.2026;0,543;kg
                SEMMEL;0,45;;SPAR;21.10.2026;;
                SAFT;2,00;;SPAR;21.10.2026;nichts;l
                """
            let file = try #require(try await anna.importFile(written).location)
            let preview = try await anna.get(file)
            #expect(preview.text.contains("Erkannt: 3 von 4"))
            #expect(preview.text.contains("× 4 Stk.") && preview.text.contains("× 0,543 kg"))
            #expect(preview.text.contains("Die Menge „nichts l“ ist keine Zahl"))
            #expect(!preview.text.contains("Ohne Spalte Menge"))
            _ = try await anna.post("\(file)/confirmation")
            let prices = try harness.owner().query(
                "SELECT regular_thousandths / 1000 || ' ' || unit || ' ' || quantity_thousandths FROM price ORDER BY 1"
            ).decode(String.self)
            #expect(prices == ["198 kg 543", "269 piece 4000", "45 piece 1000"])
            let export = try await anna.get("/export.csv?quantities=1").text
            #expect(
                export.hasPrefix(
                    "\u{FEFF}Name;Preis;Kategorie;Geschäft;Datum;Menge;Einheit;Einzelpreis;Art;Währung;Beleg\r\n"))
            #expect(export.contains("TEEBUTTER 250G;10,76;;SPAR;21.10.2026;4;Stk.;2,69;Artikel;EUR;1\r\n"))
            #expect(export.contains("BANANEN;1,08;;SPAR;21.10.2026;0,543;kg;1,98895;Artikel;EUR;1\r\n"))
            let returnedPage = try await anna.get(try #require(try await anna.importFile(export).location))
            #expect(returnedPage.text.contains("Erkannt: 3 von 3") && returnedPage.text.contains("disabled"))
            let plain = try #require(try await anna.importFile("Name;Price;Datum\nMilch;1,79;21.10.2026").location)
            #expect(try await anna.get(plain).text.contains("Ohne Spalte Menge gilt jede Zeile als ein Stück"))
        }
    }

    // MARK: A household

    private static func receipt(_ lines: [Line], _ store: StoreID, _ day: LocalDate) -> NewReceipt {
        let ids = lines.map { _ in ReceiptLineID.new() }
        return NewReceipt(
            id: .new(), store: store, day: day, time: nil, totalMinor: lines.reduce(0) { $0 + $1.total },
            lines: lines.enumerated().map { index, line in
                NewLine(
                    id: ids[index], kind: line.kind, printedName: line.name,
                    aliasKey: AliasKey(printed: line.name)?.text ?? "",
                    quantity: Quantity(thousandths: line.quantity, unit: line.unit), unitPrice: line.unitPrice,
                    totalMinor: line.total, reducedLine: line.item.map { ids[$0] })
            })
    }

    /// Stores with their products. One purchase has no store.
    private struct Stores {
        private typealias Scene = ExportRoundTripTests

        let spar: StoreID
        let eni: StoreID
        let none: StoreID

        init(_ harness: AppHarness, _ browser: Browser) async throws {
            let names = Set(
                (Scene.shopping + Scene.secondPurchase + Scene.fuel + Scene.swiss).filter { $0.kind == .item }
                    .map(\.name))
            let dairy = try #require(
                try harness.owner().query(
                    "SELECT id FROM category WHERE household_id = \(browser.household) AND key = 'dairy'"
                ).first(CategoryID.self))
            var stores: [StoreID] = []
            for (chain, name) in [("spar", "SPAR"), ("eni", "ENI"), ("-", "–")] {
                let store = SyncScene.key(.store)
                try await SyncScene(harness, browser).edit(store) {
                    $0 = ["type": "store", "chain": .string(chain), "name": .string(name)]
                }
                stores.append(store.id.relabelled())
                let products = names.map { name in
                    NewProduct(id: .new(), chain: chain, name: name, category: name == "BUTTER" ? dairy : nil)
                }
                let aliases = products.map { product in
                    NewAlias(
                        chain: chain, key: AliasKey(printed: product.name)?.text ?? "", printedName: product.name,
                        product: product.id)
                }
                try await harness.database.write(browser.household, by: browser.person) { changes in
                    try await NewProducts.add(products, changes)
                    try await NewProducts.match(aliases, changes)
                }
            }
            (spar, eni, none) = (stores[0], stores[1], stores[2])
        }
    }

    // MARK: Comparison

    private func lines(_ browser: Browser, _ harness: AppHarness) throws -> [String] {
        try harness.owner().query(
            """
            SELECT concat_ws('|', r.purchase_day, s.name, s.chain, r.currency, r.total_minor, l.kind, l.printed_name,
                l.alias_key, l.quantity_thousandths, l.unit, coalesce(l.unit_price_thousandths, -1), l.total_minor,
                coalesce(bl.printed_name, '-'), coalesce(d.name, '-'), coalesce(d.category_id = l.category_id, false),
                coalesce(c.key, '-'))
            FROM receipt r JOIN store s ON s.id = r.store_id JOIN receipt_line l ON l.receipt_id = r.id
            LEFT JOIN product d ON d.id = l.product_id
            LEFT JOIN receipt_line bl ON bl.id = l.bound_line_id AND l.kind = 'discount'
            LEFT JOIN product bd ON bd.id = bl.product_id
            LEFT JOIN category c ON c.id = \(RollUps.category(browser.household))
            WHERE r.household_id = \(browser.household) ORDER BY 1
            """
        ).decode(String.self)
    }

    private func prices(_ browser: Browser, _ harness: AppHarness) throws -> [String] {
        try harness.owner().query(
            """
            SELECT concat_ws('|', p.day, s.name, d.name, p.regular_thousandths, p.paid_thousandths,
                CASE WHEN p.is_offer THEN 'true' ELSE 'false' END, p.quantity_thousandths, p.unit, p.currency)
            FROM price p JOIN store s ON s.id = p.store_id JOIN product d ON d.id = p.product_id
            WHERE p.household_id = \(browser.household) ORDER BY 1
            """
        ).decode(String.self)
    }

    private func spending(_ browser: Browser, _ harness: AppHarness) throws -> [String] {
        try harness.owner().query(
            """
            SELECT concat_ws('|', m.month, coalesce(c.key, '-'), m.amount_minor)
            FROM spending_month m LEFT JOIN category c ON c.id = m.category_id
            WHERE m.household_id = \(browser.household) ORDER BY 1
            """
        ).decode(String.self)
    }
}
