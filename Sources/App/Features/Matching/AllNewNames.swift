import Domain
import Postgres

/// Creates products for all new names that need no decision.
extension NameMatching {
    /// The maximum number of waiting names that one request loads and adds.
    static let maximumNames = 1_000
    /// The number of names in one transaction. Other writers of the household wait until the transaction ends.
    static let batchSize = 250

    /// Creates a product for each waiting name without a similar product, comparison or other waiting name. Considers
    /// at most `maximumNames` names.
    ///
    /// Similarity is computed before the household's lock is taken. Each transaction updates the prices of a receipt
    /// once, even if it contains several of the names.
    ///
    /// - Returns: the number of new products and the batch for undoing; nil when there are none.
    func addAllNew(by member: Member) async throws -> (count: Int, batch: MatchingBatchID)? {
        let known = try await catalogues.load(member.household)
        let rows = try await database.read(member.household, WaitingName.query(member, limit: Self.maximumNames))
        let additions = try await slowWork.run {
            WaitingSpellings.all(of: try WaitingName.decode(rows)).filter { $0.names.count == 1 }.map(\.first)
                .filter { known.catalogue.suggestions(for: $0.item).isEmpty }
                .map { Addition($0, known.vocabulary, category: known.categories.id(key: $0.categoryGuess)) }
        }
        guard !additions.isEmpty else { return nil }
        let batch = MatchingBatchID.new()
        var count = 0
        for part in additions.batches(of: Self.batchSize) {
            count += try await database.write(member.household, by: member.person) { changes in
                // Another member may have matched some of the names since.
                let rows = try await changes.query(WaitingName.find(part.map(\.waiting.line), member))
                let waitingLines = Set(try WaitingName.decode(rows).map(\.line))
                let added = part.filter { waitingLines.contains($0.waiting.line) }
                try await MatchingBatch.begin(batch, changes)
                try await NewProducts.add(added.map(\.product), changes)
                try await Self.matchAndUpdatePrices(added.map { ($0.waiting, $0.product.id) }, batch: batch, changes)
                return added.count
            }
        }
        return (count, batch)
    }
}
