import Domain
import Postgres
import Templates

/// A table to import. Each row is marked if it is already stored.
///
/// `init` and `markKnown` are slow, so they must run in `SlowWork`.
struct ImportTable: Sendable {
    struct Row: Sendable {
        /// The line of the file where the row begins.
        let line: Int
        let fields: [String]
        let verdict: Result<ImportRecord, LineItemTable.Problem>
        /// The following fields are as written in the file, for error messages.
        let price: String
        let day: String
        let quantity: String
        let unitPrice: String
        let kind: String
        let currency: String
        /// The expected number of columns.
        let width: Int
        /// Whether a line with the same name, date, amount and store is already stored.
        var isKnown = false
    }

    private(set) var rows: [Row]
    /// The number of valid rows.
    private(set) var validCount = 0
    /// How dates with slashes were interpreted; nil if the table has none.
    private(set) var slashDates: SlashDates?
    let hasQuantities: Bool
    /// The dates of the valid rows, without duplicates.
    let days: [LocalDate]

    /// A part ends with the date at which it has at least this number of records. Each part is one transaction, during
    /// which other members cannot write.
    private static let recordsPerPart = 1_000

    /// - Throws: `LineItemTable.Failure`.
    init(_ text: String, currency: Currency) throws {
        var keys = ImportKeys()
        let table = try LineItemTable(reading: text, asOf: WallClock.today(), currency: currency)
        slashDates = table.slashDates
        hasQuantities = table.hasQuantities
        var last: ImportRecord?
        rows = table.rows.map { row in
            let verdict = row.verdict.map { record in
                var record = ImportRecord(record, line: row.line, &keys)
                record.assignDiscount(to: &last)
                return record
            }
            // A discount after an invalid row may belong to that row, so it must not be assigned to an earlier item.
            if case .failure = verdict { last = nil }
            return Row(
                line: row.line, fields: row.fields, verdict: verdict, price: row.field(.price), day: row.field(.day),
                quantity: "\(row.field(.quantity)) \(row.field(.unit))".trimmed, unitPrice: row.field(.unitPrice),
                kind: row.field(.kind), currency: row.field(.currency), width: row.width)
        }
        var days: Set<LocalDate> = []
        for row in rows {
            guard let record = try? row.verdict.get() else { continue }
            validCount += 1
            days.insert(record.day)
        }
        self.days = days.sorted()
    }

    /// The records to import: valid and not stored yet.
    var newRecords: [ImportRecord] { rows.filter { !$0.isKnown }.compactMap { try? $0.verdict.get() } }

    private init(rows: [Row], days: [LocalDate], hasQuantities: Bool) {
        self.rows = rows
        self.hasQuantities = hasQuantities
        self.days = days
        validCount = rows.count
    }

    /// The valid rows, split into parts. All rows of a date are in one part, because they are compared with the stored
    /// lines of that date.
    var parts: [ImportTable] {
        let byDay = Dictionary(
            grouping: rows.compactMap { row in (try? row.verdict.get()).map { (row, $0.day) } }, by: \.1)
        var parts: [ImportTable] = []
        var current: (rows: [Row], days: [LocalDate]) = ([], [])
        for day in days {
            current.rows += (byDay[day] ?? []).map(\.0)
            current.days.append(day)
            guard current.rows.count >= Self.recordsPerPart || day == days.last else { continue }
            parts.append(ImportTable(rows: current.rows, days: current.days, hasQuantities: hasQuantities))
            current = ([], [])
        }
        return parts
    }

    /// The values by which rows are compared with stored lines.
    private struct StoredLineKey: Hashable {
        let day: LocalDate
        let key: String
        let totalMinor: Int64
        let storeKey: String
    }

    /// Marks the rows that are already stored. Each stored line marks only one row: of two equal rows, both are marked
    /// only if two equal lines are stored.
    mutating func markKnown(_ rows: Rows) throws {
        var unmatched: [StoredLineKey: Int] = [:]
        // The current names of stores by a former name, because a table may be older than the store's current name.
        var currentNames: [String: Set<String>] = [:]
        var keys = ImportKeys()
        for (day, key, total, store, formerNames) in try rows.decode(
            (LocalDate, String, Int64, String, [String]).self)
        {
            let storeKey = keys.store(store)
            unmatched[StoredLineKey(day: day, key: key, totalMinor: total, storeKey: storeKey), default: 0] += 1
            for name in formerNames { currentNames[keys.store(name), default: []].insert(storeKey) }
        }
        for index in self.rows.indices {
            guard let record = try? self.rows[index].verdict.get() else { continue }
            let storeKeys = [record.storeKey] + (currentNames[record.storeKey] ?? []).sorted()
            let lineKeys = storeKeys.lazy.map { storeKey in
                StoredLineKey(
                    day: record.day, key: record.aliasKey, totalMinor: record.price.minorUnits, storeKey: storeKey)
            }
            guard let lineKey = lineKeys.first(where: { (unmatched[$0] ?? 0) > 0 }) else { continue }
            unmatched[lineKey, default: 1] -= 1
            self.rows[index].isKnown = true
        }
    }

    /// Selects the stored lines on the table's dates that the member can see: date, alias key, total, store, former
    /// names of the store.
    func storedLinesQuery(_ member: Member) -> SQL {
        """
        SELECT r.purchase_day, l.alias_key, l.total_minor, coalesce(s.name, ''), coalesce(s.former_names, '{}')
        FROM receipt r
        JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
        LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        WHERE r.household_id = \(member.household) AND r.discarded_at IS NULL AND r.purchase_day = ANY(\(days))
            AND r.stage = \(Stage.confirmed.sql) AND \(Visibility.condition(member))
        """
    }

    /// The message about an invalid row, including the text of the field.
    static func reason(_ problem: LineItemTable.Problem, _ row: Row, _ words: LanguageTexts) -> String {
        func cut(_ field: String) -> Value { .text(String(field.prefix(60))) }
        switch problem {
        case .missingName: return words["server.import.name"]
        case .missingPrice: return words["server.import.no-price"]
        case .badPrice(.ambiguous): return words["server.import.unsure-price", ["value": cut(row.price)]]
        case .badPrice: return words["server.import.price", ["value": cut(row.price)]]
        case .badQuantity: return words["server.import.quantity", ["value": cut(row.quantity)]]
        case .badUnitPrice: return words["server.import.unit-price", ["value": cut(row.unitPrice)]]
        case .badKind: return words["server.import.kind", ["value": cut(row.kind)]]
        case .badCurrency: return words["server.import.currency", ["value": cut(row.currency)]]
        case .missingDay: return words["server.import.no-date"]
        case .badDay: return words["server.import.date", ["value": cut(row.day)]]
        case .implausibleDay: return words["server.import.early", ["value": cut(row.day)]]
        case .futureDay: return words["server.import.future", ["value": cut(row.day)]]
        case .fieldCount:
            return words[
                "server.import.fields",
                ["count": .number(String(row.fields.count)), "width": .number(String(row.width))]]
        case .tooLong: return words["server.import.long"]
        case .strayQuote: return words["server.import.quote"]
        }
    }
}
