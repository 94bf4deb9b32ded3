import Domain
import HTTP
import Postgres
import Templates

/// Looking at a receipt, correcting, confirming, discarding it.
struct ReviewController: Sendable {
    private let database: Database
    private let queries: StoredReceiptQueries
    private let edits: ReceiptEdits
    private let page: View<ReviewPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        queries = StoredReceiptQueries(database: database)
        edits = ReceiptEdits(database: database)
        page = try views.page("receipts/review", ReviewPage.self)
    }

    func register(_ routes: inout Routes) throws {
        let form = Endpoint.Body.longForm(bytes: 2 << 20, fields: 20_000)
        let ended = EndedReceipts(database: database).answers
        try routes.member(.get, "/receipts/{receipt}/review", "ReviewController.show", ended.leadingOn(show))
        try routes.member(
            .post, "/receipts/{receipt}/review", "ReviewController.save", body: form, ended.leadingOn(save))
        try routes.member(
            .post, "/receipts/{receipt}/confirmation", "ReviewController.confirm", body: form, ended.leadingOn(confirm))
        try routes.member(.post, "/receipts/confirmations", "ReviewController.confirmProven", confirmProven)
        try routes.member(
            .post, "/receipts/{receipt}/discard", "ReviewController.discard", ended.leadingOn(discard))
        try routes.member(
            .post, "/receipts/{receipt}/restoration", "ReviewController.restore", ended.leadingOn(restore))
        try routes.member(
            .post, "/receipts/{receipt}/rereading", "ReviewController.readAgain", ended.leadingOn(readAgain))
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let receipt = try await queries.receipt(try request.identifier("receipt"), request.member)
        if receipt.stage == "reading" { return .redirect(to: "/receipts/\(receipt.id)") }
        return page.response(
            try await maker(receipt, request).page(duplicate: try await duplicate(receipt, request)), for: request)
    }

    private func save(_ request: MemberRequest) async throws -> Response {
        try await submit(request, confirms: false)
    }

    private func confirm(_ request: MemberRequest) async throws -> Response {
        try await submit(request, confirms: true)
    }

    private func submit(_ request: MemberRequest, confirms: Bool) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        let words = page.texts[request.language]
        var form = try ReviewForm(request.form, in: request.language, words)
        // A booked receipt without a day would be in no month.
        if confirms, form.draft.day == nil, form.errors["day"] == nil {
            form.errors["day"] = words["server.form.required"]
        }
        if let refused = try await refused(form, id, request) { return refused }
        do {
            switch try await edits.save(id, form, confirms: confirms, request.member) {
            case .saved(let draft, let again):
                guard confirms else {
                    let response = Response.redirect(to: "/receipts/\(id)/review")
                    return form.action == "save" ? response.flashing(Flash("saved")) : response
                }
                // A receipt that was booked before is shown; after a new one follows the next that waits.
                let next = again ? "/receipts/\(id)" : try await next(after: id, request)
                return .redirect(to: next).flashing(Self.confirmed(draft, id, next: next))
            case .merged(let conflict): return try await merged(id, since: form.revision, conflict, request)
            }
        } catch let conflict as Conflict {
            return try await changed(id, conflict, request)
        } catch let lost as BookingLost {
            for field in lost.fields { form.errors[field] = words["server.form.required"] }
            return wrong(form, try await maker(try await queries.receipt(id, request.member), request), request)
        }
    }

    /// The sentence after confirming. It says when lines are missing, which the button of a page without scripts cannot know.
    ///
    /// - Parameter next: the page that shows it; its sentence says so when that is another receipt.
    private static func confirmed(_ draft: ReviewDraft, _ id: ReceiptID, next: String) -> Flash {
        let (alone, ahead) =
            draft.lines.isEmpty
            ? ("confirmed-empty", "confirmed-empty-next")
            : (draft.difference ?? 0) == 0
                ? ("confirmed", "confirmed-next") : ("confirmed-off", "confirmed-off-next")
        let booked = "/receipts/\(id)"
        return Flash(next.hasSuffix("/review") ? ahead : alone, link: next == booked ? nil : booked)
    }

    private func confirmProven(_ request: MemberRequest) async throws -> Response {
        let count = try await edits.confirmProven(request.member)
        return .redirect(to: "/receipts").flashing(count == 0 ? Flash("already") : Flash("confirmed-all", count: count))
    }

    private func discard(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        do {
            try await edits.setDiscarded(id, true, revision: request.form.optionalRevision(), request.member)
        } catch let conflict as Conflict {
            return try await changed(id, conflict, request)
        }
        return .redirect(to: "/receipts").flashing(Flash("discarded", undo: "/receipts/\(id)/restoration"))
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        let isNew: Bool
        do {
            isNew = try await edits.setDiscarded(id, false, revision: request.form.optionalRevision(), request.member)
        } catch let conflict as Conflict {
            return try await changed(id, conflict, request)
        }
        return .redirect(to: "/receipts/\(id)").flashing(Flash(isNew ? "restored" : "already"))
    }

    private func readAgain(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        do {
            switch try await edits.readAgain(id, revision: request.form.optionalRevision(), request.member) {
            case .begins: return .redirect(to: "/receipts/\(id)").flashing(Flash("rereading"))
            case .isUnderWay: return .redirect(to: "/receipts/\(id)").flashing(Flash("already"))
            case .isDiscarded:
                let undo = "/receipts/\(id)/restoration"
                return .redirect(to: "/receipts/\(id)").flashing(Flash("is-discarded", undo: undo))
            case .hasNothing: return .redirect(to: "/receipts/\(id)").flashing(Flash("nothing-to-read"))
            }
        } catch let conflict as Conflict {
            return try await changed(id, conflict, request)
        }
    }

    // MARK: Parts

    private func maker(_ receipt: StoredReceipt, _ request: MemberRequest) async throws -> ReviewPageMaker {
        let rows = try await database.read(
            request.household,
            """
            SELECT DISTINCT s.name FROM store s
            WHERE s.household_id = \(request.household) AND \(Visibility.storeCondition(request.member))
            ORDER BY s.name LIMIT 200
            """)
        return ReviewPageMaker(
            receipt: receipt, stores: try rows.decode(String.self), language: request.language,
            words: page.texts[request.language])
    }

    /// The form again when something in it cannot be understood, or when a button only changed its lines.
    private func refused(_ form: ReviewForm, _ id: ReceiptID, _ request: MemberRequest) async throws -> Response? {
        let onlyChangesLines = form.action.hasPrefix("add-line") || form.action.contains(":")
        guard onlyChangesLines || !form.errors.isEmpty else { return nil }
        let maker = try await maker(try await queries.receipt(id, request.member), request)
        if onlyChangesLines {
            var quiet = form
            quiet.errors = FieldErrors()
            return page.response(maker.page(form: quiet), for: request)
        }
        return wrong(form, maker, request)
    }

    private func wrong(_ form: ReviewForm, _ maker: ReviewPageMaker, _ request: MemberRequest) -> Response {
        let problem = Problem(
            title: maker.words["server.form.problem"], text: maker.words["server.form.problem-text"])
        return page.response(maker.page(form: form, problem: problem), for: request, status: .unprocessableContent)
    }

    /// The stored receipt, with what was typed and not stored.
    private func merged(
        _ id: ReceiptID, since revision: Int64, _ conflict: Conflict, _ request: MemberRequest
    ) async throws -> Response {
        let receipt = try await queries.receipt(id, request.member)
        let maker = try await maker(receipt, request)
        let rows = try await database.read(
            request.household,
            """
            SELECT coalesce(p.name, '') FROM change_log c LEFT JOIN person p ON p.id = c.person_id
            WHERE c.household_id = \(request.household) AND c.document_id = \(id)
                AND c.person_id <> \(request.member.person) AND c.revision > \(revision)
            ORDER BY c.seq DESC LIMIT 1
            """)
        let text = ConflictText(receipt: receipt, language: request.language, words: maker.words)
        let notice = text.notice(
            conflict,
            memberName: try rows.first.map { try $0[0, as: String.self] } ?? maker.words["server.merge.somebody"])
        return page.response(maker.page(merge: notice), for: request, status: .conflict)
    }

    /// The stored receipt, with the note that nothing was done.
    private func changed(_ id: ReceiptID, _ conflict: Conflict, _ request: MemberRequest) async throws -> Response {
        let receipt = try await queries.receipt(id, request.member)
        // There is no review page while the receipt is read.
        if receipt.stage == "reading" { throw Refusal(.conflict, "stillReading") }
        let maker = try await maker(receipt, request)
        let text = ConflictText(receipt: receipt, language: request.language, words: maker.words)
        let problem = Problem(
            title: maker.words["server.receipt.changed"],
            text: maker.words[
                conflict.changes.isEmpty ? "server.receipt.changed-text" : "server.receipt.replaced-text"],
            details: text.typed(conflict))
        return page.response(maker.page(problem: problem), for: request, status: .conflict)
    }

    private func duplicate(_ receipt: StoredReceipt, _ request: MemberRequest) async throws -> DuplicateNotice? {
        guard let other = receipt.duplicateOf, receipt.stage != "confirmed" else { return nil }
        guard let original = try? await queries.receipt(other, request.member) else { return nil }
        let when = original.draft.day?.formatted(request.language) ?? ""
        let time = original.draft.time.map { ", \($0.formatted)" } ?? ""
        let total = original.draft.total.map {
            Money(minorUnits: $0, currency: original.currency).formatted(request.language)
        }
        return DuplicateNotice(
            storeName: original.draft.store, when: when + time, total: total ?? "", href: "/receipts/\(other)")
    }

    /// The page after confirming: the next receipt of the inbox, from its end on to its beginning; else the new names; else
    /// the receipt itself.
    private func next(after id: ReceiptID, _ request: MemberRequest) async throws -> String {
        let rows = try await database.read(
            request.household,
            batch: [
                """
                SELECT r.id FROM receipt r
                JOIN receipt done ON done.household_id = r.household_id AND done.id = \(id)
                WHERE r.household_id = \(request.household) AND r.stage = 'review'
                    AND r.discarded_at IS NULL AND \(Visibility.condition(request.member))
                ORDER BY (r.created_at, r.id) < (done.created_at, done.id) DESC, r.created_at DESC, r.id DESC LIMIT 1
                """,
                "SELECT 1 FROM \(WaitingNames.source(request.member)) AND r.id = \(id) LIMIT 1",
            ])
        if let row = rows[0].first { return "/receipts/\(try row[0, as: ReceiptID.self])/review" }
        return rows[1].isEmpty ? "/receipts/\(id)" : "/matching"
    }
}
