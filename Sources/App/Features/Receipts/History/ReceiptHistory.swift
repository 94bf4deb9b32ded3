import Domain
import Postgres

/// One page of the history of a receipt.
struct ReceiptHistory: Sendable {
    let receipt: StoredReceipt
    /// The versions, newest first. If there are older versions, one version more than the page shows.
    let versions: [LoggedVersion]
    /// Values that were discarded in merges; only on the first page.
    let lost: [LostValue]
    /// The names of products in the versions.
    let products: [ProductID: String]
    let categories: Categories

    /// The number of changes on one page.
    static let pageSize = 20

    /// - Parameter before: the sequence number of the last version on the previous page; nil for the first page.
    /// - Throws: `Refusal.notFound`.
    static func load(
        _ id: ReceiptID, before: Int64?, _ member: Member, _ database: Database
    ) async throws -> ReceiptHistory {
        let parts = StoredReceiptQueries.statements(id, member)
        let all = try await database.read(
            member.household,
            batch: parts + [
                LoggedVersion.query(
                    id, member.household, upTo: before.map { $0 - 1 }, limit: Int32(pageSize) + 1),
                LostValue.query(member.household, LostValue.belongs(to: DocumentKey(.receipt, id.relabelled()))),
                Categories.query(member.household),
            ])
        let receipt = try StoredReceiptQueries.decode(id, Array(all.prefix(parts.count)))
        let rows = Array(all.dropFirst(parts.count))
        let versions = try LoggedVersion.decode(rows[0])
        let products = Array(Set(versions.flatMap(\.products.values)))
        let names = try await database.read(
            member.household,
            "SELECT id, name FROM product WHERE household_id = \(member.household) AND id = ANY(\(products))"
        ).decode((ProductID, String).self)
        return ReceiptHistory(
            receipt: receipt, versions: versions, lost: before == nil ? try LostValue.decode(rows[1]) : [],
            products: Dictionary(names.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first }),
            categories: try Categories(rows[2]))
    }

    /// The changes of the page.
    var changes: [ReceiptChange] {
        versions.prefix(Self.pageSize).indices.map { index in
            ReceiptChange(before: index + 1 < versions.count ? versions[index + 1] : nil, after: versions[index])
        }
    }

    /// The sequence number of the oldest change on this page; nil on the last page.
    var next: Int64? { versions.count > Self.pageSize ? versions[Self.pageSize - 1].sequence : nil }
}

extension ReceiptChange {
    /// Whether undoing the change would have an effect now.
    func canUndo(in receipt: StoredReceipt) -> Bool {
        guard isReversible, receipt.stage != .reading, let before else { return false }
        let isDiscarded = receipt.state.name == .discarded
        return undone(in: receipt.draft).draft != receipt.draft
            || (changesStage && receipt.stage == after.stage)
            || (before.isDiscarded != after.isDiscarded && isDiscarded == after.isDiscarded)
    }
}
