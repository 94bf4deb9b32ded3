import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Bookings of bank files that are linked to existing expenses and receipts, and the undo of imports.
@Suite(.timeLimit(.minutes(5))) struct BankLinkTests: BankSuite {
    @Test(.database) func `the preview names the kind of each new booking`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let rows = file(
                "02.11.2026;;Bäckerei;Karte;;-3,20;EUR", "03.11.2026;;Bankomat 1010 Wien;Karte;Behebung;-100,00;EUR",
                "04.11.2026;;Netflix;Gutschrift;Abo;12,99;EUR", "05.11.2026;;Arbeit GmbH;Gehalt;Lohn;2.000,00;EUR")
            let preview = try #require(try await upload(rows, anna).location)
            let page = try await anna.get(preview).text
            for choice in ["neue Ausgabe", "als Bargeld", "neue Erstattung", "neue Einnahme"] {
                #expect(page.matches(of: try Regex(">\(choice)<")).count == 1, "\(choice)")
            }
        }
    }

    @Test(.database) func `confirming links bookings to existing expenses and receipts, and undo removes the links`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await anna.importTable([("Milch", "12,50", "2026-11-03", "BILLA")])
            let typed = try await anna.expense("75", "Pizzeria Roma", [("day", "2026-11-05")])
            let text = file(
                "04.11.2026;;BILLA DANKT 1020 WIEN;Karte;;-12,50;EUR", "05.11.2026;;PIZZERIA ROMA;Karte;;-75,00;EUR",
                "05.11.2026;;Trafik;Karte;;-75,00;EUR")
            let preview = try #require(try await upload(text, anna).location)
            let page = try await anna.get(preview).text
            #expect(page.contains("Schon vorhanden") && page.contains("/expenses/\(typed)"))
            _ = try await anna.post("\(preview)/confirmation", pairs: links(page))
            // Only the third booking is new.
            #expect(try count(owner, "receipt_id IS NULL AND discarded_at IS NULL") == 2)
            #expect(
                try owner.query("SELECT paid_on::text FROM expense WHERE id = \(typed)").first(String.self)
                    == "2026-11-05")
            let joinedCounts = try owner.query(
                "SELECT count(*) FILTER (WHERE receipt_id IS NOT NULL), count(*) FILTER (WHERE NOT is_made) FROM bank_booking"
            )
            let counts = try #require(try joinedCounts.first((Int64, Int64).self))
            #expect(counts.0 == 1 && counts.1 == 2)
            // A later booking with the same amount is another purchase.
            let next = try #require(
                try await upload(file("06.11.2026;;PIZZERIA ROMA;Karte;;-75,00;EUR"), anna).location)
            #expect(try await !anna.get(next).text.contains("/expenses/\(typed)"))
            _ = try await anna.post("\(next)/discard")
            #expect(try await anna.post("\(preview)/removal").location == "/bank-files")
            #expect(try await anna.get("/bank-files").text.contains("rückgängig gemacht"))
            #expect(try await anna.post("\(preview)/removal").location == "/bank-files")
            #expect(try count(owner, "receipt_id IS NULL AND discarded_at IS NULL") == 1)
            #expect(try owner.query("SELECT count(*) FROM expense WHERE paid_on IS NOT NULL").first(Int64.self) == 0)
            #expect(try owner.query("SELECT count(*) FROM bank_booking").first(Int64.self) == 0)
            // After undoing the import, everything can be imported again.
            let second = try #require(try await upload(text, anna).location)
            #expect(try await anna.get(second).text.contains("Umsätze zum Importieren: 3"))
        }
    }

    @Test(.database) func `a booking that was not shown is linked only by the next import`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let typed = try await anna.expense("75", "Pizzeria Roma", [("day", "2026-11-05")])
            let text = file("05.11.2026;;PIZZERIA ROMA;Karte;;-75,00;EUR", "06.11.2026;;Kino;Karte;;-9,00;EUR")
            let preview = try #require(try await upload(text, anna).location)
            // As if the page had shown only the second booking.
            _ = try await anna.post("\(preview)/confirmation", ["row-1": "make"])
            #expect(try count(owner) == 2)
            #expect(try count(owner, "paid_on IS NOT NULL") == 0)
            let next = try #require(try await upload(text, anna).location)
            let page = try await anna.get(next).text
            #expect(page.contains("/expenses/\(typed)") && page.contains("Umsätze zum Importieren: 1"))
            _ = try await anna.post("\(next)/confirmation", pairs: links(page))
            #expect(try count(owner) == 2)
            #expect(try count(owner, "paid_on IS NOT NULL") == 1)
        }
    }

    @Test(.database)
    func `a person's decisions override the defaults, and an expense in another currency gets the bank's amount`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let abroad = try await anna.expense("5", "Blue Bottle", [("day", "2026-11-03"), ("currency", "USD")])
            let text = """
                Booking Date,Partner Name,Amount (EUR),Original Amount,Original Currency
                2026-11-04,Blue Bottle,-4.62,5.00,USD
                2026-11-04,Kino,-9.00,,
                """
            let preview = try #require(try await upload(text, anna).location)
            // A booking is linked only to the expense that the page showed.
            let otherAnswer = try await anna.post(
                "\(preview)/confirmation", ["row-0": "join", "match-0": "\(ExpenseID.new())", "row-1": "skip"])
            #expect(otherAnswer.location == preview)
            #expect(try await anna.get(preview).text.contains("name=\"match-0\" value=\"\(abroad)\""))
            let answer = try await anna.post(
                "\(preview)/confirmation", ["row-0": "join", "match-0": "\(abroad)", "row-1": "skip"])
            #expect(answer.location == "/bank-files")
            #expect(try count(owner) == 1)
            let stated = try owner.query("SELECT stated_minor, stated_currency FROM expense WHERE id = \(abroad)")
            let row = try #require(try stated.first((Int64, String).self))
            #expect(row.0 == 462 && row.1 == "EUR")
            #expect(try owner.query("SELECT sum(amount_minor)::bigint FROM expense_day").first(Int64.self) == 462)
            _ = try await anna.post("\(preview)/removal")
            #expect(try owner.query("SELECT count(*) FROM expense WHERE stated_minor IS NULL").first(Int64.self) == 1)
            #expect(try owner.query("SELECT count(*) FROM expense_day").first(Int64.self) == 0)
        }
    }

    @Test(.database) func `undoing an import keeps later changes, and the payment date from another file`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let abroad = try await anna.expense("5", "Blue Bottle", [("day", "2026-11-03"), ("currency", "USD")])
            let home = try await anna.expense("75", "Pizzeria Roma", [("day", "2026-11-05")])
            let table = """
                Booking Date,Partner Name,Amount (EUR),Original Amount,Original Currency
                2026-11-04,Blue Bottle,-4.62,5.00,USD
                2026-11-06,PIZZERIA ROMA,-75.00,,
                """
            let first = try #require(try await upload(table, anna).location)
            _ = try await anna.post(
                "\(first)/confirmation",
                ["row-0": "join", "match-0": "\(abroad)", "row-1": "join", "match-1": "\(home)"])
            let mt940 = """
                :20:STARTUMS
                :25:12030000/0000202051
                :28C:00001/001
                :60F:C261101EUR1234,56
                :61:2611051105DR75,00NMSCNONREF
                :86:105?00KARTE?20Karte?32PIZZERIA ROMA
                :62F:C261106EUR1159,56
                """
            let second = try #require(try await upload(mt940, anna).location)
            #expect(try await anna.get(second).text.contains("/expenses/\(home)"))
            _ = try await anna.post("\(second)/confirmation", ["row-0": "join", "match-0": "\(home)"])
            try owner.query("UPDATE expense SET stated_minor = 480 WHERE id = \(abroad)")
            func paidOn() throws -> String? {
                try owner.query("SELECT paid_on::text FROM expense WHERE id = \(home)").first(String?.self) ?? nil
            }
            #expect(try paidOn() == "2026-11-05")
            _ = try await anna.post("\(second)/removal")
            #expect(try paidOn() == "2026-11-06")
            _ = try await anna.post("\(first)/removal")
            #expect(try paidOn() == nil)
            let stated = try owner.query("SELECT stated_minor FROM expense WHERE id = \(abroad)").first(Int64.self)
            #expect(stated == 480)
        }
    }

    @Test(.database) func `no booking is linked to a receipt that was discarded after the preview`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            try await anna.importTable([("Milch", "12,50", "2026-11-03", "BILLA")])
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let (database, slowWork) = (harness.database, harness.app.slowWork)
            let imports = BankImports(database: database, slowWork: slowWork)
            let text = file("04.11.2026;;BILLA DANKT;Karte;;-12,50;EUR")
            let id = try await imports.store(Array(text.utf8), name: "", isPersonal: false, member)
            let storedImport = try #require(try await imports.find(id, member))
            let preview = try await BankPreview.make(storedImport, member, database, slowWork)
            #expect(preview.rows.map(\.match?.candidate.isReceipt) == [true])
            let receipt = try owner.query("SELECT id, revision FROM receipt").first((ReceiptID, Int64).self)
            let (receiptID, revision) = try #require(receipt)
            _ = try await anna.post("/receipts/\(receiptID)/discard", ["revision": "\(revision)"])
            let suggestions = try await ExpenseSuggestions.load(member, database)
            await #expect(throws: BankConfirmation.StalePreview.self) {
                _ = try await BankConfirmation(database: database).confirm(
                    id, isPersonal: false, preview, [0: .link], suggestions, unnamed: "", by: member)
            }
            #expect(try owner.query("SELECT 1 FROM bank_booking").isEmpty)
        }
    }

    @Test(.database) func `undoing an import keeps an expense that another import has linked`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let first = try #require(
                try await upload(
                    file("05.11.2026;;PIZZERIA ROMA;Karte;;-75,00;EUR", "06.11.2026;;Kino;Karte;;-9,00;EUR"), anna
                ).location)
            _ = try await anna.post("\(first)/confirmation")
            // A file of the same account in another format contains only one of the bookings.
            let camt = """
                <Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>AT611904300234573201</IBAN></Id></Acct><Ntry>
                <Amt Ccy="EUR">75.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-05</Dt></BookgDt>
                <NtryDtls><TxDtls><RltdPties><Cdtr><Nm>Pizzeria Roma</Nm></Cdtr></RltdPties></TxDtls></NtryDtls>
                </Ntry></Stmt></BkToCstmrStmt></Document>
                """
            let second = try #require(try await upload(camt, anna).location)
            _ = try await anna.post("\(second)/confirmation", pairs: links(try await anna.get(second).text))
            #expect(try count(owner) == 2)
            _ = try await anna.post("\(first)/removal")
            let keptExpenses = try owner.query("SELECT what FROM expense WHERE discarded_at IS NULL").decode(
                String.self)
            #expect(keptExpenses == ["PIZZERIA ROMA"])
            #expect(try owner.query("SELECT sum(amount_minor)::bigint FROM expense_day").first(Int64.self) == 7_500)
            // The expense now belongs to the second import.
            _ = try await anna.post("\(second)/removal")
            #expect(try count(owner) == 0)
            #expect(try owner.query("SELECT count(*) FROM expense_day").first(Int64.self) == 0)
        }
    }

    @Test(.database) func `a file with the same bookings in another layout creates no expense twice`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let table = file(
                "02.11.2026;;Netflix;Lastschrift;Abo;-12,99;EUR", "03.11.2026;;Bäckerei Huber;Karte;;-3,20;EUR",
                "03.11.2026;;Bäckerei Huber;Karte;;-3,20;EUR", "04.11.2026;;Trafik Eck;Karte;;-3,20;EUR")
            let first = try #require(try await upload(table, anna, account: "Giro").location)
            _ = try await anna.post("\(first)/confirmation")
            // A person has renamed an expense, so only the stored booking has the bank's text.
            try owner.query("UPDATE expense SET what = 'Abo', payee = '' WHERE amount_minor = 1299")
            let layout = """
                Datum;Name;Betrag
                02.11.2026;NETFLIX.COM;-12,99
                03.11.2026;BÄCKEREI HUBER WIEN;-3,20
                03.11.2026;BÄCKEREI HUBER WIEN;-3,20
                05.11.2026;NETFLIX.COM;-12,99
                """
            let second = try #require(try await upload(layout, anna, account: "Giro").location)
            let page = try await anna.get(second).text
            #expect(links(page).count == 2 * 3)
            #expect(page.matches(of: #/value="join" selected/#).count == 3)
            _ = try await anna.post("\(second)/confirmation", pairs: links(page))
            #expect(try count(owner) == 5)
            // Only the expense that the second file does not contain still belongs to the first import.
            _ = try await anna.post("\(first)/removal")
            #expect(try count(owner) == 4)
            // An equal payment from another account is another expense.
            let other = try #require(
                try await upload("Datum;Name;Betrag\n02.11.2026;Netflix;-12,99\n", anna, account: "Haushalt").location)
            let otherPage = try await anna.get(other).text
            #expect(links(otherPage).isEmpty)
        }
    }

    @Test(.database) func `the payee of an expense is not recognised by the text of another member's booking`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let first = try #require(
                try await upload(file("02.11.2026;;Juwelier;Karte;;-200,00;EUR"), anna, account: "Giro").location)
            _ = try await anna.post("\(first)/confirmation")
            try harness.owner().query("UPDATE expense SET what = 'Geschenk', payee = ''")
            for (browser, isSelected) in [(anna, true), (paul, false)] {
                let layout = "Datum;Name;Betrag\n02.11.2026;JUWELIER WIEN;-200,00\n"
                let preview = try #require(try await upload(layout, browser, account: "Giro").location)
                let page = try await browser.get(preview).text
                #expect(links(page).count == 2)
                #expect(page.contains("value=\"join\" selected") == isSelected)
            }
        }
    }
}
