import Domain
import Postgres

/// Earlier prices of the products, to find amounts that are probably misread.
struct UsualPrices: Sendable {
    /// The latest regular price for one unit, in thousandths of a minor unit, by line key.
    private let prices: [String: Int64]
    /// For each unit, the highest of the latest prices of the chain's products; missing for units with few products.
    private let highest: [StoredUnit: Int64]

    /// An amount is implausible when it is more than the usual price times this factor, or less than the usual price
    /// divided by this factor.
    private static let factor: Int64 = 4
    /// For products without an earlier price: an amount is implausible when it is more than the chain's highest price
    /// times this factor.
    private static let factorOfHighest: Int64 = 3
    /// The minimum number of products of a chain for the comparison with its highest price.
    private static let minimumProducts: Int64 = 20
    /// Amounts below this limit, in minor units, are not compared with the other lines.
    private static let smallestOutlier: Int64 = 5_000
    /// An amount is implausible when it is more than the second-highest amount of the receipt times this factor.
    private static let factorOfNext: Int64 = 8

    /// - Parameters:
    ///   - products: the result of `query`.
    ///   - chain: the result of `chainQuery`.
    init(_ products: Rows, chain: Rows) throws {
        prices = Dictionary(
            try products.decode((ReceiptLineID, Int64).self).map { ($0.0.description, $0.1) },
            uniquingKeysWith: { first, _ in first })
        highest = Dictionary(uniqueKeysWithValues: try chain.decode((StoredUnit, Int64).self).map { ($0, $1) })
    }

    /// The chain of the receipt's store. If the receipt has no store yet, the chain of the store that has or formerly
    /// had the printed name.
    private static func chain(_ id: ReceiptID, _ household: HouseholdID) -> SQL {
        """
        (SELECT s.chain FROM receipt r JOIN store s ON s.household_id = r.household_id
            AND (s.id = r.store_id OR r.store_id IS NULL AND lower(r.printed_store ->> 'name') IN (
                SELECT lower(n.name) FROM unnest(s.name || s.former_names) AS n (name)))
            WHERE r.household_id = \(household) AND r.id = \(id) ORDER BY s.created_at LIMIT 1)
        """
    }

    /// Selects the highest price of the chain's products: columns unit, price.
    static func chainQuery(_ id: ReceiptID, _ household: HouseholdID) -> SQL {
        """
        SELECT p.unit, max(p.regular_thousandths) FROM product d
        JOIN product_price p ON p.household_id = d.household_id AND p.product_id = d.id
        WHERE d.household_id = \(household) AND d.chain = \(chain(id, household))
            AND p.currency = (SELECT currency FROM receipt WHERE household_id = \(household) AND id = \(id))
        GROUP BY p.unit HAVING count(*) >= \(minimumProducts)
        """
    }

    /// Selects the latest price of each line's product at the receipt's chain, in the receipt's currency: columns line,
    /// price.
    static func query(_ id: ReceiptID, _ household: HouseholdID) -> SQL {
        """
        SELECT l.id, p.regular_thousandths FROM receipt_line l
        JOIN product_alias a ON a.household_id = l.household_id AND a.alias_key = l.alias_key
            AND a.chain = \(chain(id, household))
        JOIN LATERAL (SELECT q.regular_thousandths FROM price q
            WHERE q.household_id = l.household_id AND q.product_id = a.product_id AND q.unit = l.unit
                AND q.receipt_id IS DISTINCT FROM \(id)
                AND q.currency = (SELECT currency FROM receipt WHERE household_id = \(household) AND id = \(id))
            ORDER BY \(PriceOrder.newestFirst("q")) LIMIT 1) p ON true
        WHERE l.household_id = \(household) AND l.receipt_id = \(id) AND l.kind = 'item'
        """
    }

    /// Keys of lines whose amount is implausible compared with the product, the chain or the rest of the receipt.
    func implausible(in draft: ReviewDraft) -> Set<String> {
        let items = draft.lines.filter { $0.kind == .item && !$0.isUnread && $0.total > 0 }
        let reductions = draft.lines.reduce(0) { $0 + min(0, $1.total) }
        let sorted = items.map(\.total).sorted(by: >)
        return Set(
            items.filter { line in
                if let usual = prices[line.key] {
                    if isFar(line, from: usual) { return true }
                } else if let highest = highest[line.unit], isAbove(line, highest) {
                    return true
                }
                if let total = draft.total, total > 0, line.total + reductions > 2 * total { return true }
                return items.count >= 3 && line.total == sorted[0] && line.total >= Self.smallestOutlier
                    && line.total > sorted[1] * Self.factorOfNext
            }.map(\.key))
    }

    /// Whether the amount is implausible for the quantity at the product's usual price.
    private func isFar(_ line: ReviewDraft.Line, from usual: Int64) -> Bool {
        guard line.quantity > 0, usual > 0 else { return false }
        let paid = Int128(line.total) * 1_000_000
        let expected = Int128(line.quantity) * Int128(usual)
        return paid > expected * Int128(Self.factor) || paid * Int128(Self.factor) < expected
    }

    /// Whether the amount is implausible for the quantity even at the chain's highest price.
    private func isAbove(_ line: ReviewDraft.Line, _ highest: Int64) -> Bool {
        guard line.quantity > 0, highest > 0 else { return false }
        let expected = Int128(line.quantity) * Int128(highest)
        return Int128(line.total) * 1_000_000 > expected * Int128(Self.factorOfHighest)
    }
}
