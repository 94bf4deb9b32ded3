import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The generic plans of the statements of frequently used pages, before and after ANALYZE, for a household with years
/// of data in a database with other households. A plan that reads a whole table costs a hundred times as much as a
/// plan that reads an index.
@Suite(.timeLimit(.minutes(15))) struct QueryPlanTests {
    /// Returns the statements, each with the highest cost that the planner may estimate.
    ///
    /// Estimates for tables without statistics are inaccurate, so the limits only detect plans that read a whole table.
    private static func statements(_ member: Member) -> [(name: String, sql: SQL, highestCost: Double)] {
        let household = member.household
        let today = WallClock.today()
        let product = ProductID.new()
        func list(_ query: [NamedValue], _ found: [ProductID]? = nil) -> SQL {
            ProductPageOrder(ProductFilter(RequestHead(query: query)), found, household).statement
        }
        return [
            ("products, last bought", list([]), 1_500),
            ("products, found", list([NamedValue("search", "x")], [product]), 3_000),
            ("products by name", list([NamedValue("sort", "name")]), 1_500),
            ("products, risen", list([NamedValue("sort", "rise")]), 3_000),
            ("product, facts", StoredProduct.facts(of: product, household), 300),
            ("product, history", StoredProduct.history(of: product, household, skipping: 0), 1_000),
            ("product, cheapest", StoredProduct.cheapest(of: product, household, since: today), 300),
            ("compare, newest", CompareQueries.newest([product], household), 5_000),
            ("compare, history", CompareQueries.history([product], household), 5_000),
            ("compare, basket", UsualBasket.statement(household, today: today), 1_500),
            ("overview, moves", OverviewQueries.moves(household, 5, since: today), 700),
            ("overview, inflation", OverviewQueries.matchedProducts(household, today: today), 3_000),
            ("overview, spending", OverviewQueries.spending(today.month, member, today)[0], 1_500),
            ("overview, trend", OverviewQueries.spending(today.month, member, today)[3], 1_500),
            ("stores", StoresAndCategoriesQueries.stores(member), 3_000),
            ("categories", StoresAndCategoriesQueries.categories(household), 3_000),
            ("new names", WaitingNames.count(member), 1_500),
            ("new names, list", WaitingName.query(member, limit: NameMatching.maximumNames), 3_000),
        ]
    }

    @Test(.database) func `pages read indexes, with and without statistics`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil,
                session: .new(), csrfSecret: [])
            try fill(anna.household, owner)
            for isAnalysed in [false, true] {
                if isAnalysed { try owner.query("ANALYZE") }
                try owner.query("SET plan_cache_mode = force_generic_plan")
                for (index, statement) in Self.statements(member).enumerated() {
                    let plan = try plan(of: statement.sql, "p\(isAnalysed ? 1 : 0)_\(index)", owner)
                    let cost = try #require(plan.firstMatch(of: #/"Total Cost": ([0-9.]+)/#).flatMap { Double($0.1) })
                    #expect(
                        cost < statement.highestCost, "\(statement.name), \(isAnalysed ? "analysed" : "never analysed")"
                    )
                    Self.requireShortLists(statement.name, plan)
                    // Small tables may be read completely. These tables may not, because they grow with the years.
                    for match in plan.matches(of: #/"Node Type": "Seq Scan",[^}]*?"Relation Name": "([a-z_]+)"/#) {
                        #expect(
                            !["price", "receipt", "receipt_line", "product", "store_price", "product_price"]
                                .contains(String(match.1)), "\(statement.name) reads all of \(match.1)")
                    }
                }
            }
        }
    }

    @Test(.database) func `the preview of a bank file looks up the keys of its bookings in a hash table`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            try owner.query("SET plan_cache_mode = force_generic_plan")
            let today = WallClock.today()
            let plan = try plan(of: BankPreview.candidates(today, today, .csv, [], member), "bank", owner)
            #expect(plan.contains("hashed SubPlan"))
            // A file has up to 10,000 bookings. This condition would compare each of them with all stored bookings.
            #expect(!plan.contains("source_key = ANY"))
        }
    }

    @Test(.database)
    func `confirming and updating prices find each row by its key, whichever tables have statistics`() async throws {
        try await AppHarness.run { harness in
            let household = try await harness.signUp().household
            let owner = try harness.owner()
            try fill(household, owner)
            let receipts = [ReceiptID.new()]
            let statements: [(name: String, sql: SQL)] = [
                ("spending", RollUps.spending(adding: receipts, months: [WallClock.today()], household)[0]),
                ("expenses", ExpenseSums.adding(receipts, household)),
                (
                    "change log",
                    ChangeLogEntries(household: household, person: nil).loggingWrites(
                        .receipt, receipts.map(\.postgresStored))
                ),
                ("price rule", PriceRule.page(after: receipts[0], household)),
                ("printed packages", "SELECT a.product_id FROM \(PrintedPackages.names(on: receipts, household))"),
            ]
            // PostgreSQL analyses and vacuums tables one by one in the background.
            for maintenance: SQL? in [nil, "VACUUM ANALYZE product", "VACUUM ANALYZE receipt_line", "ANALYZE"] {
                if let maintenance { try owner.query(maintenance) }
                // Row-level security adds conditions that change the plans.
                let app = try SynchronousConnection(TestDatabase.current.settings)
                try app.query("SELECT set_config('app.household', \(household.description), false)")
                try app.query("SET plan_cache_mode = force_generic_plan")
                for (index, statement) in statements.enumerated() {
                    let plan = try plan(of: statement.sql, "c\(index)", app)
                    var table = ""
                    for line in plan.split(separator: "\n") {
                        if let found = line.firstMatch(of: #/"Relation Name": "(\w+)"/#) { table = String(found.1) }
                        guard ["product", "receipt", "receipt_line", "sync_document"].contains(table),
                            line.contains("Index Cond") || line.contains("Recheck Cond")
                        else { continue }
                        #expect(
                            line.contains(#/\b(id|receipt_id|document_id) [=>] /#),
                            "\(statement.name) reads more of \(table) than the rows of one key: \(line)")
                    }
                }
            }
        }
    }

    /// Checks that the list of stores reads receipts by store, and that the list of categories reads lines by
    /// category. A plan that reads the rows of all years fails.
    private static func requireShortLists(_ name: String, _ plan: String) {
        let columns = ["stores": ("receipt", "store_id"), "categories": ("receipt_line", "category_id")]
        guard let (growing, column) = columns[name] else { return }
        var table = ""
        for line in plan.split(separator: "\n") {
            if let found = line.firstMatch(of: #/"Relation Name": "(\w+)"/#) { table = String(found.1) }
            guard table == growing, line.contains("Index Cond") || line.contains("Recheck Cond") else { continue }
            #expect(line.contains("\(column) = "), "\(name): \(line)")
        }
    }

    private func plan(of sql: SQL, _ name: String, _ connection: SynchronousConnection) throws -> String {
        let count = sql.text.matches(of: #/\$([0-9]+)/#).compactMap { Int($0.1) }.max() ?? 0
        var types: [String] = []
        for type in sql.parameterTypes {
            let typeName = try connection.query("SELECT format_type(\(Int64(type))::oid, NULL)").first(String.self)
            types.append(type == 0 ? "unknown" : try #require(typeName))
        }
        let declared = types.isEmpty ? "" : "(\(types.joined(separator: ", ")))"
        try connection.query(SQL(uncheckedText: "PREPARE \(name)\(declared) AS \(sql.text)"))
        let values = Array(repeating: "NULL", count: count).joined(separator: ", ")
        return try #require(
            try connection.query(
                SQL(uncheckedText: "EXPLAIN (FORMAT JSON) EXECUTE \(name)\(count == 0 ? "" : "(\(values))")")
            ).first(String.self))
    }

    /// Inserts 20,000 prices of 500 products in this household, and 2,000 prices in each of thirty other households.
    private func fill(_ household: HouseholdID, _ owner: SynchronousConnection) throws {
        try owner.stopAutovacuum()
        try owner.query(
            "INSERT INTO household (id, name, digest_key) SELECT gen_random_uuid(), 'Haus', '\\x00' FROM generate_series(1, 30)"
        )
        try owner.query(
            """
            INSERT INTO store (household_id, id, chain, name)
            SELECT h.id, gen_random_uuid(), 'spar', 'SPAR ' || n FROM household h, generate_series(1, 4) n
            """)
        try owner.query(
            """
            INSERT INTO product (household_id, id, chain, name)
            SELECT h.id, gen_random_uuid(), 'spar', 'Produkt ' || n FROM household h, generate_series(1, 500) n
            """)
        try owner.query(
            """
            INSERT INTO receipt (household_id, id, stage, store_id, purchase_day, booked_month)
            SELECT s.household_id, gen_random_uuid(), 'confirmed', s.id, current_date - n * 7,
                date_trunc('month', current_date - n * 7)::date
            FROM store s, generate_series(0, 150) n
            """)
        try owner.query(
            """
            INSERT INTO price (household_id, id, product_id, store_id, day, regular_thousandths, paid_thousandths,
                base_thousandths, base_unit, quantity_thousandths, unit, source)
            SELECT d.household_id, gen_random_uuid(), d.id, s.id, current_date - n * 30, 100000, 100000, 200000, 'kg', 1000,
                'piece', 'manual'
            FROM product d
            JOIN LATERAL (SELECT id FROM store WHERE household_id = d.household_id ORDER BY id LIMIT 1) s ON true
            CROSS JOIN generate_series(1, 40) n
            WHERE d.household_id = \(household) OR n <= 4
            """)
        try owner.query(
            """
            INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key, total_minor,
                product_id)
            SELECT r.household_id, gen_random_uuid(), r.id, n, 'item', 'WARE ' || n, 'ware ' || n, 100,
                CASE WHEN r.purchase_day < current_date - 14 THEN d.id END
            FROM receipt r
            JOIN LATERAL (SELECT id FROM product WHERE household_id = r.household_id ORDER BY id LIMIT 1) d ON true
            CROSS JOIN generate_series(1, 10) n
            """)
        try owner.query(
            """
            INSERT INTO sync_document (household_id, document_type, document_id, seq, generation, hash, content, leaves)
            SELECT household_id, 'receipt', id, row_number() OVER (PARTITION BY household_id), 1, md5(id::text), '', '{}'
            FROM receipt
            """)
        // Fill the roll-ups with the statements of the migration that created them.
        let migration = try String(
            contentsOfFile: TestSources.root + "/Migrations/0029_price_roll_ups.sql", encoding: .utf8)
        let start = try #require(migration.range(of: "INSERT INTO store_price")?.lowerBound)
        for statement in migration[start...].split(separator: ";\n") {
            try owner.query(SQL(uncheckedText: String(statement)))
        }
    }
}
