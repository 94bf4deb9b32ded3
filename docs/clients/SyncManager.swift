// A sync client for AllesTeurer in one file. It needs Foundation only.
//
// It keeps rows (see docs/reference/sync.md) in memory; an app would store them in SwiftData or Core Data. All functions
// may be repeated: sending the same data again changes nothing.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A row of a table: a JSON object with the column `id`.
public typealias SyncRow = [String: Any]

public enum SyncError: Error {
    /// The server refused the request.
    case refused(status: Int, body: String)
    /// Ten attempts to send failed, because others changed the same rows each time.
    case busy
}

public final class SyncManager {
    /// Rows by table and id.
    public private(set) var tables: [String: [String: SyncRow]] = [:]
    /// The number that the server returned for the last pull; nil before the first one.
    public private(set) var lastPulledAt: Int?
    /// The reasons why the server did not store rows of the last push, by document, such as `store:<uuid>`. These rows are
    /// sent again with the next push.
    public private(set) var rejections: [String: String] = [:]
    /// Changed rows that were not sent yet, by table and id.
    private var changed: [String: Set<String>] = [:]
    /// The changed rows as the server sent them, by table and id.
    private var bases: [String: [String: SyncRow]] = [:]
    private var deleted: [String: Set<String>] = [:]
    /// The receipts of pictures that the server refuses, such as files of another type, with its answers.
    public private(set) var refusedPictures: [String: String] = [:]
    /// Pictures that wait for a connection, by the ids of their images.
    private var pictures: [(image: String, receipt: String, bytes: Data, type: String)] = []

    private let server: URL
    private let household: String
    private let key: String
    private let backups: URL

    /// - Parameters:
    ///   - server: the address of the server, such as `https://house.example`.
    ///   - key: an API key with the scope `sync`.
    ///   - backups: the folder for the copies of `backupUserData`; nil for the folder of the app's own files. The system
    ///     may delete files in its temporary folder.
    public init(server: URL, household: String, key: String, backups: URL? = nil) {
        (self.server, self.household, self.key) = (server, household, key)
        let files = FileManager.default
        self.backups =
            backups ?? files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? files.temporaryDirectory
    }

    // MARK: Changes on the device

    public func rows(_ table: String) -> [SyncRow] { Array((tables[table] ?? [:]).values) }

    /// Stores a new or changed row, and marks it to be sent.
    public func save(_ row: SyncRow, in table: String) {
        guard let id = row["id"] as? String else { return }
        if changed[table]?.contains(id) != true { bases[table, default: [:]][id] = tables[table]?[id] }
        tables[table, default: [:]][id] = row
        changed[table, default: []].insert(id)
        deleted[table]?.remove(id)
    }

    public func delete(_ id: String, from table: String) {
        tables[table]?[id] = nil
        changed[table]?.remove(id)
        deleted[table, default: []].insert(id)
    }

    /// Keeps a picture of a receipt until there is a connection. Returns the id that the receipt will have.
    public func addPicture(_ bytes: Data, type: String = "image/jpeg") -> String {
        let receipt = UUID().uuidString.lowercased()
        pictures.append((UUID().uuidString.lowercased(), receipt, bytes, type))
        return receipt
    }

    // MARK: Sync

    /// Sends corrected, confirmed and new receipts with their lines.
    public func syncReceiptsToCloud() throws { try push(["receipts", "receipt_lines"]) }

    /// Fetches products, package sizes and names, and everything else that changed.
    public func syncProductsFromCloud() throws { try pull() }

    /// Sends the person's preferences and fetches them.
    public func syncUserPreferences() throws {
        try push(["preferences"])
        try pull()
    }

