import Domain
import HTTP
import JSON
import Postgres

/// Writes expenses and settlements, with the same checks as the forms.
extension DocumentWriting {
    private var expenseID: ExpenseID { key.id.relabelled() }

    /// Runs `body` and replaces a refusal of its values by a `DocumentFault` with `reason`.
    func throwingFault<Value>(_ reason: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as Refusal where refusal.status == .badRequest {
            throw DocumentFault(reason)
        }
    }

    // MARK: Expenses

    func expense(_ edit: DocumentEdit) async throws {
        // A client cannot move an existing document to another receipt. So the receipt of the stored version is used.
        let creation = DocumentEdit(before: nil, after: edit.before ?? edit.after)
        if let receipt: ReceiptID = creation.reference("receipt") { return try await receiptExpense(edit, of: receipt) }
        let rows = try await changes.query(batch: [
            StoredExpense.query([expenseID], member), "SELECT currency FROM household WHERE id = \(household)",
        ])
        let stored = try rows[0].decode(StoredExpense.self).first
        var values = try values(edit, home: CurrencyCode(try rows[1].first(Currency.self) ?? .eur))
        let isAuthor = stored == nil || stored?.person == member.person
        if let stored, !isAuthor { values.isPersonal = stored.isPersonal }
        let finalValues = values
        try await throwingFault("category, paid_by: must belong to the household") {
            try await ExpenseEdits.require(finalValues, changes)
        }
        if stored == nil {
            try await ExpenseEdits.insert(
                [NewExpense(id: expenseID, values: values)], source: "manual", changes)
        } else {
            try await changes.query(ExpenseEdits.writing(values, to: expenseID, household))
        }
        try await split(edit, isPossible: !values.isPersonal && values.kind != .withdrawal)
        try await changes.query(Self.paymentAndDeletion(edit, of: expenseID, household))
        if stored?.isDiscarded == true, edit.after["discarded"]?.bool != true {
            try await BankPairEdits.separate([expenseID], changes)
        }
        let days = Set([stored?.day, values.day].compactMap { $0 })
        try await changes.query(batch: ExpenseSums.statements(days: days, household))
    }

    private func values(_ edit: DocumentEdit, home: CurrencyCode) throws -> ExpenseValues {
        let what = (edit.text("what") ?? "").trimmed
        guard !what.isEmpty else { throw DocumentFault("what: is required") }
        guard let minorUnits = edit.integer("amount_minor") else { throw DocumentFault("amount_minor: is required") }
        guard let day = edit.day("day") else { throw DocumentFault("day: is required") }
        let last = WallClock.today().adding(days: 366)
        guard !edit.changes("day") || day >= .firstPurchaseDay && day <= last else {
            throw DocumentFault("day: must be from \(LocalDate.firstPurchaseDay.iso) to \(last.iso)")
        }
        let amount = Amount(minorUnits: minorUnits, currency: try Self.currency(edit.text("currency"), home))
        let stated = try Self.stated(edit, amount.currency, home: home)
        return ExpenseValues(
            kind: edit.text("kind").flatMap(ExpenseKind.init(rawValue:)) ?? .expense, what: what, amount: amount,
            stated: stated, day: day, payee: (edit.text("payee") ?? "").trimmed, category: edit.reference("category"),
            paidBy: edit.person("paid_by"), labels: try Self.labels(edit), note: (edit.text("note") ?? "").trimmed,
            isPersonal: edit.after["is_personal"]?.bool ?? false)
    }

    /// The amount in the household's currency; nil for an expense in that currency. If the household has changed its
    /// currency, an unchanged amount may still be in the previous currency.
    private static func stated(
        _ edit: DocumentEdit, _ currency: CurrencyCode, home: CurrencyCode
    ) throws(DocumentFault) -> Amount? {
        guard let minorUnits = edit.integer("stated_minor"), currency != home else { return nil }
        let code = edit.text("stated_currency") ?? home.code
        let isChanged = edit.changes("stated_minor") || edit.changes("stated_currency")
        guard let stated = CurrencyCode(code), stated == home || !isChanged else {
            throw DocumentFault("stated_currency: must be the household's currency, \(home.code)")
        }
        return Amount(minorUnits: minorUnits, currency: stated)
    }

    private static func currency(_ text: String?, _ home: CurrencyCode) throws(DocumentFault) -> CurrencyCode {
        guard let text else { return home }
        guard let code = CurrencyCode(text), code.code == text else {
            throw DocumentFault("currency: must be an ISO 4217 code such as EUR")
        }
        return code
    }

    static func labels(_ edit: DocumentEdit) throws(DocumentFault) -> [String] {
        let labels = (edit.after["labels"]?.array ?? []).compactMap(\.string)
        guard !labels.contains(where: { $0.contains(",") }) else { throw DocumentFault("labels: must have no commas") }
        let result = TypedExpense.labels(labels.joined(separator: ","))
        guard TypedExpense.allowsLabels(result) else {
            throw DocumentFault("labels: must have at most \(TextLimit.labels) characters together")
        }
        return result
    }

