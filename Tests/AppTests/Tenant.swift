import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// A household with one document of every kind that an address, a form field or a filter can name.
struct Tenant {
    let owner: Browser
    let household: HouseholdID
    /// Identifiers by the name that routes and forms give them; the first one is used where one is enough.
    let ids: [String: [String]]
    /// A word in every text of this household and in no other.
    let mark: String

    /// The second identifier of this name, or the first if there is only one.
    func second(_ name: String) -> String { ids[name]?.dropFirst().first ?? ids[name]?.first ?? "" }
    func first(_ name: String) -> String { ids[name]?.first ?? "" }

    static func make(_ harness: AppHarness, mark: String) async throws -> Tenant {
        try more(
            try harness.owner(), of: try await harness.signUp("\(mark) Berger", household: "\(mark)haus"), mark: mark)
    }

    /// Adds one more document of every kind to the household of `owner`; `mark` makes their names different.
    static func more(_ connection: SynchronousConnection, of owner: Browser, mark: String) throws -> Tenant {
        let household = owner.household
        var seed = TenantSeed(connection: connection, household: household, person: owner.person, mark: mark)
        try connection.query("BEGIN")
        try seed.storesAndProducts()
        try seed.receipts()
        try seed.history()
        try seed.people()
        try seed.waitingFile()
        try seed.upload()
        // Catalogues are kept as of a number of the change log.
        try connection.query("UPDATE household SET sync_seq = sync_seq + 1 WHERE id = \(household)")
        try seed.expenses()
        try seed.bankFiles()
        try seed.wines()
        try seed.plans()
        try connection.query("COMMIT")
        return Tenant(owner: owner, household: household, ids: seed.ids, mark: mark)
    }

    /// For each table a checksum of all rows of this household, including its people.
    func checksums(_ connection: SynchronousConnection) throws -> [String: String] {
        let tables = try connection.query(
            """
            SELECT table_name::text FROM information_schema.columns
            WHERE table_schema = 'public' AND column_name = 'household_id' ORDER BY 1
            """
        ).decode(String.self)
        var sums: [String: String] = [:]
        for table in tables {
            // The names come from the system catalogs, so they need no quoting.
            let rows = try connection.query(
                SQL(
                    uncheckedText:
                        "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM \(table) t WHERE ")
                    + "household_id = \(household)")
            sums[table] = try rows.first(String.self)
        }
        sums["household"] = try connection.query("SELECT md5(h::text) FROM household h WHERE id = \(household)")
            .first(String.self)
        sums["person"] = try connection.query(
            """
            SELECT md5(string_agg(p::text, '|' ORDER BY p.id)) FROM person p
            WHERE id IN (SELECT person_id FROM membership WHERE household_id = \(household))
            """
        ).first(String.self)
        return sums
    }
}

/// Rows inserted directly.
private struct TenantSeed {
    let connection: SynchronousConnection
    let household: HouseholdID
    let person: PersonID
    let mark: String
    var ids: [String: [String]] = [:]

    private mutating func name<Tag>(_ id: Identifier<Tag>, _ names: String...) {
        for name in names { ids[name, default: []].append(id.description) }
    }

    private let store = StoreID.new()
    private let products = [ProductID.new(), ProductID.new()]

    init(connection: SynchronousConnection, household: HouseholdID, person: PersonID, mark: String) {
        self.connection = connection
        self.household = household
        self.person = person
        self.mark = mark
        ids["day"] = ["2026-02-01"]
        ids["page"] = ["1"]
        ids["household"] = [household.description]
    }

