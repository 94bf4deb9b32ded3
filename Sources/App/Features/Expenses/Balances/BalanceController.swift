import Domain
import HTTP
import Templates

/// The balances between members, payments that would settle them, and the payments made.
struct BalanceController: Sendable {
    private let queries: BalanceQueries
    private let settlements: Settlements
    private let page: View<BalancePage>

    init(_ database: Database, _ views: Views) throws {
        queries = BalanceQueries(database: database)
        settlements = Settlements(database: database)
        page = try views.page("expenses/balances", BalancePage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/balances", "BalanceController.show", show)
        try routes.member(.post, "/settlements", "BalanceController.settle", settle)
        try routes.member(.post, "/settlements/{settlement}/removal", "BalanceController.remove", remove)
        try routes.member(.post, "/settlements/{settlement}/restoration", "BalanceController.restore", restore)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        page.response(try await model(request), for: request)
    }

    private func settle(_ request: MemberRequest) async throws -> Response {
        let form = request.form
        guard let from = PersonID(try form.required("from-person")), let to = PersonID(try form.required("to-person")),
            let currency = CurrencyCode(try form.required("currency"))
        else { throw Refusal.badRequest }
        let text = try form.required("amount")
        let amount = try? Amount(parsing: text, currency: currency)
        guard from != to, let amount, amount.minorUnits > 0 else {
            var model = try await model(request)
            model.typed = BalancePage.TypedPayment(from: from, to: to, amount: text)
            let words = page.words(request)
            model.problem = Problem(title: words["server.form.problem"], text: words["server.settlement.refused"])
            return page.response(model, for: request, status: .unprocessableContent)
        }
        do {
            let id = try await settlements.add(
                from: from, to: to, amount, on: WallClock.today(), isProposed: form["proposed"] != nil,
                form: request.sentForm, by: request.member)
            return .redirect(to: "/balances").flashing(Flash("settled", undo: "/settlements/\(id)/removal"))
        } catch is RepeatedForm {
            return .redirect(to: "/balances").flashing(Flash("already"))
        } catch is Conflict {
            return .redirect(to: "/balances").flashing(Flash("balances-changed"))
        }
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let id: SettlementID = try request.identifier("settlement")
        do {
            try await settlements.setDiscarded(true, id, by: request.member)
        } catch is AlreadyDeleted {
            return .redirect(to: "/balances").flashing(Flash("already"))
        }
        return .redirect(to: "/balances").flashing(
            Flash("settlement-removed", undo: "/settlements/\(id)/restoration"))
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        do {
            try await settlements.setDiscarded(false, request.identifier("settlement"), by: request.member)
        } catch is AlreadyDeleted {
            return .redirect(to: "/balances").flashing(Flash("settlement-gone"))
        }
        return .redirect(to: "/balances").flashing(Flash("saved"))
    }

    private func model(_ request: MemberRequest) async throws -> BalancePage {
        BalancePage(
            result: try await queries.load(request.member), isMember: request.member.role >= .member,
            days: page.days(request))
    }
}