    /// Updates the payment date and the deletion mark.
    private static func paymentAndDeletion(_ edit: DocumentEdit, of id: ExpenseID, _ household: HouseholdID) -> SQL {
        """
        UPDATE expense SET paid_on = \(edit.day("paid_on")), discarded_at = CASE
            WHEN \(edit.after["discarded"]?.bool ?? false) THEN coalesce(discarded_at, now()) END
        WHERE household_id = \(household) AND id = \(id)
        """
    }

    /// Replaces the shares. Shares are weights with any sum. The sum is not required to be 100 %, for example, because
    /// a merge may change a single share.
    ///
    /// If a client changes the shares of a split by line but not its lines, the method becomes a split by amounts.
    /// Otherwise the next change of the receipt would replace these shares by shares computed from the lines.
    private func split(_ edit: DocumentEdit, isPossible: Bool) async throws {
        let byLine = Self.byLine(edit.after)
        let changesLines = edit.changes("taken") || edit.changes("shared_by")
        guard edit.changes("split") || edit.changes("shares") || changesLines || !isPossible else { return }
        var method = edit.text("split").flatMap(SplitMethod.init(rawValue:))
        var weights = method == nil || !isPossible ? [:] : Self.shares(edit.after)
        let members = try await requireMembers(weights, edit)
        let before = Self.byLine(edit.before ?? [:])
        let allowedPeople = Set(members).union(before.taken.values).union(before.sharedBy)
        guard byLine.sharedBy.allSatisfy(allowedPeople.contains), byLine.taken.values.allSatisfy(allowedPeople.contains)
        else { throw DocumentFault("taken, shared_by: must name members of the household") }
        if method == .lines, !byLine.isEmpty, !changesLines, !edit.changes("split") {
            weights = try await amounts(weights)
            method = .exact
        }
        try await changes.query(
            batch: [
                """
                UPDATE expense SET split = \(weights.isEmpty ? "" : method?.rawValue ?? "")
                WHERE household_id = \(household) AND id = \(expenseID)
                """
            ] + SplitEdits.shares(weights, of: expenseID, household)
                + (method == .lines && isPossible ? byLine : LineSplit()).replacing(on: expenseID, household))
    }

    /// Divides the total of the receipt in proportion to the weights. Returns the weights if the receipt has no total.
    private func amounts(_ weights: [PersonID: Int64]) async throws -> [PersonID: Int64] {
        let total =
            try await changes.query(
                """
                SELECT \(RollUps.total) FROM expense e
                JOIN receipt r ON r.household_id = e.household_id AND r.id = e.receipt_id
                WHERE e.household_id = \(household) AND e.id = \(expenseID)
                """
            ).first(Int64?.self) ?? nil
        guard let total, total != 0 else { return weights }
        let people = weights.keys.sorted()
        let parts = Division.parts(of: abs(total), weights: people.map { weights[$0] ?? 0 })
        return Dictionary(uniqueKeysWithValues: zip(people, parts)).filter { $0.value > 0 }
    }

    /// Checks that each share belongs to a member of the household or to a person in the stored document. Returns the
    /// members.
    ///
    /// - Throws: `DocumentFault`.
    func requireMembers(_ weights: [PersonID: Int64], _ edit: DocumentEdit) async throws -> [PersonID] {
        let members = try await changes.query(
            "SELECT person_id FROM membership WHERE household_id = \(household)"
        ).decode(PersonID.self)
        let known = Set(members).union(Self.shares(edit.before).keys)
        guard weights.keys.allSatisfy(known.contains) else {
            throw DocumentFault("shares: must name members of the household")
        }
        return members
    }

