import Domain
import Postgres

/// One tap for every new name that needs no decision.
extension NameBinding {
    /// The most names that one tap handles; also the names on one page.
    static let mostNames = 1_000
    /// Names of one transaction: other writers of the household wait for it.
    static let batchSize = 250

    /// Makes a product of each waiting name that resembles no product and no other waiting name. Handles at most
    /// `mostNames` names.
    ///
    /// Likeness is computed before the household's lock is taken; each transaction books its receipts once.
    ///
    /// - Returns: how many products are new, and what undoes it; nil when there are none.
    func addAllNew(by member: Member) async throws -> (count: Int, batch: MatchingBatchID)? {
        let known = try await catalogues.load(member.household)
        let rows = try await database.read(member.household, WaitingName.query(member, limit: Self.mostNames))
        let additions = try await slowWork.run {
            WaitingGroup.groups(of: try WaitingName.decode(rows)).filter { $0.names.count == 1 }.map(\.first)
                .filter { known.catalogue.suggestions(for: $0.item).isEmpty }
                .map { Addition($0, known.vocabulary, category: known.categories.id(key: $0.categoryGuess)) }
        }
        guard !additions.isEmpty else { return nil }
        let batch = MatchingBatchID.new()
        var count = 0
        for part in additions.batches(of: Self.batchSize) {
            count += try await database.write(member.household, by: member.person) { changes in
                let left = try await changes.query(WaitingName.find(part.map(\.waiting.line), member))
                let waiting = Set(try WaitingName.decode(left).map(\.line))
                let added = part.filter { waiting.contains($0.waiting.line) }
                try await MatchingBatch.begin(batch, changes)
                try await NewProducts.add(added.map(\.product), changes)
                try await Self.teach(added.map { ($0.waiting, $0.product.id) }, batch: batch, changes)
                return added.count
            }
        }
        return (count, batch)
    }
}
