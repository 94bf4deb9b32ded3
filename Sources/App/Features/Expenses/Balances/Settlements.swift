import Domain
import Postgres

/// Records, deletes and restores payments between members.
struct Settlements: Sendable {
    let database: Database

    /// - Parameters:
    ///   - isProposed: whether the member chose one of the payments that the page proposes to settle the balances.
    ///   - form: the submitted form, which has an effect only once; nil for other requests.
    /// - Throws: `Refusal.badRequest` unless both are members or former members with a balance; `RepeatedForm`;
    ///   `Conflict` if a proposed payment no longer settles the balances, for example because another member has
    ///   recorded it.
    func add(
        from: PersonID, to: PersonID, _ amount: Amount, on day: LocalDate, isProposed: Bool = false,
        form: OperationID? = nil, by member: Member
    ) async throws -> SettlementID {
        let id = SettlementID.new()
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireFirst(form)
            if isProposed {
                let balances = try await changes.query(
                    """
                    SELECT b.person_id, sum(b.amount_minor)::bigint FROM balance_month b
                    WHERE b.household_id = \(changes.household) AND b.currency = \(amount.currency.code)
                    GROUP BY 1 HAVING sum(b.amount_minor) <> 0
                    """
                ).decode((PersonID, Int64).self)
                let open = DebtSettlement.transfers(Dictionary(balances.map { ($0.0, $0.1) }) { first, _ in first })
                guard open.contains(where: { $0.from == from && $0.to == to && $0.amount == amount.minorUnits }) else {
                    throw Conflict()
                }
            }
            try await Self.insert(id, from: from, to: to, amount, on: day, changes)
        }
        return id
    }

    /// - Throws: `Refusal.badRequest` unless both are members or former members with a balance.
    static func insert(
        _ id: SettlementID, from: PersonID, to: PersonID, _ amount: Amount, on day: LocalDate,
        _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let people = try await changes.query(
            """
            SELECT person_id FROM membership WHERE household_id = \(household)
            UNION SELECT person_id FROM balance_month WHERE household_id = \(household)
            """
        ).decode(PersonID.self)
        guard from != to, people.contains(from), people.contains(to) else { throw Refusal.badRequest }
        try await changes.query(
            """
            INSERT INTO settlement (household_id, id, from_person, to_person, amount_minor, currency, day)
            VALUES (\(household), \(id), \(from), \(to), \(amount.minorUnits), \(amount.currency.code), \(day))
            """)
        changes.changed(.settlement, id)
        try await changes.query(batch: BalanceSums.statements(months: [day.month.firstDay], household))
    }

    /// Marks a payment as deleted, or restores it.
    ///
    /// - Parameter revision: the expected revision; nil for any.
    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func setDiscarded(
        _ isDiscarded: Bool, _ id: SettlementID, revision: Int64? = nil, by member: Member
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            try await Self.setDiscarded(isDiscarded, id, revision: revision, changes)
        }
    }

    static func setDiscarded(
        _ isDiscarded: Bool, _ id: SettlementID, revision: Int64? = nil, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let settlement = try await changes.query(
            """
            SELECT day, discarded_at IS NOT NULL, revision FROM settlement
            WHERE household_id = \(household) AND id = \(id)
            """
        ).first((LocalDate, Bool, Int64).self)
        guard let (day, wasDiscarded, stored) = settlement else { throw try await changes.errorForMissing(id) }
        guard wasDiscarded != isDiscarded else { return }
        try Conflict.requireRevision(stored, shown: revision)
        try await changes.query(
            """
            UPDATE settlement SET discarded_at = CASE WHEN \(isDiscarded) THEN now() END, revision = revision + 1
            WHERE household_id = \(household) AND id = \(id)
            """)
        changes.changed(.settlement, id)
        try await changes.query(batch: BalanceSums.statements(months: [day.month.firstDay], household))
    }
}