    mutating func storesAndProducts() throws {
        try connection.query(
            """
            INSERT INTO store (household_id, id, chain, name) VALUES (\(household), \(store), 'spar', \("\(mark)markt"))
            """)
        let unused = StoreID.new()
        try connection.query(
            """
            INSERT INTO store (household_id, id, chain, name) VALUES (\(household), \(unused), 'spar', \("\(mark)laden"))
            """)
        name(store, "store", "other-store")
        name(unused, "store", "other-store")
        let ignored = IgnoredNameID.new()
        try connection.query(
            """
            INSERT INTO ignored_name (household_id, id, chain, alias_key)
            VALUES (\(household), \(ignored), 'spar', \("\(mark.lowercased()) tasche"))
            """)
        name(ignored, "ignored")
        let batch = MatchingBatchID.new()
        try connection.query("INSERT INTO matching_batch (household_id, id) VALUES (\(household), \(batch))")
        name(batch, "batch")
        let group = ComparisonGroupID.new()
        try connection.query(
            """
            INSERT INTO comparison_group (household_id, id, name, base_unit)
            VALUES (\(household), \(group), \("\(mark)milch"), 'l')
            """)
        name(group, "group")
        let category = CategoryID.new()
        try connection.query(
            """
            INSERT INTO category (household_id, id, name) VALUES (\(household), \(category), \("\(mark)ware"))
            """)
        let empty = CategoryID.new()
        try connection.query(
            """
            INSERT INTO category (household_id, id, name) VALUES (\(household), \(empty), \("\(mark)leeres"))
            """)
        name(category, "category", "other-category")
        name(empty, "category", "other-category")
        for (index, product) in products.enumerated() {
            let alias = AliasID.new()
            try connection.query(
                """
                INSERT INTO product (household_id, id, chain, name, category_id, comparison_group_id)
                VALUES (\(household), \(product), 'spar', \("\(mark)produkt \(index)"), \(category), \(group))
                """)
            try connection.query(
                """
                INSERT INTO product_alias (household_id, id, chain, alias_key, printed_name, product_id)
                VALUES (\(household), \(alias), 'spar', \("\(mark.lowercased()) \(index)"), \("\(mark) \(index)"), \(product))
                """)
            try connection.query(
                """
                INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit)
                VALUES (\(household), \(product), '2026-02-01', 1000, 'l')
                """)
            name(product, "product")
            name(alias, "alias")
        }
    }

    /// One receipt in review, one being read, one booked, one discarded.
    mutating func receipts() throws {
        for stage in ["review", "reading", "confirmed", "discarded"] {
            let receipt = ReceiptID.new()
            try connection.query(
                """
                INSERT INTO receipt (household_id, id, stage, verdict, store_id, purchase_day, total_minor, person_id, note,
                    discarded_at, printed_store)
                VALUES (\(household), \(receipt), \(stage == "discarded" ? "review" : stage), 'review', \(store),
                    '2026-03-04', 199, \(person), \("\(mark)notiz"), CASE WHEN \(stage == "discarded") THEN now() END,
                    jsonb_build_object('name', \("\(mark)markt")::text))
                """)
            name(receipt, "receipt")
            let line = ReceiptLineID.new()
            let isBound = stage == "confirmed"
            try connection.query(
                """
                INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key, total_minor,
                    product_id)
                VALUES (\(household), \(line), \(receipt), 0, 'item', \("\(mark) NEU \(stage)"),
                    \("\(mark.lowercased()) neu \(stage)"), 199, \(isBound ? products[0] : nil))
                """)
            if !isBound { name(line, "line") }
            try pictures(of: receipt, isWaiting: stage == "reading")
        }
        try connection.query(
            """
            INSERT INTO price (household_id, id, product_id, store_id, day, regular_thousandths, paid_thousandths,
                quantity_thousandths, unit, receipt_id)
            SELECT household_id, \(PriceID.new()), \(products[0]), \(store), '2026-03-04', 199000, 199000, 1000, 'piece', id
            FROM receipt WHERE household_id = \(household) AND stage = 'confirmed' AND note = \("\(mark)notiz")
            """)
    }

    /// Two changes of the first receipt, and a value that lost a merge.
    mutating func history() throws {
        guard let receipt = ids["receipt"]?.first.flatMap({ ReceiptID($0) }) else { return }
        // Numbers of changes differ between households.
        let first = try connection.query(
            """
            UPDATE household SET sync_seq = sync_seq + \(Int64(mark.utf8.count) * 1_000) WHERE id = \(household)
            RETURNING sync_seq - 1
            """
        ).first(Int64.self)
        guard let first else { return }
        for (seq, total) in [(first, 100), (first + 1, 199)] as [(Int64, Int64)] {
            try connection.query(
                """
                INSERT INTO change_log (household_id, seq, document_type, document_id, revision, body, person_id)
                SELECT \(household), \(seq), 'receipt', id, 1,
                    to_jsonb(r) || jsonb_build_object('total_minor', \(total), 'lines', '[]'::jsonb), \(person)
                FROM receipt r WHERE household_id = \(household) AND id = \(receipt)
                """)
        }
        ids["change"] = [String(first + 1)]
        let value = Identifier<Void>.new()
        try connection.query(
            """
            INSERT INTO lost_value (household_id, id, document_type, document_id, field, kept, lost, person_id, rev)
            VALUES (\(household), \(value), 'receipt', \(receipt), 'deleted', 'false', 'true', \(person), '1-a')
            """)
        ids["value"] = [value.description]
    }

