import Domain
import HTTP
import Testing

extension Browser {
    /// Enters an expense and returns its id.
    func expense(_ amount: String, _ what: String, _ more: [(String, String)] = []) async throws -> ExpenseID {
        let answer = try await post("/expenses", pairs: [("amount", amount), ("what", what)] + more)
        try #require(answer.status == .seeOther, "\(answer.text)")
        let page = try await get(answer.location ?? "")
        let id = page.text.firstMatch(of: #/\/expenses\/([0-9a-f-]{36})\/removal/#).map { String($0.output.1) }
        return try #require(id.flatMap { ExpenseID($0) })
    }
}
