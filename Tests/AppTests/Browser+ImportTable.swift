import HTTP
import Testing

extension Browser {
    /// Uploads a table for import. The answer redirects to the preview of the import.
    func importFile(_ table: String) async throws -> Answer {
        try await upload("/import", field: "file", fileName: "a.csv", type: "text/csv", Array(table.utf8))
    }

    /// Imports lines as a table and confirms the import. A line is name, price (`1,29`), date (`2026-11-21`) and store.
    func importTable(_ lines: [(String, String, String, String)]) async throws {
        let table = lines.map { "\($0.0);\($0.1);;\($0.3);\($0.2)\n" }.joined()
        let preview = try #require(
            try await importFile("Name;Price;Category;Shop;Datum\n" + table).location)
        let answer = try await post("\(preview)/confirmation")
        try #require(answer.status == .seeOther, "\(answer.text)")
    }

    /// Imports lines of SPAR. A line is name, price and date.
    func importTable(_ lines: [(String, String, String)]) async throws {
        try await importTable(lines.map { ($0.0, $0.1, $0.2, "SPAR") })
    }
}
