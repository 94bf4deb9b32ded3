import Domain
import JSON
import Postgres

/// Exchange rates, under the same rules as the form.
extension DocumentWriting {
    func rate(_ edit: DocumentEdit) async throws {
        // Currency and date of a stored rate do not change.
        let creation = DocumentEdit(before: nil, after: edit.before ?? edit.after)
        guard let code = creation.text("currency"), let currency = CurrencyCode(code), currency.code == code,
            currency != .eur
        else { throw DocumentFault("currency: must be an ISO 4217 code other than EUR") }
        let today = WallClock.today()
        guard let day = creation.day("day"), edit.before != nil || (LocalDate.firstPurchaseDay...today).contains(day)
        else {
            throw DocumentFault("day: must be from \(LocalDate.firstPurchaseDay.iso) to today")
        }
        guard let rate = edit.integer("per_euro_millionths") else {
            throw DocumentFault("per_euro_millionths: is required")
        }
        guard edit.changes("per_euro_millionths") else { return }
        if edit.before == nil { try await changes.query(PublishedRates.makeRoom(for: currency, on: day, household)) }
        _ = try await onConstraint(["exchange_rate_pkey": DocumentFault("day: the currency has a rate for this day")]) {
            try await changes.query(
                """
                INSERT INTO exchange_rate AS x (household_id, id, currency, day, per_euro_millionths, digits, source)
                VALUES (\(household), \(key.id), \(currency.code), \(day), \(rate), \(Int64(currency.digits))::smallint,
                    \(ExchangeRates.Source.manual.rawValue))
                ON CONFLICT (household_id, id) DO UPDATE
                SET per_euro_millionths = excluded.per_euro_millionths, source = excluded.source, revision = x.revision + 1
                """)
        }
        try await recompute(day)
    }

    /// Recomputes the sums after a change of a rate.
    private func recompute(_ day: LocalDate) async throws {
        do {
            try await ExchangeRates.recompute([day], changes)
        } catch is AmountTooLarge {
            throw DocumentFault("per_euro_millionths: makes a converted amount too large")
        }
    }

    /// - Returns: the revision of the removed row; 0 if there was none.
    func removeRate() async throws -> Int64 {
        let deletedRow = try await changes.query(
            """
            DELETE FROM exchange_rate WHERE household_id = \(household) AND id = \(key.id) RETURNING revision, day
            """
        ).first((Int64, LocalDate).self)
        guard let (revision, day) = deletedRow else { return 0 }
        try await recompute(day)
        return revision
    }
}
