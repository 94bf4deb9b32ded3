import DocumentParsing
import Domain
import Postgres

/// Finds the store for a name.
enum StoreNaming {
    /// Returns the store to which a name on a receipt refers. If there is no such store and `creates` is true, inserts
    /// a new store.
    ///
    /// - A printed name with a town refers to the store of that name at the printed address. It does not refer to a
    ///   store of that name whose address is different or unknown.
    /// - A printed name without a town refers to the store of that name if there is only one.
    /// - A name that a person typed or chose refers to the store of that name in any town.
    /// - A printed name also refers to the store that formerly had this name, if only one store had it.
    /// - The addresses of merged stores also belong to the store into which they were merged.
    /// - A typed name refers to a store that formerly had this name only if this store is at the printed address, or is
    ///   the receipt's own store. The receipt's store may have been renamed after the page was opened.
    ///
    /// A new store gets the typed name, or the printed name with the town.
    static func resolve(
        _ name: String, of receipt: StoredReceipt, creates: Bool, _ changes: HouseholdTransaction
    ) async throws -> StoreID? {
        let household = changes.household
        guard !name.isEmpty else { return nil }
        let isTyped = name != receipt.draft.store
        if let store = receipt.storeID, !isTyped { return store }
        let rows = try await changes.query(
            """
            SELECT coalesce(r.printed_store ->> 'chain', ''), coalesce(r.printed_store ->> 'street', ''),
                coalesce(r.printed_store ->> 'town', ''), s.id, n.name, a.street, a.town, n.place > 1 OR a.is_former
            FROM receipt r
            LEFT JOIN (store s
                CROSS JOIN LATERAL unnest(s.name || s.former_names) WITH ORDINALITY AS n (name, place)
                CROSS JOIN LATERAL (
                    SELECT s.street, s.town, false
                    UNION ALL
                    SELECT f ->> 'street', f ->> 'town', true FROM jsonb_array_elements(s.former_places) f
                ) AS a (street, town, is_former))
                ON s.household_id = r.household_id
                AND (lower(n.name) = lower(\(name)) OR starts_with(lower(n.name), lower(\(name)) || ' '))
            WHERE r.household_id = \(household) AND r.id = \(receipt.id)
            ORDER BY n.place > 1 OR a.is_former, s.created_at, s.id
            """
        ).decode((String, String, String, StoreID?, String?, String?, String?, Bool?).self)
        guard let (chain, street, town, _, _, _, _, _) = rows.first else { throw Refusal.notFound }
        let branches = rows.compactMap { _, _, _, id, storeName, street, town, isFormer in
            Branch(id, storeName, street, town, isFormer: isFormer ?? false, named: name)
        }
        let printed = StoreAddress(street: street, town: town)
        let possible =
            isTyped ? branches.filter { !$0.isFormer || $0.id == receipt.storeID || $0.isAt(printed) } : branches
        if let store = matching(possible, at: printed, isTyped: isTyped) { return store }
        guard creates else { return nil }
        let store = StoreID.new()
        let newName = isTyped ? name : printed.naming(name)
        try await changes.query(
            """
            INSERT INTO store (household_id, id, chain, name, street, town)
            VALUES (\(household), \(store), \(self.chain(of: name, printed: chain)), \(newName.cut(to: TextLimit.storeName)),
                \(street), \(town))
            """)
        changes.changed(.store, store)
        return store
    }

    /// A known store at one of its addresses. The store has or formerly had the given name, alone or followed by the
    /// town.
    private struct Branch {
        let id: StoreID
        let place: StoreAddress
        let isExactName: Bool
        /// Whether the name is a former name of the store, or the address belonged to a store that was merged into it.
        let isFormer: Bool

        init?(
            _ id: StoreID?, _ storedName: String?, _ street: String?, _ town: String?, isFormer: Bool,
            named name: String
        ) {
            guard let id, let storedName, let street, let town else { return nil }
            self.id = id
            self.isFormer = isFormer
            place = StoreAddress(street: street, town: town)
            isExactName = storedName.lowercased() == name.lowercased()
            // `SPAR Gourmet` is not a branch of `SPAR`.
            let names = [place.naming(name), "\(name) \(town)"].map { $0.lowercased() }
            guard isExactName || names.contains(storedName.lowercased()) else { return nil }
        }