    /// Sends the pictures that wait. Returns the ids of their receipts; later pulls show how far these have been read. A
    /// refused picture is not sent again, so that it does not stop those after it.
    public func uploadPendingReceipts() throws -> [String] {
        var receipts: [String] = []
        while let picture = pictures.first {
            // Sending the same image again changes nothing, so a request can be repeated if its answer was lost.
            do {
                _ = try send(
                    "PUT", "images/\(picture.image)?receipt_id=\(picture.receipt)", picture.bytes, type: picture.type)
                receipts.append(picture.receipt)
            } catch SyncError.refused(let status, let body) where [400, 413, 415, 422].contains(status) {
                refusedPictures[picture.receipt] = body
            }
            pictures.removeFirst()
        }
        return receipts
    }

    /// Fetches the newest price of each comparison group in each store.
    public func downloadLatestPriceData() throws -> [SyncRow] {
        let answer = try object(try send("GET", "prices"))
        return answer["prices"] as? [SyncRow] ?? []
    }

    /// Stores a copy of all data on the device. Returns its id.
    public func backupUserData() throws -> String {
        try pull()
        let id = UUID().uuidString.lowercased()
        let copy: [String: Any] = ["tables": tables, "last_pulled_at": lastPulledAt ?? 0]
        try FileManager.default.createDirectory(at: backups, withIntermediateDirectories: true)
        try JSONSerialization.data(withJSONObject: copy).write(to: backup(id), options: .atomic)
        return id
    }

    /// Restores data from a copy: receipts, products, package sizes, stores, categories and comparison groups that were
    /// changed or deleted since then. Other data is not restored.
    public func restoreUserData(_ id: String) throws {
        let copy = try object(try Data(contentsOf: backup(id)))
        let kept = copy["tables"] as? [String: [String: SyncRow]] ?? [:]
        try pull()
        for table in Self.restored {
            for (id, row) in kept[table] ?? [:] {
                let current = tables[table]?[id]
                if current == nil || !NSDictionary(dictionary: current ?? [:]).isEqual(to: row) { save(row, in: table) }
            }
        }
        try push(Self.restored)
    }

    private static let restored = [
        "categories", "comparison_groups", "stores", "products", "product_packages", "receipts", "receipt_lines",
    ]

    private func backup(_ id: String) -> URL { backups.appendingPathComponent("allesteurer-\(id).json") }

    // MARK: Protocol

    /// The tables with the elements of a document, and their column that has the document's id.
    private static let elements = [
        "receipts": [("receipt_lines", "receipt_id")], "products": [("product_packages", "product_id")],
        "categories": [("category_shares", "category_id")],
        "expenses": [("expense_shares", "expense_id"), ("expense_lines", "expense_id")],
        "budgets": [("budget_limits", "budget_id")], "savings_goals": [("savings_deposits", "goal_id")],
        "bank_files": [("bank_bookings", "bank_file_id")],
    ]

    /// Fetches changed rows. Rows that were changed on the device and not sent yet keep the changed columns, and rows that
    /// were deleted on the device stay deleted.
    public func pull() throws {
        let since = lastPulledAt.map(String.init) ?? "null"
        let answer = try object(try send("GET", "sync?last_pulled_at=\(since)"))
        for (table, lists) in answer["changes"] as? [String: [String: Any]] ?? [:] {
            for list in ["created", "updated"] {
                for row in lists[list] as? [SyncRow] ?? [] {
                    guard let id = row["id"] as? String, deleted[table]?.contains(id) != true else { continue }
                    guard changed[table]?.contains(id) == true else {
                        tables[table, default: [:]][id] = row
                        continue
                    }
                    let merged = merge(tables[table]?[id] ?? [:], over: bases[table]?[id] ?? [:], into: row)
                    tables[table, default: [:]][id] = merged
                    bases[table, default: [:]][id] = row
                }
            }
            for id in lists["deleted"] as? [String] ?? [] {
                tables[table]?[id] = nil
                changed[table]?.remove(id)
                // The server does not list the elements of a document whose contents it has erased.
                for (name, column) in Self.elements[table] ?? [] {
                    for (element, row) in tables[name] ?? [:] where row[column] as? String == id {
                        tables[name]?[element] = nil
                        changed[name]?.remove(element)
                    }
                }
            }
        }
        lastPulledAt = answer["timestamp"] as? Int
    }

