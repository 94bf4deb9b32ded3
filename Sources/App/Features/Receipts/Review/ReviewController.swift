import Domain
import HTTP
import Postgres
import Templates

/// Shows a receipt for review, and saves, confirms, discards and restores it.
struct ReviewController: Sendable {
    private let database: Database
    private let queries: ReviewQueries
    private let edits: ReceiptEdits
    private let drafts: ReviewDrafts
    private let page: View<ReviewPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        queries = ReviewQueries(database: database)
        edits = ReceiptEdits(database: database)
        drafts = ReviewDrafts(database: database)
        page = try views.page("receipts/review", ReviewPage.self)
    }

    func register(_ routes: inout Routes) throws {
        let form = Endpoint.Body.longForm(bytes: 2 << 20, fields: ReviewForm.maximumFields)
        let redirects = EndedReceipts(database: database).redirects
        try routes.member(.get, "/receipts/{receipt}/review", "ReviewController.show", redirects.wrap(show))
        try routes.member(
            .post, "/receipts/{receipt}/review", "ReviewController.save", body: form, redirects.wrap(save))
        try routes.member(
            .post, "/receipts/{receipt}/confirmation", "ReviewController.confirm", body: form, redirects.wrap(confirm))
        try routes.member(
            .post, "/receipts/{receipt}/draft", "ReviewController.keepDraft", body: form, redirects.wrap(keepDraft))
        try routes.member(
            .post, "/receipts/{receipt}/draft/removal", "ReviewController.discardDraft",
            redirects.wrap(discardDraft))
        try routes.member(.post, "/receipts/confirmations", "ReviewController.confirmProven", confirmProven)
        try routes.member(.post, "/receipts/confirmations/removal", "ReviewController.undoProven", undoProven)
        try routes.member(
            .post, "/receipts/{receipt}/discard", "ReviewController.discard", redirects.wrap(discard))
        try routes.member(
            .post, "/receipts/{receipt}/restoration", "ReviewController.restore", redirects.wrap(restore))
        try routes.member(
            .post, "/receipts/{receipt}/rereading", "ReviewController.readAgain", redirects.wrap(readAgain))
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let maker = try await maker(request)
        let receipt = maker.data.receipt
        if receipt.stage == .reading || request.member.role < .member {
            return .redirect(to: "/receipts/\(receipt.id)")
        }
        if let typed = maker.data.typed,
            var form = try? ReviewForm(
                typed, in: request.language, maker.words, maker.data.categories)
        {
            if let conflict = try await drafts.conflict(of: form, with: receipt, request.household) {
                let problem = Self.problem(conflict, maker, request.language)
                return page.response(maker.page(problem: problem, isTyped: true), for: request)
            }
            // Errors are shown only after the form was sent.
            form.errors = FieldErrors()
            return page.response(maker.page(form: form, isTyped: true), for: request)
        }
        return page.response(maker.page(), for: request)
    }

    /// Stores the form while a person types. Called by the page's script. If the form cannot be stored, the script
    /// warns a person who leaves the page.
    private func keepDraft(_ request: MemberRequest) async throws -> Response {
        let form = request.form
        let isStored = try await drafts.store(
            form, revision: form.revision(), of: request.identifier("receipt"), request.member)
        return Response(isStored ? .noContent : .conflict)
    }

    private func discardDraft(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        try await drafts.discard(id, request.member)
        return .redirect(to: "/receipts/\(id)/review")
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
        let categories = try await Categories(
            database.read(request.household, Categories.query(request.household)))
        var form = try ReviewForm(request.form, in: request.language, words, categories)
        form.errors["paid_on"] = ReviewPaper.paymentDayProblem(form, words)
        // The list of receipts is grouped by month, so a confirmed receipt needs a day.
        if confirms, form.draft.day == nil, form.errors["day"] == nil {
            form.errors["day"] = words["server.form.required"]
        }
        // A receipt without lines needs a total.
        if confirms, form.draft.lines.isEmpty, form.draft.total == nil, form.errors["total"] == nil {
            form.errors["total"] = words["server.form.required"]
        }
        if let formPage = try await formPage(form, confirms: confirms, request) { return formPage }
        do {
            let completion = try ReviewPaper.choice(form)
            switch try await edits.save(id, form, confirms: confirms, completion: completion, request.member) {
            case .saved(let draft, let wasConfirmed):
                guard confirms else {
                    let response = Response.redirect(to: "/receipts/\(id)/review")
                    return form.action == "save" ? response.flashing(Flash("saved")) : response
                }
                // After the correction of a confirmed receipt, shows that receipt. After the confirmation of a new
                // receipt, shows the next waiting receipt.
                let next = wasConfirmed ? "/receipts/\(id)" : try await next(after: id, request)
                return .redirect(to: next).flashing(Self.confirmationMessage(draft, id, next: next))
            case .merged(let conflict): return try await mergedPage(id, since: form.revision, conflict, request)
            }
        } catch let conflict as Conflict {
            return try await conflictPage(conflict, request)
        } catch let lost as MissingRequiredValues {
            for field in lost.fields { form.errors[field.rawValue] = words["server.form.required"] }
            return responseWithErrors(form, try await maker(request), request)
        }
    }

    /// The message after confirming. It also reports a difference between lines and total, because without scripts the
    /// button on the page does not show it.
    ///
    /// - Parameter next: the page that shows the message. If this is the review page of another receipt, the message
    ///   names the confirmed receipt.
    private static func confirmationMessage(_ draft: ReviewDraft, _ id: ReceiptID, next: String) -> Flash {
        let (key, keyOnNextReview) =
            draft.lines.isEmpty
            ? ("confirmed-empty", "confirmed-empty-next")
            : (draft.difference ?? 0) == 0
                ? ("confirmed", "confirmed-next") : ("confirmed-off", "confirmed-off-next")
        let path = "/receipts/\(id)"
        return Flash(next.hasSuffix("/review") ? keyOnNextReview : key, link: next == path ? nil : path)
    }

    private func confirmProven(_ request: MemberRequest) async throws -> Response {
        let confirmation = try await edits.confirmProven(request.member)
        return .redirect(to: "/receipts").flashing(
            confirmation.count == 0
                ? Flash("already") : Flash("confirmed-all", count: confirmation.count, undo: confirmation.undo))
    }

    private func undoProven(_ request: MemberRequest) async throws -> Response {
        let changes = request.head.query("changes").flatMap { ProvenConfirmation.changes(parsing: $0) }
        return try await .restored("/receipts") {
            guard let changes else { return false }
            return try await edits.undoProven(changes, request.member) > 0
        }
    }

    private func discard(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        do {
            try await edits.setDiscarded(true, id, revision: request.form.optionalRevision(), by: request.member)
        } catch let conflict as Conflict {
            return try await conflictPage(conflict, request)
        }
        return .redirect(to: "/receipts").flashing(Flash("discarded", undo: "/receipts/\(id)/restoration"))
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        let isNew: Bool
        do {
            isNew = try await edits.setDiscarded(
                false, id, revision: request.form.optionalRevision(), by: request.member)
        } catch let conflict as Conflict {
            return try await conflictPage(conflict, request)
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
            return try await conflictPage(conflict, request)
        }
    }

    // MARK: Parts

    private func maker(_ request: MemberRequest) async throws -> ReviewPageMaker {
        let data = try await queries.load(request.identifier("receipt"), request.member)
        let words = page.texts[request.language]
        return ReviewPageMaker(
            data: data, language: request.language, words: words,
            paper: try await ReviewPaper.load(data.receipt, request.member, database, request.language, words))
    }

    /// Returns the page with the form if the form must be shown again: a button only changed its lines, a field is not
    /// valid, or there is a question before the receipt is confirmed. Otherwise returns nil.
    private func formPage(_ form: ReviewForm, confirms: Bool, _ request: MemberRequest) async throws -> Response? {
        guard form.onlyChangesLines || !form.errors.isEmpty || confirms else { return nil }
        let maker = try await maker(request)
        if form.onlyChangesLines {
            var withoutErrors = form
            withoutErrors.errors = FieldErrors()
            return page.response(maker.page(form: withoutErrors), for: request)
        }
        if !form.errors.isEmpty { return responseWithErrors(form, maker, request) }
        guard let question = try await ConfirmationQuestion.load(form, maker.data, queries, request.member) else {
            return nil
        }
        let shown = maker.page(
            form: form, problem: question.problem(maker.words, request.language), original: question.original,
            asked: question.asked)
        return page.response(shown, for: request, status: .unprocessableContent)
    }

    private func responseWithErrors(
        _ form: ReviewForm, _ maker: ReviewPageMaker, _ request: MemberRequest
    ) -> Response {
        let problem = Problem.invalidFields(maker.words)
        return page.response(maker.page(form: form, problem: problem), for: request, status: .unprocessableContent)
    }

    /// Shows the stored receipt, with the typed values that were not stored.
    private func mergedPage(
        _ id: ReceiptID, since revision: Int64, _ conflict: Conflict, _ request: MemberRequest
    ) async throws -> Response {
        let maker = try await maker(request)
        let rows = try await database.read(
            request.household,
            """
            SELECT coalesce(p.name, '') FROM change_log c LEFT JOIN person p ON p.id = c.person_id
            WHERE c.household_id = \(request.household) AND c.document_id = \(id)
                AND c.person_id <> \(request.member.person) AND c.revision > \(revision)
            ORDER BY c.seq DESC LIMIT 1
            """)
        let text = ConflictText(
            maker.data.receipt, maker.data.categories, request.language, maker.words)
        let notice = text.notice(
            conflict,
            memberName: try rows.first.map { try $0[0, as: String.self] } ?? maker.words["server.merge.somebody"])
        return page.response(maker.page(merge: notice), for: request, status: .conflict)
    }

    /// Shows the stored receipt, with a notice that nothing was changed.
    private func conflictPage(_ conflict: Conflict, _ request: MemberRequest) async throws -> Response {
        let maker = try await maker(request)
        // A receipt that is being read has no review page.
        if maker.data.receipt.stage == .reading { throw Refusal(.conflict, "stillReading") }
        let problem = Self.problem(conflict, maker, request.language)
        return page.response(maker.page(problem: problem), for: request, status: .conflict)
    }

    /// The message about a form that was not stored at all.
    private static func problem(_ conflict: Conflict, _ maker: ReviewPageMaker, _ language: Language) -> Problem {
        let text = ConflictText(maker.data.receipt, maker.data.categories, language, maker.words)
        return Problem(
            title: maker.words["server.receipt.changed"],
            text: maker.words[
                conflict.changes.isEmpty ? "server.receipt.changed-text" : "server.receipt.replaced-text"],
            details: text.typed(conflict))
    }

    /// The page after confirming: the next receipt of the inbox; after the last receipt, the first. If no receipt
    /// waits, the page of new names. If the confirmed receipt has no new names either, the receipt itself.
    private func next(after id: ReceiptID, _ request: MemberRequest) async throws -> String {
        let rows = try await database.read(
            request.household,
            batch: [
                """
                SELECT r.id FROM receipt r
                JOIN receipt done ON done.household_id = r.household_id AND done.id = \(id)
                WHERE r.household_id = \(request.household) AND r.stage = \(Stage.review.sql)
                    AND r.discarded_at IS NULL AND \(Visibility.condition(request.member))
                ORDER BY (r.created_at, r.id) < (done.created_at, done.id) DESC, r.created_at DESC, r.id DESC LIMIT 1
                """,
                "SELECT 1 FROM \(WaitingNames.source(request.member)) AND r.id = \(id) LIMIT 1",
            ])
        if let row = rows[0].first { return "/receipts/\(try row[0, as: ReceiptID.self])/review" }
        return rows[1].isEmpty ? "/receipts/\(id)" : "/matching"
    }
}
