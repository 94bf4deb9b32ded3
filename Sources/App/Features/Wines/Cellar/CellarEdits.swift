import Domain
import HTTP
import Postgres
import Templates

/// Changes to marks and bottles. Each operation is one transaction. Marking a wine or adding bottles first copies the
/// wine from the operator's catalogue if the household has no copy.
struct CellarEdits: Sendable {
    let database: Database

    /// The values of the bottle form.
    struct BottleValues: Sendable {
        let count: Int64
        let place: String
        let boughtOn: LocalDate?
        let price: Amount?
    }

    /// - Returns: whether the mark saves a wine that the member had not saved before.
    /// - Throws: `Refusal.notFound`, `WineQuotaError`.
    func mark(_ id: WineID, _ mark: WineFacts.Mark, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            try await WineEdits.copyFromShared(id, changes)
            let stored = try await changes.query(
                """
                SELECT is_saved FROM wine_mark
                WHERE household_id = \(changes.household) AND wine_id = \(id) AND person_id = \(member.person)
                """)
            let wasSaved = try stored.first(Bool.self) ?? false
            try await changes.query(
                """
                INSERT INTO wine_mark (household_id, wine_id, person_id, is_saved, is_tasted, is_wanted, points, note)
                VALUES (\(changes.household), \(id), \(member.person), \(mark.isSaved), \(mark.isTasted), \(mark.isWanted),
                    \(mark.points)::smallint, \(mark.note))
                ON CONFLICT (household_id, wine_id, person_id) DO UPDATE SET is_saved = excluded.is_saved,
                    is_tasted = excluded.is_tasted, is_wanted = excluded.is_wanted, points = excluded.points,
                    note = excluded.note, changed_at = now()
                """)
            try await WineEdits.raiseRevision(id, changes)
            changes.changed(.wine, id)
            return mark.isSaved && !wasSaved
        }
    }

    /// - Parameters:
    ///   - line: the line of a receipt that becomes the bottles. A line becomes bottles only once.
    ///   - form: identifies the submitted form. A form that is sent twice adds the bottles once.
    /// - Throws: `Refusal.notFound`, `WineQuotaError`, `RepeatedForm`.
    func add(
        _ values: BottleValues, of id: WineID, line: ReceiptLineID? = nil, form: OperationID? = nil, by member: Member
    ) async throws {
        let bottle = WineBottleID.new()
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireFirst(form)
            try await WineEdits.copyFromShared(id, changes)
            let added = try await changes.query(
                """
                INSERT INTO wine_bottle (household_id, id, wine_id, count, place, bought_on, price_minor, currency,
                    receipt_line_id)
                VALUES (\(changes.household), \(bottle), \(id), \(values.count)::integer, \(values.place), \(values.boughtOn),
                    \(values.price?.minorUnits), \(values.price?.currency.code), \(line))
                ON CONFLICT (household_id, receipt_line_id) DO NOTHING RETURNING id
                """)
            if !added.isEmpty { changes.changed(.wineBottle, bottle) }
        }
    }

    /// Changes the number of bottles and the place where they are stored. Drinking a bottle reduces the number by one.
    ///
    /// - Returns: the wine in the bottles.
    /// - Throws: `Conflict`, `Refusal.notFound`.
    func change(_ id: WineBottleID, count: Int64, place: String?, revision: Int64?, by member: Member) async throws
        -> WineID
    {
        try await database.write(member.household, by: member.person) { changes in
            let rows = try await changes.query(
                """
                SELECT revision, wine_id FROM wine_bottle WHERE household_id = \(changes.household) AND id = \(id)
                """)
            guard let (stored, wine) = try rows.first((Int64, WineID).self) else { throw Refusal.notFound }
            try Conflict.requireRevision(stored, shown: revision)
            try await changes.query(
                """
                UPDATE wine_bottle SET count = \(count)::integer, place = coalesce(\(place), place),
                    revision = revision + 1
                WHERE household_id = \(changes.household) AND id = \(id)
                """)
            changes.changed(.wineBottle, id)
            return wine
        }
    }
}
