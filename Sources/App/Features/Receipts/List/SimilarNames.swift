import Domain
import Postgres

/// Names of a household that are similar to a search word: stores, products and printed names.
struct SimilarNames: Sendable {
    /// An object whose name is compared with the search words.
    private enum NamedObject: Hashable, Sendable {
        case store(StoreID)
        /// A printed store name for which no store exists yet.
        case printedStore(String)
        case product(ProductID)
        /// Lines with a printed name, by its key (`AliasKey`).
        case line(String)
    }

    private var stores: [StoreID] = []
    private var printedStores: [String] = []
    private var products: [ProductID] = []
    private var lines: [String] = []

    /// The maximum number of names that are compared.
    private static let maximumNames: Int32 = 20_000
    /// The maximum number of similar names for one word.
    private static let maximumHits = 100

    private var isEmpty: Bool { stores.isEmpty && printedStores.isEmpty && products.isEmpty && lines.isEmpty }

    /// Returns one entry for each word of `text`; nil when a word has no similar name.
    static func find(_ text: String, _ member: Member, _ database: Database, _ slowWork: SlowWork) async throws
        -> [SimilarNames]?
    {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT s.id, s.name FROM store s
                WHERE s.household_id = \(household) AND \(Visibility.storeCondition(member)) LIMIT \(maximumNames)
                """,
                """
                SELECT DISTINCT r.printed_store ->> 'name' FROM receipt r
                WHERE \(ListedReceipt.isWaiting(member)) AND r.printed_store ->> 'name' <> '' LIMIT \(maximumNames)
                """,
                "SELECT d.id, d.name FROM product d WHERE d.household_id = \(household) LIMIT \(maximumNames)",
                """
                SELECT l.alias_key, min(l.printed_name) FROM receipt_line l
                WHERE l.household_id = \(household) AND l.kind = 'item' AND l.alias_key <> ''
                GROUP BY l.alias_key LIMIT \(maximumNames)
                """,
            ])
        return try await slowWork.run {
            var names: [(id: NamedObject, name: String)] = []
            names += try rows[0].decode((StoreID, String).self).map { (.store($0.0), $0.1) }
            names += try rows[1].decode(String.self).map { (.printedStore($0), $0) }
            names += try rows[2].decode((ProductID, String).self).map { (.product($0.0), $0.1) }
            names += try rows[3].decode((String, String).self).map { (.line($0.0), $0.1) }
            let search = NameSearch(names)
            var found: [SimilarNames] = []
            for word in text.split(separator: " ") {
                let similar = SimilarNames(search.find(word, limit: maximumHits).map(\.id))
                guard !similar.isEmpty else { return nil }
                found.append(similar)
            }
            return found.isEmpty ? nil : found
        }
    }

    private init(_ hits: [NamedObject]) {
        for hit in hits {
            switch hit {
            case .store(let id): stores.append(id)
            case .printedStore(let name): printedStores.append(name)
            case .product(let id): products.append(id)
            case .line(let key): lines.append(key)
            }
        }
    }

    /// A condition on the receipt `r`: its store or one of its lines has a similar name.
    func condition(_ household: HouseholdID) -> SQL {
        """
        (r.store_id = ANY(\(stores)) OR r.printed_store ->> 'name' = ANY(\(printedStores))
        OR EXISTS (SELECT 1 FROM receipt_line l WHERE l.household_id = \(household) AND l.receipt_id = r.id
            AND (l.product_id = ANY(\(products)) OR (l.kind = 'item' AND l.alias_key = ANY(\(lines))))))
        """
    }
}
