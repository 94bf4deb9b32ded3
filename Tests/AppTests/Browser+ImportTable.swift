import HTTP
import Testing

extension Browser {
    /// Books lines through the import of a table: name, price (`1,29`), ISO day (`2026-11-21`) and store.
    func importTable(_ lines: [(String, String, String, String)]) async throws {
        let table = lines.map { "\($0.0);\($0.1);;\($0.3);\($0.2)\n" }.joined()
        let preview = try #require(
            try await upload(
                "/import", field: "file", fileName: "a.csv", type: "text/csv",
                Array(("Name;Price;Category;Shop;Datum\n" + table).utf8)
            ).location)
        let answer = try await post("\(preview)/confirmation")
        try #require(answer.status == .seeOther, "\(answer.text)")
    }

    /// Books lines at SPAR: name, price and ISO day.
    func importTable(_ lines: [(String, String, String)]) async throws {
        try await importTable(lines.map { ($0.0, $0.1, $0.2, "SPAR") })
    }
}
