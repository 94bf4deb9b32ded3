import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct CSVTests {
    let today = LocalDate(parsing: "21.11.2026") ?? .latest

    @Test(
        "reads rows in the forms that spreadsheets write",
        arguments: [
            ("a;b\nc;d", [["a", "b"], ["c", "d"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            ("\u{FEFF}a;b\rc;d\r\r", [["a", "b"], ["c", "d"]]), ("a\tb", [["a", "b"]]),
            ("\"a;1\";\"say \"\"hi\"\"\"\n", [["a;1", "say \"hi\""]]), ("\"two\nlines\";x", [["two\nlines", "x"]]),
            ("a;;\n;;", [["a", "", ""], ["", "", ""]]), ("", []), ("\n\n", []), ("1,5;2,5", [["1,5", "2,5"]]),
            ("ä;ß", [["ä", "ß"]]), ("\"a\" b;c\nd;e", [["\"a\" b", "c"], ["d", "e"]]),
            ("sep=;\r\na,1;b", [["a,1", "b"]]), ("\u{FEFF}SEP=\t\na;1\tb", [["a;1", "b"]]), ("sep=,", []),
            ("sep=;x\na", [["sep=", "x"], ["a"]]),
        ] as [(String, [[String]])])
    func reads(text: String, expected: [[String]]) throws {
        #expect(try CSVReader.rows(of: text).map(\.fields) == expected)
    }

    @Test(
        "refuses malformed and oversized tables, and names the line",
        arguments: [
            ("a;b\n\"open", .badQuote(line: 2)),
            (String(repeating: ";", count: 100), .tooLarge(line: 1)),
            ("x\n" + String(repeating: "y", count: 5_000), .tooLarge(line: 2)),
        ] as [(String, CSVReader.Failure)])
    func refuses(text: String, failure: CSVReader.Failure) {
        #expect(throws: failure) { try CSVReader.rows(of: text) }
    }

    @Test func `refuses a table with too many rows`() {
        #expect(throws: CSVReader.Failure.tooLarge(line: 50_001)) {
            try CSVReader.rows(of: String(repeating: "a\n", count: 60_000))
        }
    }

    @Test(
        "escapes formulas but not numbers",
        arguments: [
            ("=HYPERLINK(\"http://x\",\"y\")", "'=HYPERLINK(\"http://x\",\"y\")"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-1+1", "'-1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"), ("\rx", "'\rx"), ("-1,50", "-1,50"),
            ("+3", "+3"),
            ("Milch", "Milch"), ("", ""), ("＝1", "'＝1"), ("-", "'-"),
        ])
    func harmless(field: String, expected: String) {
        #expect(CSVWriter.harmless(field) == expected)
    }

    @Test func `counts the separator line in line numbers`() throws {
        #expect(try CSVReader.rows(of: "sep=;\r\na;b\r\nc;d").map(\.line) == [2, 3])
    }

    @Test func `quotes fields where needed`() {
        var writer = CSVWriter(withByteOrderMark: false)
        writer.append(["a;b", "say \"hi\"", "x\ny", "plain", "=1"])
        #expect(writer.text == "\"a;b\";\"say \"\"hi\"\"\";\"x\ny\";plain;\"'=1\"\r\n")
    }

    @Test(
        "reports the problem of each row of an import",
        arguments: [
            ("Milch;1,29;Molkerei;Billa;21.11.2026", nil), ("Milch;1.29;;;2026-11-21", nil),
            ("Milch;-1,29;;;5.9.15", nil), ("Milch;€ 1.234,56;a;b;2026-11-21T10:00:00", nil),
            (";1,29;;;21.11.2026", .missingName), ("Milch;;;;21.11.2026", .missingPrice),
            ("Milch;viel;;;21.11.2026", .badPrice(.malformed)), ("Milch;1.234;;;21.11.2026", .badPrice(.ambiguous)),
            ("Milch;1e300;;;21.11.2026", .badPrice(.malformed)), ("Milch;1,29;;;", .missingDay),
            ("Milch;1,29;;;31.02.2026", .badDay), ("Milch;1,29;;;22.11.2027", .futureDay),
            ("Milch;1,29;;;22.11.2026", .futureDay), ("Milch;1,29;;;2026-11-22T00:10:00", .futureDay),
            ("Milch;1,29;;;1.1.1999", .implausibleDay), ("Milch;1,29", .fieldCount),
            ("\"TK\" Pizza;2,99;;;21.11.2026", .strayQuote), ("Milch \"frisch\";1,29;;;21.11.2026", nil),
            ("Milch;1,29;a;b;21.11.2026;;", nil), ("Milch;1,29;a;b;21.11.2026;more", .fieldCount),
        ] as [(String, LineItemTable.Problem?)])
    func verdicts(row: String, problem: LineItemTable.Problem?) throws {
        let rows = try LineItemTable(reading: "Name;Price;Category;Shop;Datum\n" + row, asOf: today).rows
        #expect(rows.map(\.line) == [2])
        switch try #require(rows.first).verdict {
        case .success: #expect(problem == nil)
        case .failure(let found): #expect(found == problem)
        }
    }

    @Test func `finds columns by their headings in any order`() throws {
        let rows = try LineItemTable(
            reading: "\u{FEFF}Datum,Geschäft,Artikel,Preis\n2026-01-02,Spar,\"Käse, jung\",2.50\n", asOf: today
        ).rows
        let record = try #require(try rows.first?.verdict.get())
        #expect(record.name == "Käse, jung")
        #expect(record.price.minorUnits == 250)
        #expect(record.store == "Spar")
        #expect(record.category == nil)
        #expect(record.day.iso == "2026-01-02")
        let withoutHeadings = try LineItemTable(reading: "Brot;2,50;Brot;Spar;2026-01-02", asOf: today).rows
        #expect(try withoutHeadings.first?.verdict.get().name == "Brot")
    }

    @Test(
        "reads dates with slashes in the order of the file's other dates",
        arguments: [
            (["01/05/2026", "13/05/2026"], .dayFirst, "2026-05-01"),
            (["01/05/2026", "05/13/2026"], .monthFirst, "2026-01-05"),
            (["01/05/2026", "5/13/26 10:00"], .monthFirst, "2026-01-05"),
            (["01/05/2026", "02/06/2026"], .undecided, "2026-05-01"),
            // If a file has both orders, all dates are read with the day first, and impossible dates are reported.
            (["01/05/2026", "05/13/2026", "13/05/2026"], .dayFirst, "2026-05-01"),
            (["01.05.2026", "2026-05-13"], nil, "2026-05-01"),
            (["01/05/2026", "1/2/3/4", "a/b/c", "/13/2026"], .undecided, "2026-05-01"),
        ] as [([String], SlashDates?, String)])
    func slashes(days: [String], order: SlashDates?, first: String) throws {
        let text = "Name;Price;Datum\n" + days.map { "Milch;1,00;\($0)\n" }.joined()
        let table = try LineItemTable(reading: text, asOf: today)
        #expect(table.slashDates == order)
        #expect(try table.rows[0].verdict.get().day.iso == first)
        #expect(table.rows[0].field(.day) == days[0] && table.rows[0].field(.store).isEmpty)
    }

    @Test func `refuses a table without the required columns`() {
        #expect(throws: LineItemTable.Failure.missingColumns([.day])) {
            try LineItemTable(reading: "Name;Price\nMilch;1,29", asOf: today)
        }
        for text in ["", "\n\n", "Name;Price;Category;Shop;Datum\n"] {
            #expect(throws: LineItemTable.Failure.empty) { try LineItemTable(reading: text, asOf: today) }
        }
        #expect(throws: LineItemTable.Failure.missingColumns([.name, .price, .day])) {
            try LineItemTable(reading: "foo;bar\n1;2", asOf: today)
        }
    }

    @Test(arguments: Language.allCases)
    func `imports its own export`(language: Language) throws {
        let records = [
            LineItemRecord(
                name: "=Böse; \"Milch\"", price: Money(minorUnits: -123_456), category: "-1+1", store: nil,
                day: LocalDate.firstPurchaseDay),
            LineItemRecord(name: "Käse", price: Money(minorUnits: 5), category: nil, store: "Spar", day: today),
        ]
        let text = LineItemTable.write(records, language: language)
        let rows = try LineItemTable(reading: text, asOf: today).rows
        #expect(try rows.map { try $0.verdict.get() } == records)
    }

    @Test(arguments: Language.allCases)
    func `exports quantities on request`(language: Language) throws {
        let amounts: [Quantity] = [
            .one, .pieces(12), Quantity(thousandths: 543, unit: .kilogram), Quantity(thousandths: 1_500, unit: .litre),
        ]
        let records = amounts.map {
            LineItemRecord(
                name: "Ware", price: Money(minorUnits: 199), quantity: $0, category: nil, store: nil, day: today)
        }
        let table = try LineItemTable(
            reading: LineItemTable.write(records, language: language, isWhole: true), asOf: today)
        #expect(table.hasQuantities)
        #expect(try table.rows.map { try $0.verdict.get() } == records)
        #expect(try !LineItemTable(reading: LineItemTable.write(records), asOf: today).hasQuantities)
    }

    @Test(arguments: Language.allCases)
    func `exports and imports kind, currency, unit price and receipt`(language: Language) throws {
        let kinds =
            LineKind.allCases.map { LineItemRecord.Kind($0, reducesPrecedingItem: true) } + [
                LineItemRecord.Kind(.discount)
            ]
        let amounts: [Quantity] = [
            .one, .pieces(0), Quantity(thousandths: -1_000, unit: .piece), Quantity(thousandths: 1_234, unit: .piece),
            Quantity(thousandths: 25_660, unit: .litre),
        ]
        let records = kinds.flatMap { kind in
            amounts.enumerated().map { index, amount in
                LineItemRecord(
                    name: "Ware", price: Money(minorUnits: 4_000, currency: index == 0 ? .chf : .eur),
                    quantity: amount,
                    unitPrice: index == 1
                        ? nil
                        : UnitPrice(
                            thousandthsOfMinor: 155_900, currency: index == 0 ? .chf : .eur, per: amount.unit),
                    category: nil, store: nil, day: today, kind: kind, receipt: String(index))
            }
        }
        let text = LineItemTable.write(records, language: language, isWhole: true)
        // Headings and kinds are in the language of the export.
        let heading =
            language == .german
            ? "Name;Preis;Kategorie;Geschäft;Datum;Menge;Einheit;Einzelpreis;Art;Währung;Beleg\r\n"
            : "Name;Price;Category;Store;Date;Quantity;Unit;Unit price;Type;Currency;Receipt\r\n"
        #expect(text.dropFirst().hasPrefix(heading))
        #expect(text.contains(language == .german ? ";1,559;Artikel;EUR;4\r\n" : ";1.559;Item;EUR;4\r\n"))
        let table = try LineItemTable(reading: text, asOf: today)
        #expect(table.hasKinds)
        #expect(try table.rows.map { try $0.verdict.get() } == records)
    }

    @Test func `ignores a column named Art unless most of its values are kinds of lines`() throws {
        func problem(_ row: String, _ others: String) throws -> LineItemTable.Problem? {
            let text = "Name;Preis;Datum;Menge;Einzelpreis;Art;Währung\n\(row)\n\(others)"
            let table = try LineItemTable(reading: text, asOf: today)
            guard case .failure(let problem)? = table.rows.first?.verdict else { return nil }
            return problem
        }
        let (knownKind, unknownKind) = ("Käse;1,00;2026-01-02;1;;artikel;€", "Käse;1,00;2026-01-02;1;;Lebensmittel;")
        #expect(try problem("Milch;1,00;2026-01-02;1;?;Getränk;CHF", unknownKind) == nil)
        #expect(try problem("Milch;1,00;2026-01-02;0;;Getränk;", unknownKind) == .badQuantity)
        #expect(try problem("Milch;1,00;2026-01-02;0;;RABATT OHNE ARTIKEL;chf", unknownKind) == nil)
        #expect(try problem("Milch;1,00;2026-01-02;0;;;", knownKind) == nil)
        #expect(try problem("Milch;1,00;2026-01-02;1;;Getränk;EUR", knownKind) == .badKind)
        #expect(try problem("Milch;1,00;2026-01-02;1;;Artikel;JPY", knownKind) == .badCurrency)
        #expect(try problem("Milch;1,00;2026-01-02;1;?;Artikel;EUR", knownKind) == .badUnitPrice)
        #expect(try problem("Milch;1,00 €;2026-01-02;1;;Artikel;CHF", knownKind) == .badPrice(.mismatch))
        // The column is ignored if most of its values are unknown.
        #expect(try problem("Apfel;1,00;2026-01-02;1;;Obst;", "Birne;2,00;2026-01-02;1;;Obst;\n\(knownKind)") == nil)
    }

    @Test(
        arguments: [
            ("2;", Quantity.pieces(2)), (";", .one), ("0,5;kg", Quantity(thousandths: 500, unit: .kilogram)),
            ("250;g", Quantity(thousandths: 250_000, unit: .gram)), ("0;Stk.", nil), ("-1;", nil),
            ("2;Kisten", .pieces(2)), ("", .one), ("20;dag", Quantity(thousandths: 200_000, unit: .gram)),
            ("2,5;DL", Quantity(thousandths: 25_000, unit: .centilitre)),
            ("0,5;hl", .init(thousandths: 50_000, unit: .litre)),
            ("1;Pfund", Quantity(thousandths: 500_000, unit: .gram)), ("1500;hl", nil), ("900000;Pfund", nil),
            ("1.000;", nil), ("zwei;", nil), ("999999;kg", nil),
        ] as [(String, Quantity?)])
    func `reads or refuses the quantities of a table`(written: String, quantity: Quantity?) throws {
        let row = try #require(
            try LineItemTable(
                reading: "Name;Preis;Datum;Menge;Einheit\nMilch;1,29;2026-01-02;" + written, asOf: today
            ).rows.first)
        if let quantity {
            #expect(try row.verdict.get().quantity == quantity)
        } else {
            #expect(throws: LineItemTable.Problem.badQuantity) { try row.verdict.get() }
        }
    }
}
