import Domain
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct PriceHistoryTests {
    /// A household's prices, its roll-ups, and the months in which its receipts count, as text in a fixed order.
    private func storedRows(_ connection: SynchronousConnection, _ household: HouseholdID) throws -> [String] {
        try connection.query(
            """
            SELECT 'price ' || to_jsonb(p)::text FROM price p WHERE household_id = \(household)
            UNION ALL SELECT 'place ' || to_jsonb(m)::text FROM store_price m WHERE household_id = \(household)
            UNION ALL SELECT 'product ' || to_jsonb(m)::text FROM product_price m WHERE household_id = \(household)
            UNION ALL SELECT 'day ' || to_jsonb(m)::text FROM spending_day m WHERE household_id = \(household)
            UNION ALL SELECT 'spending ' || to_jsonb(s)::text FROM spending_month s WHERE household_id = \(household)
            UNION ALL SELECT 'month ' || id::text || coalesce(booked_month::text, '') FROM receipt
                WHERE household_id = \(household)
            ORDER BY 1
            """
        ).decode(String.self)
    }

    @Test(.database, arguments: [1, 2, 3] as [UInt64])
    func `updating the changed receipts gives the same result as updating all of them`(seed: UInt64) async throws {
        try await AppHarness.run { harness in
            let owner = try harness.owner()
            let household = try await harness.signUp().household
            var drawn = try DrawnReceipts(seed: seed, household, owner)
            var receipts: [ReceiptID] = []
            for _ in 0..<25 { receipts.append(try drawn.insert(owner)) }
            try await harness.updatePrices(receipts, household)
            for _ in 0..<40 {
                let touched = Set((0..<drawn.pick([1, 2, 5])).map { _ in drawn.pick(receipts) })
                for receipt in touched { try drawn.edit(receipt, owner) }
                try await harness.updatePrices(Array(touched), household)
            }
            let incremental = try storedRows(owner, household)
            for table in ["price", "store_price", "product_price", "spending_day", "spending_month"] {
                try owner.query(SQL(uncheckedText: "DELETE FROM \(table)"))
            }
            try owner.query("UPDATE receipt SET booked_month = NULL")
            try await harness.updatePrices(receipts, household)
            #expect(try storedRows(owner, household) == incremental)
            #expect(incremental.contains { $0.hasPrefix("price") } && incremental.contains { $0.hasPrefix("spending") })
        }
    }

    @Test(.database, arguments: [11, 12, 13] as [UInt64])
    func `stored prices equal the prices that the domain layer computes`(seed: UInt64) async throws {
        try await AppHarness.run { harness in
            let owner = try harness.owner()
            let household = try await harness.signUp().household
            var drawn = try DrawnReceipts(seed: seed, household, owner)
            var receipts: [ReceiptID] = []
            for _ in 0..<40 { receipts.append(try drawn.insert(owner)) }
            try await harness.updatePrices(receipts, household)
            let expectedPrices = try DomainPrices.expectedPrices(owner, household)
            let storedPrices = try DomainPrices.storedPrices(owner, household)
            #expect(storedPrices == expectedPrices)
            #expect(storedPrices.count > 20)
        }
    }

    @Test(.database) func `the first write after a hidden receipt's publication day adds it to the sums`() async throws
    {
        try await AppHarness.run { harness in
            let owner = try harness.owner()
            let household = try await harness.signUp().household
            var drawn = try DrawnReceipts(seed: 5, household, owner)
            let gift = try drawn.insert(owner)
            try owner.query(
                """
                UPDATE receipt SET stage = 'confirmed', hidden_until = current_date + 3, purchase_day = '2026-03-04'
                WHERE id = \(gift)
                """)
            try await harness.updatePrices([gift], household)
            #expect(try storedRows(owner, household) == ["month \(gift)"])
            try owner.query("UPDATE receipt SET hidden_until = current_date - 1 WHERE id = \(gift)")
            try await harness.updatePrices([], household)
            #expect(try storedRows(owner, household).contains("month \(gift)2026-03-01"))
            #expect(try storedRows(owner, household).contains { $0.hasPrefix("spending") })
        }
    }
}

/// Prices computed by the domain layer, for comparison with the prices computed in SQL.
private enum DomainPrices {
    static func storedPrices(_ connection: SynchronousConnection, _ household: HouseholdID) throws -> [String] {
        try connection.query(
            """
            SELECT id || ' ' || regular_thousandths || ' ' || paid_thousandths || ' ' || base_thousandths || ' '
                || base_unit FROM price WHERE household_id = \(household) ORDER BY id
            """
        ).decode(String.self)
    }

    static func expectedPrices(_ connection: SynchronousConnection, _ household: HouseholdID) throws -> [String] {
        var sizes: [ProductID: [PackageSizePeriod]] = [:]
        let packages = try connection.query(
            "SELECT product_id, valid_from, amount_thousandths, unit FROM product_package"
        ).decode((ProductID, LocalDate, Int64, StoredUnit).self)
        for (product, from, amount, unit) in packages {
            let size = Quantity(thousandths: amount, unit: unit.unit)
            sizes[product, default: []].append(PackageSizePeriod(from: from, size: size))
        }
        let receipts = try connection.query(
            """
            SELECT id, store_id, purchase_day FROM receipt WHERE stage = 'confirmed' AND store_id IS NOT NULL
                AND purchase_day IS NOT NULL AND household_id = \(household)
            """
        ).decode((ReceiptID, StoreID, LocalDate).self)
        var result: [String] = []
        for (receipt, store, day) in receipts {
            let lines = try connection.query(
                """
                SELECT id, kind, product_id, quantity_thousandths, unit, unit_price_thousandths, total_minor, bound_line_id
                FROM receipt_line WHERE receipt_id = \(receipt) ORDER BY position
                """
            ).decode((ReceiptLineID, LineKind, ProductID?, Int64, StoredUnit, Int64?, Int64, ReceiptLineID?).self)
            let confirmed = lines.map { line in
                let unit = line.4.unit
                return ConfirmedLine(
                    id: line.0, kind: line.1, product: line.2, quantity: Quantity(thousandths: line.3, unit: unit),
                    unitPrice: line.5.map { UnitPrice(thousandthsOfMinor: $0, per: unit) },
                    total: Money(minorUnits: line.6), belongsTo: line.7)
            }
            let prices = PriceObservation.observations(
                in: confirmed, store: store, chain: ChainID(high: 0, low: 0), day: day, sizes: sizes)
            for price in prices where price.regular.thousandthsOfMinor > 0 {
                let base = try #require(price.regularBase)
                let line = try #require(price.line)
                result.append(
                    "\(line) \(price.regular.thousandthsOfMinor) \(price.paid.thousandthsOfMinor) "
                        + "\(base.thousandthsOfMinor) \(StoredUnit(base.unit).rawValue)")
            }
        }
        return result.sorted()
    }
}