    private mutating func pictures(of receipt: ReceiptID, isWaiting: Bool) throws {
        let blob = BlobID.new()
        try connection.query(
            """
            INSERT INTO blob (household_id, id, purpose, media_type, size)
            VALUES (\(household), \(blob), \(isWaiting ? "original" : "display"), 'image/jpeg', 4)
            """)
        try connection.query(
            """
            INSERT INTO blob_chunk (household_id, blob_id, n, bytes)
            VALUES (\(household), \(blob), 0, \([0xff, 0xd8, 0xff, 0xe0] as [UInt8]))
            """)
        let file = FileID.new()
        try connection.query(
            """
            INSERT INTO receipt_file (household_id, id, receipt_id, position, name, media_type, size, digest, blob_id)
            VALUES (\(household), \(file), \(receipt), 0, \("\(mark).jpg"), 'image/jpeg', 4, \(Array(file.description.utf8)),
                \(isWaiting ? blob : nil))
            """)
        name(file, "receipt-file")
        guard !isWaiting else { return }
        for n in 0..<2 as Range<Int32> {
            try connection.query(
                """
                INSERT INTO receipt_page (household_id, receipt_id, n, file_id, reading_blob_id, display_blob_id,
                    preview_blob_id, width, height)
                VALUES (\(household), \(receipt), \(n), \(file), \(blob), \(blob), \(blob), 100, 200)
                """)
        }
    }

    /// A second member, a second session of the owner, an open invitation.
    mutating func people() throws {
        let other = PersonID.new()
        try connection.query(
            """
            INSERT INTO person (id, login, name, password_hash)
            VALUES (\(other), \("\(other)@example.at"), \("\(mark) Zweite"), 'none')
            """)
        try connection.query(
            """
            INSERT INTO membership (household_id, person_id, role) VALUES (\(household), \(other), 'member')
            """)
        name(other, "person", "member")
        let session = SessionID.new()
        try connection.query(
            """
            INSERT INTO session (token_hash, id, person_id, household_id, csrf_secret, expires_at)
            VALUES (\(Array(session.description.utf8)), \(session), \(person), \(household),
                \(Array(session.description.utf8)), now() + interval '1 day')
            """)
        name(session, "session")
        let key = KeyID.new()
        try connection.query(
            """
            INSERT INTO api_key (token_hash, id, household_id, person_id, name, hint, scopes)
            VALUES (\(Array(key.description.utf8)), \(key), \(household), \(person), \("\(mark)schlüssel"), 'at_',
                \(KeyScope.allCases))
            """)
        name(key, "key")
        try webhook()
        let invitation = InvitationID.new()
        try connection.query(
            """
            INSERT INTO invitation (token_hash, id, household_id, role, created_by, expires_at)
            VALUES (\(Array(invitation.description.utf8)), \(invitation), \(household), 'member', \(person),
                now() + interval '1 day')
            """)
        name(invitation, "invitation")
        // Links contain secrets, not identifiers; the identifier must not work in a link.
        name(invitation, "token")
    }

    /// A webhook with a message that was given up.
    mutating func webhook() throws {
        let (webhook, delivery) = (WebhookID.new(), DeliveryID.new())
        try connection.query(
            """
            INSERT INTO webhook (household_id, id, url, events, secret)
            VALUES (\(household), \(webhook), \("http://\(mark.lowercased()).invalid/"), ARRAY['receipt.read'],
                \("whs_\(mark)"))
            """)
        try connection.query(
            """
            INSERT INTO webhook_delivery (household_id, id, webhook_id, event, subject, body, dead_at)
            VALUES (\(household), \(delivery), \(webhook), 'test', \(mark), '{}', now())
            """)
        name(webhook, "webhook")
        name(delivery, "delivery")
    }

