import Domain
import Templates

/// The model of the view `exchange/preview`.
struct ImportPreviewPage: PageModel {
    private let href: String
    private let fileName: String
    /// The number of valid rows.
    private let validCount: Int
    private let total: Int
    /// The number of rows to import.
    private let newRowCount: Int
    private let rows: [Row]
    private let slashDates: SlashDates?
    private let hasQuantities: Bool
    private let words: LanguageTexts

    /// The maximum number of rows that the page shows.
    private static let maximumRows = 200

    private var problemCount: Int { total - validCount }

    /// Counts the whole table, so it must run in `SlowWork`.
    init(href: String, fileName: String, table: ImportTable, words: LanguageTexts, language: Language) {
        self.href = href
        self.fileName = fileName.isEmpty ? "CSV" : fileName
        validCount = table.validCount
        slashDates = table.slashDates
        hasQuantities = table.hasQuantities
        self.words = words
        total = table.rows.count
        newRowCount = table.rows.count { !$0.isKnown && (try? $0.verdict.get()) != nil }
        rows = Self.rowsToShow(table).map { Row(row: $0, words: words, language: language) }
    }

    static let fields = Fields<Self> { f in
        f.text("href") { $0.href }
        f.text("fileName") { $0.fileName }
        f.number("valid") { $0.validCount }
        f.number("total") { $0.total }
        f.flag("hasProblems") { $0.problemCount > 0 }
        f.number("problems") { $0.problemCount }
        f.number("newRows") { $0.newRowCount }
        f.flag("canConfirm") { $0.newRowCount > 0 }
        f.flag("hasOnlyKnownRows") { $0.newRowCount == 0 && $0.validCount > 0 }
        f.optional("hidden") { $0.total > $0.rows.count ? HiddenRows(count: $0.total - $0.rows.count) : nil }
        f.list("rows") { $0.rows }
        f.flag("hasQuantities") { $0.hasQuantities }
        f.optionalText("slashDates") { page in page.slashDates.map { page.words["server.import.\($0.rawValue)"] } }
    }

    /// Selects the rows to show, in the order of the file: the first rows with problems and the first rows without. If
    /// there are many rows of both kinds, each kind fills half of the list.
    private static func rowsToShow(_ table: ImportTable) -> [ImportTable.Row] {
        guard table.rows.count > maximumRows else { return table.rows }
        let invalid = table.rows.lazy.filter { (try? $0.verdict.get()) == nil }.prefix(maximumRows)
        let valid = table.rows.lazy.filter { (try? $0.verdict.get()) != nil }
            .prefix(max(maximumRows / 2, maximumRows - invalid.count))
        return (Array(invalid.prefix(maximumRows - valid.count)) + Array(valid)).sorted { $0.line < $1.line }
    }

    struct HiddenRows: PageModel {
        let count: Int

        static let fields = Fields<Self> { f in
            f.number("count") { $0.count }
        }
    }

    struct Row: PageModel {
        let row: ImportTable.Row
        let words: LanguageTexts
        let language: Language

        private var record: ImportRecord? { try? row.verdict.get() }

        static let fields = Fields<Self> { f in
            f.number("number") { $0.row.line }
            f.flag("isUnderstood") { $0.record != nil }
            f.text("name") { $0.record?.name ?? "" }
            f.optionalText("quantity") { row in
                row.record.flatMap { $0.quantity == .one ? nil : $0.quantity.formatted(row.language) }
            }
            // The label of a row that is not an item. For a discount it says whether the discount belongs to the
            // preceding item.
            f.optionalText("kind") { row in
                row.record.flatMap { record in
                    let kind = LineItemRecord.Kind(record.kind, reducesPrecedingItem: record.item != nil)
                    return record.kind == .item ? nil : kind.label(row.language)
                }
            }
            f.flag("hasInvertedSign") { $0.record?.hasInvertedSign ?? false }
            f.optionalText("package") { row in row.record?.package?.shownAsPackage(row.language) }
            f.text("price") { row in row.record?.price.formatted(row.language) ?? "" }
            f.text("category") { $0.record?.category ?? "" }
            f.text("store") { $0.record?.store ?? "" }
            f.text("day") { row in row.record?.day.formatted(row.language) ?? "" }
            f.flag("isKnown") { $0.row.isKnown }
            f.text("reason") { row in
                guard case .failure(let problem) = row.row.verdict else { return "" }
                return ImportTable.reason(problem, row.row, row.words)
            }
            f.text("raw") { row in String(row.row.fields.joined(separator: ";").prefix(300)) }
        }
    }
}
