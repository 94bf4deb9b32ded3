import Postgres
import TestSupport

@testable import App

/// Creates and uploads bank files, and counts the expenses that imports create. For the suites about bank files.
protocol BankSuite {}

private let columns = "Buchungstag;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Betrag;Währung\n"

extension BankSuite {
    func file(_ rows: String...) -> String { columns + rows.joined(separator: "\n") + "\n" }

    func upload(
        _ text: String, _ browser: Browser, personal: Bool = false, account: String = ""
    ) async throws -> Answer {
        let bytes = Array(text.utf8)
        return personal
            ? try await browser.upload(
                "/bank-files", field: "file", fileName: "konto.csv", type: "text/csv", bytes, fields: ["personal": "1"])
            : try await browser.upload(
                "/bank-files", field: "file", fileName: "konto.csv", type: "text/csv", bytes,
                fields: ["account": account])
    }

    func count(_ owner: SynchronousConnection, _ condition: SQL = "discarded_at IS NULL") throws -> Int64 {
        try owner.query("SELECT count(*) FROM expense WHERE \(condition)").first(Int64.self) ?? -1
    }

    /// The form fields that link the bookings to the expenses that the page proposes.
    func links(_ page: String) -> [(String, String)] {
        page.matches(of: #/name="match-([0-9]+)" value="([0-9a-f-]{36})"/#).flatMap { found in
            [("row-\(found.output.1)", "join"), ("match-\(found.output.1)", String(found.output.2))]
        }
    }
}