    /// Two expenses without paper, a budget, a payment between two members.
    mutating func expenses() throws {
        for _ in 0..<2 {
            let expense = ExpenseID.new()
            try connection.query(
                """
                INSERT INTO expense (household_id, id, what, amount_minor, currency, day, payee, payee_key, note, labels,
                    person_id, paid_by)
                VALUES (\(household), \(expense), \("\(mark)ausgabe"), 250, 'EUR', '2026-03-05', \("\(mark)wirt"),
                    \("\(mark.lowercased())wirt"), \("\(mark)notiz"), ARRAY[\("\(mark)wort")], \(person), \(person))
                """)
            name(expense, "expense")
        }
        let budget = BudgetID.new()
        try connection.query(
            """
            INSERT INTO budget (household_id, id, name, starts_on)
            VALUES (\(household), \(budget), \("\(mark)budget"), '2026-03-01')
            """)
        try connection.query(
            """
            INSERT INTO budget_limit (household_id, budget_id, valid_from, limit_minor)
            VALUES (\(household), \(budget), '2026-03-01', 5000)
            """)
        name(budget, "budget")
        try connection.query(
            """
            INSERT INTO exchange_rate (household_id, currency, day, per_euro_millionths)
            VALUES (\(household), 'USD', \(ids["day"]?.first ?? "2026-03-04")::date, 1250000)
            ON CONFLICT DO NOTHING
            """)
        ids["currency"] = ["USD"]
        let settlement = SettlementID.new()
        try connection.query(
            """
            INSERT INTO settlement (household_id, id, from_person, to_person, amount_minor, currency, day)
            SELECT \(household), \(settlement), \(person), person_id, 100, 'EUR', '2026-03-05' FROM membership
            WHERE household_id = \(household) AND person_id <> \(person) LIMIT 1
            """)
        name(settlement, "settlement")
    }

    /// A rule that was applied, a recurring expense, a savings goal.
    mutating func plans() throws {
        let deposit = SavingsDepositID.new()
        let (rule, run, recurring, goal) = (
            ExpenseRuleID.new(), RuleRunID.new(), RecurringExpenseID.new(), SavingsGoalID.new()
        )
        try connection.query(
            """
            INSERT INTO expense_rule (household_id, id, position, contains, labels)
            VALUES (\(household), \(rule), 1, \("\(mark)regel"), ARRAY[\("\(mark)wort")])
            """)
        try connection.query(
            """
            INSERT INTO expense_rule_run (household_id, id, rule_id, name)
            VALUES (\(household), \(run), \(rule), \("\(mark)regel"))
            """)
        try connection.query(
            """
            INSERT INTO recurring_expense (household_id, id, name, payee_key, repeats, month_day, amount_minor, starts_on,
                person_id)
            VALUES (\(household), \(recurring), \("\(mark)miete"), \("\(mark.lowercased())miete"), 'month', 1, 90000,
                '2026-03-01', \(person))
            """)
        try connection.query(
            """
            INSERT INTO savings_goal (household_id, id, name, target_minor, starts_on, until)
            VALUES (\(household), \(goal), \("\(mark)ziel"), 100000, '2026-03-01', '2027-03-01')
            """)
        try connection.query(
            """
            INSERT INTO savings_deposit (household_id, id, goal_id, day, amount_minor, person_id)
            VALUES (\(household), \(deposit), \(goal), '2026-03-05', 5000, \(person))
            """)
        name(rule, "rule")
        name(run, "run")
        name(recurring, "recurring")
        name(goal, "goal")
        name(deposit, "deposit")
    }

