import Domain
import HTTP

/// Decides whether an expense of a bank file and another entry of the same amount are one payment, and undoes the
/// decision.
struct BankPairController: Sendable {
    private let edits: BankPairEdits

    init(_ database: Database) {
        edits = BankPairEdits(database: database)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.post, "/expenses/{expense}/bank-pairs", "BankPairController.join", join)
        try routes.member(.post, "/expenses/{expense}/bank-pairs/refusal", "BankPairController.refuse", refuse)
        try routes.member(.post, "/bank-pairs/{pair}/removal", "BankPairController.undo", undo)
    }

    private func join(_ request: MemberRequest) async throws -> Response {
        try await decide(request, isSame: true, message: "bank-pair-joined")
    }

    private func refuse(_ request: MemberRequest) async throws -> Response {
        try await decide(request, isSame: false, message: "bank-pair-refused")
    }

    private func decide(_ request: MemberRequest, isSame: Bool, message: String) async throws -> Response {
        let expense: ExpenseID = try request.identifier("expense")
        guard let text = request.form["receipt"] ?? request.form["other"], let other = ExpenseID(text) else {
            throw Refusal.badRequest
        }
        let back = Redirect.ownPath(request.form["back"] ?? BankPairRow.listPath)
        let decision = try await edits.decide(expense, other, isSame: isSame, by: request.member)
        guard let decision else { return .redirect(to: back).flashing(Flash("bank-pair-gone")) }
        return .redirect(to: back).flashing(Flash(message, undo: Self.undoPath(decision, back: back)))
    }

    private func undo(_ request: MemberRequest) async throws -> Response {
        let id: BankPairID = try request.identifier("pair")
        let back = Redirect.ownPath(request.head.query("back") ?? BankPairRow.listPath)
        return try await .restored(back) { try await edits.undo(id, by: request.member) }
    }

    /// Returns a path to which a POST undoes the decision.
    ///
    /// - Parameter back: the path of the page that the member then sees.
    static func undoPath(_ decision: BankPairID, back: String) -> String {
        "/bank-pairs/\(decision)/removal?back=\(PercentCoding.encode(back))"
    }
}
