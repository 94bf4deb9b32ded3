import Domain
import HTTP
import Postgres

/// Unsent forms of the review page, one for each person and receipt.
///
/// The page's script stores the form while a person types. The next visit shows it again. When the form is sent, it is
/// merged with changes by others, like any other form.
struct ReviewDrafts: Sendable {
    let database: Database

    /// Stores a form, and replaces the previously stored form. Does not store the form while the receipt is being read.
    /// Also does not store it if this person has changed the receipt since `revision`, because the form was then
    /// probably sent already.
    ///
    /// - Parameter revision: the receipt's revision on the page.
    /// - Returns: whether the form was stored.
    /// - Throws: `Refusal.notFound` for a receipt that does not exist or that this member may not see.
    func store(_ form: FormFields, revision: Int64, of id: ReceiptID, _ member: Member) async throws -> Bool {
        try await requireReceipt(id, member)
        let text = form.fields.filter { $0.name != "csrf" }
            .map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
        let rows = try await database.store(
            member.household,
            """
            INSERT INTO review_draft (household_id, receipt_id, person_id, form)
            SELECT r.household_id, r.id, \(member.person), \(text) FROM receipt r
            WHERE r.household_id = \(member.household) AND r.id = \(id) AND \(Visibility.condition(member))
                AND r.stage <> \(Stage.reading.sql)
                AND NOT EXISTS (SELECT 1 FROM change_log c WHERE c.household_id = r.household_id
                    AND c.document_id = r.id AND c.revision > \(revision) AND c.person_id = \(member.person))
            ON CONFLICT (household_id, receipt_id, person_id)
            DO UPDATE SET form = excluded.form, saved_at = now()
            RETURNING receipt_id
            """)
        return !rows.isEmpty
    }

    /// Returns the typed values if the receipt was read again since the page was shown. The unsent form cannot be sent
    /// then, because none of its lines exists any more. Otherwise returns nil.
    func conflict(
        of form: ReviewForm, with receipt: StoredReceipt, _ household: HouseholdID
    ) async throws -> Conflict? {
        let stored = Set(receipt.draft.lines.lazy.map(\.key))
        guard form.revision != receipt.revision, !stored.isEmpty, stored.isDisjoint(with: form.keys) else { return nil }
        let rows = try await database.read(
            household, ReviewDraft.loggedQuery(receipt.id, form.revision, household))
        guard let base = try ReviewDraft.logged(rows), !base.lines.isEmpty,
            stored.isDisjoint(with: base.lines.lazy.map(\.key))
        else { return nil }
        return Conflict(nothingStoredOf: form.completed(over: base), since: base)
    }

    /// Deletes the unsent form.
    ///
    /// - Throws: `Refusal.notFound` for a receipt that does not exist or that this member may not see.
    func discard(_ id: ReceiptID, _ member: Member) async throws {
        try await requireReceipt(id, member)
        try await database.store(member.household, batch: [Self.deletion(id, member)])
    }

    private func requireReceipt(_ id: ReceiptID, _ member: Member) async throws {
        let rows = try await database.read(
            member.household,
            """
            SELECT 1 FROM receipt r
            WHERE r.household_id = \(member.household) AND r.id = \(id) AND \(Visibility.condition(member))
            """)
        guard !rows.isEmpty else { throw Refusal.notFound }
    }

    static func deletion(_ id: ReceiptID, _ member: Member) -> SQL {
        """
        DELETE FROM review_draft
        WHERE household_id = \(member.household) AND receipt_id = \(id) AND person_id = \(member.person)
        """
    }

    /// Selects the stored form's text, if there is one.
    static func query(_ id: ReceiptID, _ member: Member) -> SQL {
        """
        SELECT form FROM review_draft
        WHERE household_id = \(member.household) AND receipt_id = \(id) AND person_id = \(member.person)
        """
    }

    /// Decodes the fields of a stored form.
    static func form(_ text: String) -> FormFields? {
        try? FormFields(urlencoded: Array(text.utf8), limit: ReviewForm.maximumFields)
    }
}