    /// A bank's file that waits, and one that was imported.
    mutating func bankFiles() throws {
        for isDone in [false, true] {
            let file = BankImportID.new()
            try connection.query(
                """
                INSERT INTO bank_import (household_id, id, person_id, name, format, content, confirmed_at)
                VALUES (\(household), \(file), \(person), \("\(mark).csv"), 'csv',
                    CASE WHEN NOT \(isDone) THEN \("Datum;Name;Betrag\n05.03.2026;\(mark)bank;-9,90\n") END,
                    CASE WHEN \(isDone) THEN now() END)
                """)
            name(file, "bank")
            guard isDone, let expense = ids["expense"]?.first else { continue }
            try connection.query(
                """
                INSERT INTO bank_booking (household_id, id, import_id, source_key, day, amount_minor, currency, payee,
                    expense_id, is_made)
                VALUES (\(household), \(BankBookingID.new()), \(file), \(mark), '2026-03-05', -250, 'EUR', \("\(mark)bank"),
                    \(expense)::uuid, false)
                """)
        }
        try connection.query(
            """
            INSERT INTO bank_columns (household_id, source_key, roles) VALUES (\(household), \(mark), '{day,amount}')
            """)
    }

    /// Two wines, a bottle, a saved list and a table that waits to be imported.
    mutating func wines() throws {
        for index in 0..<2 {
            let wine = WineID.new()
            try connection.query(
                """
                INSERT INTO wine (household_id, id, producer, name, family_key, points)
                VALUES (\(household), \(wine), \("\(mark)gut"), \("\(mark)wein \(index)"), \("\(mark.lowercased()) \(index)"), 90)
                """)
            name(wine, "wine")
            try connection.query(
                """
                INSERT INTO wine_score (household_id, wine_id, critic, points, note)
                VALUES (\(household), \(wine), \("\(mark)kritik"), 90, \("\(mark)notiz"))
                """)
            let bottle = WineBottleID.new()
            try connection.query(
                """
                INSERT INTO wine_bottle (household_id, id, wine_id, count, place)
                VALUES (\(household), \(bottle), \(wine), 3, \("\(mark)regal"))
                """)
            name(bottle, "bottle")
            try connection.query(
                """
                INSERT INTO wine_mark (household_id, wine_id, person_id, is_saved, note)
                VALUES (\(household), \(wine), \(person), true, \("\(mark)notiz"))
                """)
        }
        try connection.query(
            """
            INSERT INTO wine_catalogue (household_id) VALUES (\(household))
            ON CONFLICT (household_id) DO UPDATE SET version = wine_catalogue.version + 1
            """)
        let scan = WineScanID.new()
        let entry = """
            {"pages": [[100, 100]], "entries": [{"text": "\(mark)wein 0", "name": "\(mark)wein 0", "page": 0,
                "box": [1, 1, 9, 9], "textBox": [1, 1, 9, 9], "prices": [], "sure": [0, 0, 0, 0, 0, 0, 0, 0]}]}
            """
        try connection.query(
            """
            INSERT INTO wine_scan (household_id, id, person_id, place, day, entries)
            VALUES (\(household), \(scan), \(person), \("\(mark)wirt"), '2026-03-05', \(PostgresJSON(entry)))
            """)
        name(scan, "scan")
        let table = WineTableID.new()
        try connection.query(
            """
            INSERT INTO wine_table (household_id, id, person_id, name)
            VALUES (\(household), \(table), \(person), \("\(mark).csv"))
            """)
        try connection.query(
            """
            INSERT INTO wine_table_chunk (household_id, table_id, n, bytes)
            VALUES (\(household), \(table), 0, \(Array("producer;name;points\n\(mark)gut;\(mark)tabelle;91\n".utf8)))
            """)
        name(table, "table")
    }

    /// An upload in parts of which no part has arrived yet.
    mutating func upload() throws {
        let upload = UploadID.new()
        try connection.query(
            """
            INSERT INTO upload (household_id, id, person_id, name, size)
            VALUES (\(household), \(upload), \(person), \("\(mark).jpg"), 4)
            """)
        name(upload, "upload")
    }

    /// An uploaded table that waits to be imported.
    mutating func waitingFile() throws {
        let file = FileID.new()
        try connection.query(
            """
            INSERT INTO import_file (household_id, id, person_id, name, content)
            VALUES (\(household), \(file), \(person), \("\(mark).csv"),
                E'Name;Price;Category;Shop;Datum\\nMilch;1,49;;Spar;04.03.2026\\n')
            """)
        name(file, "file")
    }
}
