import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Bank files that wait for confirmation, and files with nothing to import.
@Suite(.timeLimit(.minutes(5))) struct WaitingBankFileTests: BankSuite {
    @Test(.database) func `waiting files are listed, and can be continued or deleted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.join(anna, as: .member)
            let rows = file("02.11.2026;;Netflix;Lastschrift;Abo;-12,99;EUR", "03.11.2026;;Kino;Karte;;-9,00;EUR")
            let preview = try #require(try await upload(rows, anna, account: "Giro").location)
            let list = try await anna.get("/bank-files").text
            #expect(list.contains("Noch nicht importierte Dateien") && list.contains("konto.csv"))
            #expect(list.contains("Giro, CSV · Umsätze: 2") && list.contains("href=\"\(preview)\""))
            #expect(try await !paul.get("/bank-files").text.contains("konto.csv"))
            #expect(try await anna.post("\(preview)/discard").location == "/bank-files")
            let emptied = try await anna.get("/bank-files").text
            #expect(emptied.contains("jederzeit noch einmal hochladen") && !emptied.contains("konto.csv"))
            // The same file can be uploaded again. After its import, it no longer waits.
            let second = try #require(try await upload(rows, anna).location)
            _ = try await anna.post("\(second)/confirmation")
            #expect(try await !anna.get("/bank-files").text.contains("Noch nicht importierte Dateien"))
        }
    }

    @Test(.database) func `the list counts the rows of a table until its columns are known`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let table = "Wann;Wo;Wieviel\n03.11.2026;Kino;-9,00\n04.11.2026;Kino;0,00\n"
            let preview = try #require(try await upload(table, anna).location)
            #expect(try await anna.get("/bank-files").text.contains("Umsätze: 2"))
            _ = try await anna.post(
                "\(preview)/columns", ["column-0": "day", "column-1": "payee", "column-2": "amount"])
            #expect(try await anna.get("/bank-files").text.contains("Umsätze: 1"))
            _ = try await anna.post("\(preview)/discard")
            // The columns of the next file of the same format are known.
            _ = try await upload(table, anna)
            #expect(try await anna.get("/bank-files").text.contains("Umsätze: 1"))
        }
    }

    @Test(.database) func `a file with nothing to import has a message, and no button to import`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let pending = try #require(
                try await upload("Datum;Empfänger;Betrag;Status\n03.11.2026;Kino;-9,00;Vorgemerkt\n", anna).location)
            let pendingPage = try await anna.get(pending).text
            #expect(pendingPage.contains("Die Datei enthält keinen Umsatz") && pendingPage.contains("nur vorgemerkt"))
            #expect(!pendingPage.contains("/confirmation"))
            let fee = file("02.11.2026;;Bank;Entgelt;Kontoführung;-5,00;EUR")
            let first = try #require(try await upload(fee, anna, account: "Giro").location)
            _ = try await anna.post("\(first)/confirmation")
            let known = try #require(try await upload(fee, anna, account: "Giro").location)
            let knownPage = try await anna.get(known).text
            #expect(knownPage.contains("wurden schon importiert") && !knownPage.contains("/confirmation"))
            // Without the account, the line can be a second payment.
            let doubtful = try #require(try await upload(fee, anna).location)
            let doubtfulPage = try await anna.get(doubtful).text
            #expect(doubtfulPage.contains("wurden vielleicht schon importiert"))
            #expect(doubtfulPage.contains("/confirmation") && !doubtfulPage.contains("class=\"button main\""))
        }
    }

    @Test(.database) func `a file without a selected line is not imported and keeps waiting`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let preview = try #require(
                try await upload(file("03.11.2026;;Kino;Karte;;-9,00;EUR"), anna).location)
            #expect(try await anna.post("\(preview)/confirmation", ["row-0": "skip"]).location == preview)
            let page = try await anna.get(preview).text
            #expect(page.contains("kein Umsatz zum Importieren ausgewählt") && page.contains("Kino"))
            // The columns of this table are not known yet.
            let table = try #require(try await upload("Wann;Wo;Wieviel\n03.11.2026;Kino;-9,00\n", anna).location)
            #expect(try await anna.post("\(table)/confirmation").location == table)
            let waitingCount = try harness.owner().query("SELECT count(*) FROM bank_import WHERE content IS NOT NULL")
            #expect(try waitingCount.first(Int64.self) == 2)
        }
    }

    @Test(.database) func `columns without bookings can be chosen again`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let table = "Wann;Wo;Wieviel;Leer\n03.11.2026;Kino;-9,00;\n"
            let preview = try #require(try await upload(table, anna).location)
            _ = try await anna.post("\(preview)/columns", ["column-2": "amount", "column-3": "day"])
            let page = try await anna.get(preview)
            #expect(page.status == .ok && page.text.contains("Die Datei enthält keinen Umsatz"))
            #expect(page.text.contains("href=\"\(preview)/columns\""))
            _ = try await anna.post("\(preview)/columns", ["column-0": "day", "column-2": "amount"])
            #expect(try await anna.get(preview).text.contains("Umsätze zum Importieren: 1"))
        }
    }
}