        func isAt(_ printed: StoreAddress) -> Bool { place.likeness(to: printed) == .same }
    }

    /// The store to which the name refers; nil if there is none, or if several stores are possible.
    private static func matching(_ branches: [Branch], at printed: StoreAddress, isTyped: Bool) -> StoreID? {
        if let same = branches.first(where: { $0.isAt(printed) }) { return same.id }
        if isTyped { return branches.first(where: \.isExactName)?.id }
        if printed.hasTown { return nil }
        let possible = branches.filter { $0.place.likeness(to: printed) == .unknown }
        let townless = possible.filter { !$0.place.hasTown }
        if let current = townless.first(where: { !$0.isFormer }) { return current.id }
        // Several names and addresses of one store count once.
        let stores = Set((townless.isEmpty ? possible : townless).map(\.id))
        return stores.count == 1 ? stores.first : nil
    }

    /// The key of the store's chain, under which its printed names are stored: the chain at the start of the store's
    /// name, else the normalised name.
    ///
    /// - Parameter printed: the chain's name on the receipt; may be empty.
    static func chain(of name: String, printed: String) -> String {
        if let known = knownChain(name) { return known }
        if !printed.isEmpty, begins(ImportKeys.folded(name), with: ImportKeys.folded(printed)) {
            return printed.lowercased().cut(to: TextLimit.storeName)
        }
        let key = AliasKey(printed: name.replacing("+", with: " "))?.text
        return (key ?? name.lowercased()).cut(to: TextLimit.storeName)
    }

    /// The known chain at the start of the name: `SPAR Naschmarkt` belongs to SPAR.
    static func knownChain(_ name: String) -> String? {
        let folded = ImportKeys.folded(name)
        return chains.first { begins(folded, with: $0.folded) }?.id
    }

    /// The longest name first, because `BILLA PLUS` is a different chain from BILLA.
    private static let chains = ChainFacts.builtIn.namings
        .map { (folded: ImportKeys.folded($0.chain), id: $0.naming.lowercased()) }
        .sorted { ($0.folded.count, $1.folded) > ($1.folded.count, $0.folded) }

    private static func begins(_ folded: String, with chain: String) -> Bool {
        folded == chain || folded.hasPrefix(chain + " ")
    }
}

/// The printed address of a branch. Addresses that differ only by misread letters or missing parts count as the same
/// address.
struct StoreAddress: Sendable {
    enum Likeness: Sendable {
        case same, unknown, elsewhere
    }

    private let street: String
    private let town: String
    /// The town as printed, without a postcode.
    private let townName: String

    init(street: String, town: String) {
        townName = town.split(separator: " ").drop { $0.allSatisfy(\.isNumber) }.joined(separator: " ")
        self.street = Self.words(street).map { $0.replacing("strasse", with: "str") }.joined()
        // `5020 Salzburg` and `Salzburg` are the same town.
        self.town = Self.words(town).filter { !$0.allSatisfy(\.isNumber) }.joined()
    }

    var hasTown: Bool { !town.isEmpty }

    /// The chain's name with the town: `Lidl` in Hannover becomes `Lidl Hannover`.
    func naming(_ name: String) -> String {
        guard hasTown, !Self.words(name).joined().hasSuffix(town) else { return name }
        return "\(name) \(townName)"
    }

    /// Compares two addresses: `elsewhere` if the towns or streets differ, `unknown` if there is nothing to compare.
    func likeness(to other: StoreAddress) -> Likeness {
        let towns = Self.isAlike(town, other.town)
        let streets = Self.isAlike(street, other.street)
        if towns == false || streets == false { return .elsewhere }
        return towns == nil && streets == nil ? .unknown : .same
    }

    private static func words(_ text: String) -> [Substring] {
        FoldedText.fold(text).split { !$0.isLetter && !$0.isNumber }
    }

    /// Whether two towns, or two streets, are alike apart from reading errors; nil if one of them is unknown.
    private static func isAlike(_ left: String, _ right: String) -> Bool? {
        guard !left.isEmpty, !right.isEmpty else { return nil }
        let (short, long) = left.count <= right.count ? (left, right) : (right, left)
        if short.count >= 3, long.hasPrefix(short) { return true }
        return FoldedText.isMisreading(of: left, right)
    }
}
