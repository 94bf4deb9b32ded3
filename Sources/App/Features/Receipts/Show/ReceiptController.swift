import Domain
import HTTP
import JSON
import Postgres
import Templates

/// The page of a receipt: the progress while the receipt is read, then a redirect to the review page, and after the
/// confirmation the lines. Viewers cannot review receipts; they also see the lines before the confirmation.
struct ReceiptController: Sendable {
    private let database: Database
    private let queries: StoredReceiptQueries
    private let readingPage: View<ReadingPage>
    private let showPage: View<ReceiptPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        queries = StoredReceiptQueries(database: database)
        readingPage = try views.page("receipts/reading", ReadingPage.self)
        showPage = try views.page("receipts/show", ReceiptPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(
            .get, "/receipts/{receipt}", "ReceiptController.show",
            EndedReceipts(database: database).redirects.wrap(show))
        try routes.member(
            .post, "/receipts/{receipt}/stated-amount", "ReceiptController.setStated",
            EndedReceipts(database: database).redirects.wrap(setStated))
        try routes.member(.get, "/receipts/{receipt}/events", "ReceiptController.events", events)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let receipt = try await queries.receipt(try request.identifier("receipt"), request.member)
        switch receipt.stage {
        case .reading where receipt.state.name != .discarded:
            let progress = try await progress(receipt.id, request.household)
            return readingPage.response(
                ReadingPage(
                    receipt: receipt, progress: progress, words: readingPage.texts[request.language]), for: request)
        case .review where receipt.state.name != .discarded && request.member.role >= .member:
            return .redirect(to: "/receipts/\(receipt.id)/review")
        default: return showPage.response(try await page(receipt, request), for: request)
        }
    }

    /// Stores the amount in the household's currency that a person entered for a receipt in another currency.
    private func setStated(_ request: MemberRequest) async throws -> Response {
        let receipt = try await queries.receipt(try request.identifier("receipt"), request.member)
        let rows = try await database.read(
            request.household, ForeignAmount.query(receipt.id, request.household))
        // No row: another request has corrected the currency since the page was shown.
        guard let foreign = try rows.decode(ForeignAmount.self).first else {
            return .redirect(to: "/receipts/\(receipt.id)")
        }
        let text = request.form.trimmed("amount") ?? ""
        let words = showPage.words(request)
        let typed = try? Money(parsing: text, currency: foreign.home).minorUnits
        guard text.isEmpty || typed.map({ $0 > 0 }) == true else {
            var page = try await page(receipt, request)
            page.foreign?.refused = (text, typed == 0 ? words["server.expense.zero"] : words["server.form.number"])
            return showPage.response(page, for: request, status: .unprocessableContent)
        }
        do {
            try await ReceiptExpenseEdits(database: database).setStated(
                typed, of: receipt.id, revision: request.form.revisionOrZero(), by: request.member)
        } catch is Conflict {
            var page = try await page(receipt, request)
            page.foreign?.refused = (text, words["server.form.changed"])
            return showPage.response(page, for: request, status: .conflict)
        }
        return .redirect(to: "/receipts/\(receipt.id)").flashing(Flash("saved"))
    }

    /// Streams the progress until the receipt is read. The server ends the stream after a time limit, and the browser
    /// reconnects.
    private func events(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        let household = request.household
        // Before the stream is opened, refuses receipts that the member may not see.
        _ = try await queries.receipt(id, request.member)
        let database = database
        return .events { writer in
            try await ReadingEvents(database: database, household: household, receipt: id).send(to: writer)
        }
    }

    private func progress(_ id: ReceiptID, _ household: HouseholdID) async throws -> ReadingProgress {
        try await ReadingProgress.of(id, household, database)
    }

    private func page(_ receipt: StoredReceipt, _ request: MemberRequest) async throws -> ReceiptPage {
        let rows = try await database.read(
            request.household,
            batch: [
                "SELECT count(DISTINCT l.alias_key) FROM \(WaitingNames.source(request.member)) AND r.id = \(receipt.id)",
                // Selects the product's previous regular price in the same currency. Compares base prices if both have
                // the same base unit, otherwise prices per the unit on the receipt.
                """
                SELECT p.line_id,
                    CASE WHEN p.base_unit = before.base_unit THEN p.base_thousandths ELSE p.regular_thousandths END,
                    CASE WHEN p.base_unit = before.base_unit THEN before.base_thousandths
                        ELSE before.regular_thousandths END, before.day
                FROM price p
                CROSS JOIN LATERAL (SELECT * FROM price q
                    WHERE q.household_id = \(request.household) AND q.product_id = p.product_id AND q.day < p.day
                        AND q.unit = p.unit AND q.currency = p.currency
                    ORDER BY \(PriceOrder.newestFirst("q")) LIMIT 1) before
                WHERE p.household_id = \(request.household) AND p.receipt_id = \(receipt.id) AND p.line_id IS NOT NULL
                """,
                ForeignAmount.query(receipt.id, request.household),
                BankPair.query(.receipt(receipt.id), request.member),
            ])
        let words = showPage.words(request)
        let days = showPage.days(request)
        var changes: [String: Change] = [:]
        for (line, now, before, day) in try rows[1].decode((ReceiptLineID, Int64, Int64, LocalDate).self) {
            guard let permille = PriceChange.permille(from: before, to: now) else { continue }
            changes[line.description] = Change(
                permille: permille, language: request.language, since: days.short(day))
        }
        let newNames = try rows[0].first.map { try $0[0, as: Int64.self] } ?? 0
        return ReceiptPage(
            receipt: receipt, newNameCount: newNames, changes: changes, language: request.language, words: words,
            foreign: receipt.stage == .confirmed && receipt.state.name != .discarded
                ? try rows[2].decode(ForeignAmount.self).first.map {
                    ForeignAmount.FormModel(foreign: $0, language: request.language)
                } : nil,
            bankPairs: try BankPair.probable(rows[3]).map {
                BankPairRow(pair: $0, back: "/receipts/\(receipt.id)", days: days)
            })
    }
}
