import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Bank files: the expenses they create, repeated imports, formats and accounts.
@Suite(.timeLimit(.minutes(5))) struct BankTests: BankSuite {
    @Test(.database) func `importing a file again, or an overlapping file, adds no expense twice`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let first = file(
                "02.11.2026;02.11.2026;Netflix;Lastschrift;Abo;-12,99;EUR", "03.11.2026;;Bäckerei;Karte;;-3,20;EUR",
                "03.11.2026;;Bäckerei;Karte;;-3,20;EUR", "03.11.2026;;Bank;Information;Kontoabschluss;0,00;EUR",
                "04.11.2026;;Arbeit GmbH;Gehalt;Lohn;2.000,00;EUR")
            let preview = try #require(try await upload(first, anna).location)
            let page = try await anna.get(preview)
            #expect(
                page.status == .ok && page.text.contains("Umsätze zum Importieren: 4")
                    && page.text.contains("Netflix"))
            // The file has three payments and one amount that was received.
            #expect(page.text.matches(of: #/>neue Ausgabe</#).count == 3)
            #expect(page.text.matches(of: #/>neue Einnahme</#).count == 1)
            #expect(page.text.contains("mit dem Betrag 0, Zeilen: 5"))
            #expect(try count(owner) == 0)
            #expect(try await anna.post("\(preview)/confirmation").location == "/bank-files")
            #expect(try await anna.get("/bank-files").text.contains("neue Ausgaben und Einnahmen: 4"))
            let kinds = try owner.query("SELECT kind, source, paid_by = person_id FROM expense ORDER BY day, id")
                .decode((String, String, Bool).self)
            #expect(kinds.map(\.0) == ["expense", "expense", "expense", "income"])
            #expect(kinds.allSatisfy { $0.1 == "bank" && $0.2 })
            let category = try owner.query(
                "SELECT c.key FROM expense e JOIN category c ON c.id = e.category_id WHERE e.payee = 'Netflix'")
            #expect(try category.first(String.self) == "subscriptions")
            #expect(try await anna.post("\(preview)/confirmation").location == "/bank-files")
            #expect(try await anna.get(preview).location == "/bank-files")
            // Import the same file again, and then a file that overlaps with it.
            let secondImport = try #require(try await upload(first, anna).location)
            #expect(
                try await anna.get(secondImport).text.contains("Schon importiert und deshalb ausgelassen: 4"))
            _ = try await anna.post("\(secondImport)/confirmation")
            #expect(try count(owner) == 4)
            let longer = try #require(
                try await upload(
                    file(
                        "03.11.2026;;Bäckerei;Karte;;-3,20;EUR", "03.11.2026;;Bäckerei;Karte;;-3,20;EUR",
                        "03.11.2026;;Bäckerei;Karte;;-3,20;EUR"), anna
                ).location)
            _ = try await anna.post("\(longer)/confirmation")
            #expect(try count(owner) == 5)
            let sums = try owner.query("SELECT sum(amount_minor)::bigint FROM expense_day WHERE flow = 'spending'")
            #expect(try sums.first(Int64.self) == 1_299 + 3 * 320)
        }
    }

    @Test(.database) func `equal bookings of two accounts are both imported, also from files in different formats`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            func confirm(_ text: String, account: String = "") async throws {
                let preview = try #require(try await upload(text, anna, account: account).location)
                let page = try await anna.get(preview).text
                _ = try await anna.post("\(preview)/confirmation", pairs: links(page))
            }
            let fee = file("02.11.2026;;Bank;Entgelt;Kontoführung;-5,00;EUR")
            try await confirm(fee, account: "Giro")
            #expect(try await anna.get("/bank-files").text.contains("<option value=\"Giro\">"))
            // Imports the booking again with the name of its account, and without a name.
            for account in ["giro ", ""] { try await confirm(fee, account: account) }
            #expect(try count(owner) == 1)
            try await confirm(fee, account: "Haushalt")
            #expect(try count(owner) == 2)
            let long = try await upload(fee, anna, account: String(repeating: "口", count: 100))
            #expect(long.status == .seeOther)
            // A CAMT file and an MT940 file have the same payment from a third account. Another MT940 file has an equal
            // payment from a fourth account.
            let camt = """
                <Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct><Ntry>
                <Amt Ccy="EUR">7.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-05</Dt></BookgDt>
                <NtryDtls><TxDtls><RltdPties><Cdtr><Nm>Pizzeria Roma</Nm></Cdtr></RltdPties></TxDtls></NtryDtls>
                </Ntry></Stmt></BkToCstmrStmt></Document>
                """
            func mt940(_ account: String) -> String {
                """
                :20:STARTUMS
                :25:\(account)
                :28C:00001/001
                :60F:C261101EUR1234,56
                :61:2611051105DR7,00NMSCNONREF
                :86:105?00KARTE?20Karte?32PIZZERIA ROMA
                :62F:C261106EUR1159,56
                """
            }
            try await confirm(camt)
            #expect(try count(owner) == 3)
            try await confirm(mt940("12030000/0000202052"))
            #expect(try count(owner) == 4)
            try await confirm(mt940("12030000/0000202051"))
            #expect(try count(owner) == 4)
        }
    }

    @Test(.database, arguments: ["", "Kreditkarte"])
    func `an equal booking of an unknown account is imported if a person chooses it`(account: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let fee = file("02.11.2026;;Bank;Entgelt;Kontoführung;-5,00;EUR")
            let first = try #require(try await upload(fee, anna).location)
            _ = try await anna.post("\(first)/confirmation")
            let second = try #require(try await upload(fee, anna, account: account).location)
            let page = try await anna.get(second).text
            #expect(page.contains("vielleicht schon importiert") && page.contains("name=\"row-0\""))
            _ = try await anna.post("\(second)/confirmation", ["row-0": "make"])
            #expect(try count(owner) == 2)
            let sums = try owner.query("SELECT sum(amount_minor)::bigint FROM expense_day WHERE flow = 'spending'")
            #expect(try sums.first(Int64.self) == 1_000)
            // Without a person's decision, both bookings count as already imported.
            for name in ["", account] {
                let secondImport = try #require(try await upload(fee, anna, account: name).location)
                _ = try await anna.post("\(secondImport)/confirmation")
            }
            #expect(try count(owner) == 2)
        }
    }

    @Test(.database)
    func `a second equal booking of an unknown account counts as imported after the first one is undone`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let fee = file("02.11.2026;;Bank;Entgelt;Kontoführung;-5,00;EUR")
            let first = try #require(try await upload(fee, anna).location)
            _ = try await anna.post("\(first)/confirmation")
            let second = try #require(try await upload(fee, anna).location)
            _ = try await anna.post("\(second)/confirmation", ["row-0": "make"])
            _ = try await anna.post("\(first)/removal")
            #expect(try count(owner) == 1)
            // The remaining booking may be from any account, even from the account that the person names.
            let namedImport = try #require(try await upload(fee, anna, account: "Giro").location)
            #expect(try await anna.get(namedImport).text.contains("vielleicht schon importiert"))
            _ = try await anna.post("\(namedImport)/confirmation")
            #expect(try count(owner) == 1)
        }
    }

    @Test(.database) func `a booking of a known account cannot be imported twice`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let fee = file("02.11.2026;;Bank;Entgelt;Kontoführung;-5,00;EUR")
            for _ in 0..<2 {
                let preview = try #require(try await upload(fee, anna, account: "Giro").location)
                #expect(try await !anna.get(preview).text.contains("vielleicht schon importiert"))
                _ = try await anna.post("\(preview)/confirmation", ["row-0": "make"])
            }
            #expect(try count(owner) == 1)
        }
    }

    @Test(.database) func `bookings that were stored without their account still count as imported`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let text = """
                Auftragskonto;Buchungstag;Beguenstigter/Zahlungspflichtiger;Verwendungszweck;Betrag;Waehrung
                DE02120300000000202051;05.11.2026;Kino;Karte;-9,00;EUR
                """
            let preview = try #require(try await upload(text, anna).location)
            _ = try await anna.post("\(preview)/confirmation")
            let statement = try BankFile.read(text, home: .eur)
            // The row as earlier versions stored it.
            let earlierDigest = BankImports.digest(
                try #require(BankBooking.numbered(statement.bookings).first).identity)
            try owner.query("UPDATE bank_booking SET account = '', source_key = \(earlierDigest)")
            let secondImport = try #require(try await upload(text, anna).location)
            #expect(
                try await anna.get(secondImport).text.contains("Schon importiert und deshalb ausgelassen: 1"))
        }
    }

    @Test(.database) func `bookings of files in Windows-1252 that an earlier version stored still count as imported`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            // An earlier version decoded the bytes of Š and Ž as U+008A and U+008E.
            let bytes = file("02.11.2026;;Škoda;Karte;Žito;-9,00;EUR").unicodeScalars.map { scalar -> UInt8 in
                scalar == "Š" ? 0x8A : scalar == "Ž" ? 0x8E : UInt8(scalar.value)
            }
            func preview() async throws -> String {
                let answer = try await anna.upload(
                    "/bank-files", field: "file", fileName: "konto.csv", type: "text/csv", bytes)
                return try #require(answer.location)
            }
            let first = try await preview()
            #expect(try await anna.get(first).text.contains("Škoda"))
            _ = try await anna.post("\(first)/confirmation")
            let booking = try owner.query("SELECT payee, purpose FROM bank_booking").first((String, String).self)
            let (payee, purpose) = try #require(booking)
            let earlierBooking = BankBooking(
                day: try #require(LocalDate(parsing: "2026-11-02")), amount: Amount(minorUnits: -900, currency: .eur),
                payee: payee.replacing("Š", with: "\u{8A}"), purpose: purpose.replacing("Ž", with: "\u{8E}"))
            let key = BankImports.digest(try #require(BankBooking.numbered([earlierBooking]).first).identity)
            try owner.query("UPDATE bank_booking SET source_key = \(key)")
            #expect(
                try await anna.get(try await preview()).text.contains(
                    "Schon importiert und deshalb ausgelassen: 1"))
        }
    }

    @Test(.database) func `a rule with a limit applies to a booking in another currency`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            _ = try await anna.post("/expenses/rates", ["currency": "PLN", "day": "2026-11-02", "rate": "4"])
            for most in ["4", "5"] {
                _ = try await anna.post(
                    "/rules", ["contains": "kino", "most": most, "labels": "bis \(most)", "action": "save"])
            }
            // 19.00 złoty are 4.75 euros.
            let preview = try #require(try await upload(file("03.11.2026;;Kino;Karte;;-19,00;PLN"), anna).location)
            _ = try await anna.post("\(preview)/confirmation")
            #expect(try owner.query("SELECT labels FROM expense").decode([String].self) == [["bis 5"]])
        }
    }

    @Test(.database)
    func `the columns of an unknown format are chosen once, and used for later files of the same format`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let first = try #require(try await upload("Wann;Wo;Wieviel\n03.11.2026;Kino;-9,00\n", anna).location)
            #expect(try await anna.get(first).location == "\(first)/columns")
            let page = try await anna.get("\(first)/columns").text
            #expect(page.contains("Wieviel") && page.contains("03.11.2026"))
            let half = try await anna.post("\(first)/columns", ["column-0": "day", "column-1": "payee"])
            #expect(half.status == .unprocessableContent && half.text.contains("eine für den Betrag"))
            let whole = try await anna.post(
                "\(first)/columns", ["column-0": "day", "column-1": "payee", "column-2": "amount"])
            #expect(whole.location == first)
            #expect(try await anna.get(first).text.contains("Kino"))
            let second = try #require(try await upload("Wann;Wo;Wieviel\n04.11.2026;Theater;-20,00\n", anna).location)
            #expect(try await anna.get(second).text.contains("Theater"))
        }
    }

    @Test(
        .database,
        arguments: [
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "eigene Entitäten"), ("<a><b></a>", "Ab Zeile 1"),
            (":20:X\n:60F:C26", "in Zeile 2"), ("hallo", "keinen Umsatz"),
            ("Datum;Betrag\n\"x;1\n", "Anführungszeichen"),
            ("a\u{0}b", "als CSV, CAMT.053"), ("<a/>", "als CSV, CAMT.053"),
        ])
    func `a hostile or unknown file is refused with the reason`(text: String, reason: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await upload(text, anna)
            #expect(answer.status == .unprocessableContent && answer.text.contains(reason))
            let keptCount = try harness.owner().query("SELECT count(*) FROM bank_import").first(Int64.self)
            #expect(keptCount == 0)
        }
    }

    @Test(.database) func `a file is visible to its uploader only, and a personal file creates personal expenses`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let preview = try #require(
                try await upload(file("02.11.2026;;Juwelier;Karte;;-200,00;EUR"), anna, personal: true).location)
            #expect(try await paul.get(preview).status == .notFound)
            #expect(try await paul.post("\(preview)/confirmation").status == .notFound)
            _ = try await anna.post("\(preview)/confirmation")
            #expect(try await anna.get("/expenses/list?month=2026-11").text.contains("Juwelier"))
            #expect(try await !paul.get("/expenses/list?month=2026-11").text.contains("Juwelier"))
            #expect(try await paul.post("\(preview)/removal").status == .notFound)
            #expect(try await !paul.get("/bank-files").text.contains("konto.csv"))
        }
    }
}
