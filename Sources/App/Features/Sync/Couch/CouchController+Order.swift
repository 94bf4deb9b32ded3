import Domain
import JSON
import Postgres

/// The order in which the documents of a batch (a request with several documents) are stored.
extension CouchController {
    typealias Parsed = CouchDocumentParser.Parsed

    /// The maximum level of a category. Deeper categories are stored in any order.
    private static let maximumLevel = 99

    /// Returns the indices of documents so that each document comes after the documents to which it refers. Deletions
    /// are last, in the reverse order.
    func order(of documents: [Parsed], _ household: HouseholdID) async throws -> [Int] {
        let order = documents.indices.sorted {
            (Self.rank(documents[$0]), $0) < (Self.rank(documents[$1]), $1)
        }
        return try await childrenFirst(Self.parentsFirst(order, documents), documents, household)
    }

    private static func rank(_ document: Parsed) -> Int {
        guard let type = document.key?.type else { return 200 }
        let order: [DocumentType] = [
            .category, .comparisonGroup, .store, .product, .alias, .receipt, .image, .expense, .settlement, .budget,
            .expenseRule, .recurringExpense, .savingsGoal, .exchangeRate,
        ]
        let place = order.firstIndex(of: type) ?? order.count
        guard document.isDeleted else { return place }
        // Images come last. Deleting a receipt deletes its images; before that, the images cannot be deleted.
        return type == .image ? 101 : 100 - place
    }

    /// Sorts the categories at the beginning of `order` by level, because a request may contain a category before its
    /// new parent.
    private static func parentsFirst(_ order: [Int], _ documents: [Parsed]) -> [Int] {
        let categories = order.prefix { documents[$0].key?.type == .category && !documents[$0].isDeleted }
        var parents: [DocumentKey: DocumentKey] = [:]
        for index in categories {
            guard let key = documents[index].key else { continue }
            let body = try? JSONValue(reading: documents[index].text, limits: SyncLimits.storedDocument)
            parents[key] = body?["parent"]?.string.flatMap { DocumentKey($0) }
        }
        return byLevel(Array(categories), documents, parents) + order.dropFirst(categories.count)
    }

    /// Sorts the deleted categories so that subcategories come before their parents, because a category with
    /// subcategories cannot be deleted. The deleted categories are together in `order`.
    private func childrenFirst(
        _ order: [Int], _ documents: [Parsed], _ household: HouseholdID
    ) async throws -> [Int] {
        func isDeletedCategory(_ index: Int) -> Bool {
            documents[index].key?.type == .category && documents[index].isDeleted
        }
        let deleted = order.filter(isDeletedCategory)
        guard deleted.count > 1, let start = order.firstIndex(where: isDeletedCategory) else { return order }
        let ids = deleted.compactMap { documents[$0].key?.id }
        let rows = try await database.read(
            household,
            """
            SELECT id, parent_id FROM category
            WHERE household_id = \(household) AND id = ANY(\(ids)) AND parent_id IS NOT NULL
            """)
        var parents: [DocumentKey: DocumentKey] = [:]
        for (id, parent) in try rows.decode((Identifier<Void>, Identifier<Void>).self) {
            parents[DocumentKey(.category, id)] = DocumentKey(.category, parent)
        }
        var result = order
        result.replaceSubrange(
            start..<(start + deleted.count), with: Self.byLevel(deleted, documents, parents).reversed())
        return result
    }

    /// Sorts categories by level. The level of a category is the number of its ancestors in `parents`.
    private static func byLevel(
        _ categories: [Int], _ documents: [Parsed], _ parents: [DocumentKey: DocumentKey]
    ) -> [Int] {
        let levels = categories.map { index -> (level: Int, index: Int) in
            var (key, level) = (documents[index].key, 0)
            while level < maximumLevel, let parent = key.flatMap({ parents[$0] }) { (key, level) = (parent, level + 1) }
            return (level, index)
        }
        return levels.sorted { ($0.level, $0.index) < ($1.level, $1.index) }.map(\.index)
    }
}