    /// Returns the server's row with the columns that were changed on the device.
    private func merge(_ mine: SyncRow, over base: SyncRow, into row: SyncRow) -> SyncRow {
        var merged = row
        for (column, value) in mine {
            let isChanged = !NSDictionary(dictionary: ["": value]).isEqual(to: ["": base[column] ?? NSNull()])
            if isChanged { merged[column] = value }
        }
        return merged
    }

    /// Sends changed rows of tables. Pulls first if somebody else changed the same rows.
    public func push(_ names: [String]) throws {
        for _ in 0..<10 {
            if lastPulledAt == nil { try pull() }
            var changes: [String: Any] = [:]
            for name in names {
                let rows = (changed[name] ?? []).compactMap { tables[name]?[$0] }
                let deletedIDs = Array(deleted[name] ?? [])
                if rows.isEmpty, deletedIDs.isEmpty { continue }
                // The server does not distinguish created and updated rows.
                changes[name] = ["created": [], "updated": rows, "deleted": deletedIDs]
            }
            if changes.isEmpty { return }
            let answer: [String: Any]
            do {
                answer = try object(
                    try send(
                        "POST", "sync?last_pulled_at=\(lastPulledAt ?? 0)",
                        JSONSerialization.data(withJSONObject: changes)))
            } catch SyncError.refused(409, _) {
                try pull()
                continue
            }
            rejections = answer["reasons"] as? [String: String] ?? [:]
            let rejected = answer["experimentalRejectedIds"] as? [String: [String]] ?? [:]
            for name in names { unmark(name, except: rejected) }
            // Fetches the fields that only the server sets, such as the store of a confirmed receipt.
            return try pull()
        }
        throw SyncError.busy
    }

    /// Removes the marks of rows that were sent, except those of rejected documents: they are sent again with the next push.
    ///
    /// - Parameter rejected: the ids of documents by their tables.
    private func unmark(_ name: String, except rejected: [String: [String]]) {
        var (table, column) = (name, "id")
        for (owner, lists) in Self.elements {
            for list in lists where list.0 == name { (table, column) = (owner, list.1) }
        }
        let documents = Set(rejected[table] ?? [])
        let kept = (changed[name] ?? []).filter { documents.contains(tables[name]?[$0]?[column] as? String ?? "") }
        changed[name] = kept
        // A deleted element does not name its document, so all are sent again. The server ignores repeated deletions.
        if table == name || documents.isEmpty { deleted[name]?.formIntersection(documents) }
        bases[name] = bases[name]?.filter { kept.contains($0.key) }
    }

    private func object(_ data: Data) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    private func send(
        _ method: String, _ path: String, _ body: Data? = nil, type: String = "application/json"
    ) throws -> Data {
        guard let url = URL(string: "api/v1/households/\(household)/\(path)", relativeTo: server) else {
            throw SyncError.refused(status: 0, body: "not an address")
        }
        var request = URLRequest(url: url, timeoutInterval: 60)
        request.httpMethod = method
        request.httpBody = body
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        if body != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
        let answer = Answer()
        let done = DispatchSemaphore(value: 0)
        URLSession.shared.dataTask(with: request) { data, response, error in
            answer.data = data ?? Data()
            answer.status = (response as? HTTPURLResponse)?.statusCode ?? 0
            answer.error = error
            done.signal()
        }.resume()
        done.wait()
        if let error = answer.error { throw error }
        guard (200..<300).contains(answer.status) else {
            throw SyncError.refused(status: answer.status, body: String(decoding: answer.data, as: UTF8.self))
        }
        return answer.data
    }

    private final class Answer: @unchecked Sendable {
        // Written before the semaphore is signalled, read after it.
        var data = Data()
        var status = 0
        var error: (any Error)?
    }
}
