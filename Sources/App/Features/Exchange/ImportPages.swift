import Domain
import Templates

/// `exchange/import`.
struct ImportPage: PageModel {
    let problem: Problem?

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
    }
}

/// `exchange/preview`: what was understood, line by line.
struct ImportPreviewPage: PageModel {
    let href: String
    let fileName: String
    let table: ImportTable
    let words: LanguageTexts
    let language: Language

    /// Rows that are shown; those with problems come first.
    private static let shown = 200

    private var problems: Int { table.rows.count - table.understood.count }

    static let fields = Fields<Self> { f in
        f.text("href") { $0.href }
        f.text("fileName") { $0.fileName.isEmpty ? "CSV" : $0.fileName }
        f.number("understood") { $0.table.understood.count }
        f.number("total") { $0.table.rows.count }
        f.flag("hasProblems") { $0.problems > 0 }
        f.number("problems") { $0.problems }
        f.flag("canConfirm") { !$0.table.news.isEmpty }
        f.optional("hidden") { page in
            page.table.rows.count > shown ? Hidden(count: page.table.rows.count - shown) : nil
        }
        f.list("rows") { page in
            page.selected.map { Row(row: $0, words: page.words, language: page.language) }
        }
    }

    /// In the file's order; of a long file the rows with problems and the first others.
    private var selected: [ImportTable.Row] {
        guard table.rows.count > Self.shown else { return table.rows }
        let wrong = table.rows.filter { (try? $0.verdict.get()) == nil }.prefix(Self.shown / 2)
        let right = table.rows.filter { (try? $0.verdict.get()) != nil }.prefix(Self.shown - wrong.count)
        return (wrong + right).sorted { $0.line < $1.line }
    }

    struct Hidden: PageModel {
        let count: Int

        static let fields = Fields<Self> { f in
            f.number("count") { $0.count }
        }
    }

    struct Row: PageModel {
        let row: ImportTable.Row
        let words: LanguageTexts
        let language: Language

        private var record: LineItemRecord? { try? row.verdict.get() }

        static let fields = Fields<Self> { f in
            f.number("number") { $0.row.line }
            f.flag("isUnderstood") { $0.record != nil }
            f.text("name") { $0.record?.name ?? "" }
            f.text("price") { row in row.record?.price.formatted(row.language) ?? "" }
            f.text("category") { $0.record?.category ?? "" }
            f.text("store") { $0.record?.shop ?? "" }
            f.text("day") { row in row.record?.day.formatted(row.language) ?? "" }
            f.flag("isKnown") { $0.row.isKnown }
            f.text("reason") { row in
                guard case .failure(let problem) = row.row.verdict else { return "" }
                return ImportTable.reason(problem, row.row.fields, row.words)
            }
            f.text("raw") { row in String(row.row.fields.joined(separator: ";").prefix(300)) }
        }
    }
}