    /// The weights of the persons in a document.
    static func shares(_ body: JSONObject?) -> [PersonID: Int64] {
        Dictionary(
            (body?["shares"]?.array ?? []).compactMap { share in
                DocumentSchema.person(share["person"]).map { ($0, share["weight"]?.integer ?? 1) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The people of each line in a document.
    private static func byLine(_ body: JSONObject) -> LineSplit {
        var split = LineSplit()
        for part in body["taken"]?.array ?? [] {
            guard let line = part["line"]?.string.flatMap({ ReceiptLineID($0) }),
                let person = DocumentSchema.person(part["person"])
            else { continue }
            split.taken[line] = person
        }
        split.sharedBy = (body["shared_by"]?.array ?? []).compactMap { DocumentSchema.person($0) }
        return split
    }

    // MARK: Additions to a receipt

    private func receiptExpense(_ edit: DocumentEdit, of receipt: ReceiptID) async throws {
        let receiptRow = try await changes.query(
            """
            SELECT r.purchase_day, h.currency, r.currency FROM receipt r JOIN household h ON h.id = \(household)
            WHERE r.household_id = \(household) AND r.id = \(receipt) AND \(Visibility.condition(member))
            """
        ).first((LocalDate?, Currency, Currency).self)
        guard let (day, home, currency) = receiptRow else { throw DocumentFault("receipt: unknown receipt") }
        let category: CategoryID? = edit.reference("category")
        let (labels, note) = (try Self.labels(edit), (edit.text("note") ?? "").trimmed)
        let values = ExpenseValues(
            kind: .expense, what: "", amount: Amount(minorUnits: 1), stated: nil, day: .firstPurchaseDay, payee: "",
            category: category, paidBy: edit.person("paid_by"), labels: labels, note: note, isPersonal: false)
        try await throwingFault("category, paid_by: must belong to the household") {
            try await ExpenseEdits.require(values, changes)
        }
        let stated = try Self.stated(edit, CurrencyCode(currency), home: CurrencyCode(home))
        let decision = (category == nil ? "" : CategoryDecision.person.rawValue) as String
        _ = try await onConstraint([
            "expense_receipt_key": DocumentFault("receipt: another expense document belongs to this receipt")
        ]) {
            try await changes.query(
                """
                INSERT INTO expense AS e (household_id, id, receipt_id, category_id, category_source, note, labels, person_id,
                    paid_by, stated_minor, stated_currency)
                VALUES (\(household), \(expenseID), \(receipt), \(category), \(decision), \(note), \(labels),
                    \(changes.person), \(values.paidBy), \(stated?.minorUnits), \(stated?.currency.code))
                ON CONFLICT (household_id, id) DO UPDATE
                SET category_source = CASE WHEN e.category_id IS DISTINCT FROM excluded.category_id
                        THEN excluded.category_source ELSE e.category_source END,
                    category_id = excluded.category_id, note = excluded.note, labels = excluded.labels,
                    paid_by = excluded.paid_by, stated_minor = excluded.stated_minor,
                    stated_currency = excluded.stated_currency, revision = e.revision + 1, updated_at = now()
                """)
        }
        try await split(edit, isPossible: true)
        if edit.changes("taken") || edit.changes("shared_by") { try await LineSplit.recompute([receipt], changes) }
        try await changes.query(Self.paymentAndDeletion(edit, of: expenseID, household))
        if let day { try await changes.query(batch: RollUps.spending(days: [day], household)) }
    }

    func removeExpense() async throws -> Int64? {
        let expenseRow = try await changes.query(
            """
            SELECT e.revision, coalesce(e.day, r.purchase_day), e.receipt_id IS NOT NULL
            FROM expense e LEFT JOIN receipt r ON r.household_id = e.household_id AND r.id = e.receipt_id
            WHERE e.household_id = \(household) AND e.id = \(expenseID)
            """
        ).first((Int64, LocalDate?, Bool).self)
        guard let (revision, day, isReceipt) = expenseRow else { return 0 }
        try await changes.query("DELETE FROM expense WHERE household_id = \(household) AND id = \(expenseID)")
        guard let day else { return revision }
        try await changes.query(
            batch: isReceipt
                ? RollUps.spending(days: [day], household) : ExpenseSums.statements(days: [day], household))
        return revision
    }

    // MARK: Settlements

    func settlement(_ edit: DocumentEdit) async throws {
        let id: SettlementID = key.id.relabelled()
        if edit.before == nil {
            guard let from = edit.person("from"), let to = edit.person("to"), let day = edit.day("day"),
                let amount = edit.integer("amount_minor"), let text = edit.text("currency")
            else { throw DocumentFault("from, to, amount_minor, currency, day: are required") }
            let currency = try Self.currency(text, .eur)
            guard day >= .firstPurchaseDay, day <= WallClock.today() else {
                throw DocumentFault("day: must be from \(LocalDate.firstPurchaseDay.iso) to today")
            }
            try await throwingFault("from, to: must be two members of the household") {
                try await Settlements.insert(
                    id, from: from, to: to, Amount(minorUnits: amount, currency: currency), on: day, changes)
            }
        }
        let isDiscarded = edit.after["discarded"]?.bool ?? false
        guard isDiscarded != (edit.before?["discarded"]?.bool ?? false) else { return }
        try await Settlements.setDiscarded(isDiscarded, id, changes)
    }

    func removeSettlement() async throws -> Int64? {
        let settlementRow = try await changes.query(
            "DELETE FROM settlement WHERE household_id = \(household) AND id = \(key.id) RETURNING revision, day"
        ).first((Int64, LocalDate).self)
        guard let (revision, day) = settlementRow else { return 0 }
        try await changes.query(batch: BalanceSums.statements(months: [day.month.firstDay], household))
        return revision
    }
}
