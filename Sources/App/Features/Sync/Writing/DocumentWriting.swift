import Domain
import JSON
import Postgres

/// Applies a client's document to the tables, with the same checks as the forms, in the transaction that stores its
/// revision.
///
/// Writes only the fields that differ from the stored document, so that an old client does not overwrite fields of
/// newer versions.
struct DocumentWriting {
    let database: Database
    let member: Member
    let changes: HouseholdTransaction
    let key: DocumentKey
    var attachments: [IncomingAttachment] = []

    var household: HouseholdID { changes.household }

    /// Gives the document a new sequence number, because its revisions have changed, even if its content has not.
    func renewSequenceNumber() async throws { changes.changed(key.type, key.id) }

    /// Deletes the document. If other rows refer to the document, its row stays, and a new revision with its content
    /// becomes a child of the deletion.
    ///
    /// - Returns: whether the row was deleted.
    @discardableResult
    func delete() async throws -> Bool {
        guard let revision = try await remove() else {
            try await renewSequenceNumber()
            return false
        }
        changes.deleted(key.type, key.id, lastRevision: revision)
        return true
    }

    /// - Parameters:
    ///   - stored: the stored document; nil for a new document.
    ///   - hasConflicts: whether the merge lost values. A receipt with lost values is not confirmed, so that a person
    ///     reviews it again.
    /// - Returns: values that could not be stored.
    /// - Throws: `DocumentFault`, `Refusal`, `PostgresError`.
    func write(
        _ document: JSONObject, over stored: JSONObject?, hasConflicts: Bool
    ) async throws -> [DocumentMerge.LostField] {
        let (document, removed) = try await removingDeletedReferences(from: document, over: stored)
        let edit = DocumentEdit(before: stored, after: document)
        var lost = removed
        switch key.type {
        case .receipt: lost += try await receipt(edit, hasConflicts: hasConflicts)
        case .image: try await image(edit)
        case .product: try await product(edit)
        case .alias: try await alias(edit)
        case .store: try await store(edit)
        case .category: try await category(edit)
        case .comparisonGroup: try await group(edit)
        case .preferences: try await preferences(edit)
        case .expense: try await expense(edit)
        case .settlement: try await settlement(edit)
        case .budget: try await budget(edit)
        case .expenseRule: try await rule(edit)
        case .recurringExpense: try await recurring(edit)
        case .savingsGoal: try await goal(edit)
        case .exchangeRate: try await rate(edit)
        case .ignoredName, .bankFile, .wine, .wineBottle, .wineScan, .wineCatalogue: break
        }
        try await renewSequenceNumber()
        return lost
    }

    /// Continues the revision numbers of a deleted document that is created again. Otherwise a form or an ETag from
    /// before the deletion could match the revision of the new row.
    func continueRevisions() async throws {
        guard let table = Self.table(of: key.type) else { return }
        try await changes.query(
            """
            UPDATE \(table) d SET revision = l.revision + 1
            FROM (SELECT max(c.revision) AS revision FROM change_log c WHERE c.household_id = \(household)
                AND c.document_id = \(key.id) AND c.document_type = \(key.type.rawValue)) l
            WHERE d.household_id = \(household) AND d.id = \(key.id) AND d.revision <= l.revision
            """)
    }

    /// The table of documents that clients create; nil for other types, and for images, which have no revision.
    private static func table(of type: DocumentType) -> SQL? {
        switch type {
        case .receipt: "receipt"
        case .store: "store"
        case .category: "category"
        case .product: "product"
        case .alias: "product_alias"
        case .comparisonGroup: "comparison_group"
        case .expense: "expense"
        case .settlement: "settlement"
        case .budget: "budget"
        case .expenseRule: "expense_rule"
        case .recurringExpense: "recurring_expense"
        case .savingsGoal: "savings_goal"
        case .exchangeRate: "exchange_rate"
        case .image, .preferences, .ignoredName, .bankFile, .wine, .wineBottle, .wineScan, .wineCatalogue: nil
        }
    }

    /// - Returns: the revision of the removed row; 0 if there was none; nil if the row is kept, because other rows
    ///   refer to it or clients cannot delete documents of this type.
    private func remove() async throws -> Int64? {
        switch key.type {
        case .receipt: try await removeReceipt()
        case .image: try await removeImage()
        case .product: try await ProductEdits.remove(key.id.relabelled(), changes) ?? 0
        case .alias: try await removeAlias()
        case .store: try await removeStore()
        case .category: try await removeCategory()
        case .comparisonGroup: try await GroupEdits.remove(key.id.relabelled(), changes) ?? 0
        case .expense: try await removeExpense()
        case .settlement: try await removeSettlement()
        case .budget: try await removeRow("budget")
        case .expenseRule: try await removeRow("expense_rule")
        case .recurringExpense: try await removeRow("recurring_expense")
        case .savingsGoal: try await removeRow("savings_goal")
        case .exchangeRate: try await removeRate()
        case .preferences, .ignoredName, .bankFile, .wine, .wineBottle, .wineScan, .wineCatalogue: nil
        }
    }
}

/// The document before and after a client's change.
struct DocumentEdit {
    /// Nil for a new document.
    let before: JSONObject?
    let after: JSONObject

    /// Whether the client changed a field. Always true for a new document.
    func changes(_ name: String) -> Bool { before == nil || (before?[name] ?? .null) != (after[name] ?? .null) }

    func text(_ name: String) -> String? { after[name]?.string }

    func person(_ name: String) -> PersonID? { DocumentSchema.person(after[name]) }

    func day(_ name: String) -> LocalDate? { after[name]?.string.flatMap { LocalDate(parsing: $0) } }

    func integer(_ name: String) -> Int64? { after[name]?.integer }

    /// Returns the identifier in a reference such as `category:<uuid>`.
    func reference<Tag>(_ name: String) -> Identifier<Tag>? {
        after[name]?.string.flatMap { DocumentKey($0) }?.id.relabelled()
    }
}
