import Domain
import Templates
import Wines

/// The model of the view `wines/import`.
struct WineImportPage: PageModel {
    let problem: Problem?

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
    }
}

/// The model of the view `wines/preview`: at most a hundred lines of a table, interpreted with the chosen columns.
struct WinePreviewPage: PageModel {
    let table: WineTables.WaitingTable
    let excerpt: WineTables.Excerpt
    /// The number of the page, from 1.
    let page: Int
    let mapping: WineMapping
    let words: LanguageTexts
    let language: Language

    private var lines: [WinePreviewLine] {
        excerpt.rows.map { row in
            WinePreviewLine(
                number: row.line, raw: row.fields, read: ImportedWine.read(row.fields, mapping), words: words,
                language: language)
        }
    }

    /// The address of another page of the preview with the same columns.
    private func href(page: Int) -> String {
        var pairs = mapping.columns.map { ("column-\($0.key.rawValue)", String($0.value)) }.sorted { $0.0 < $1.0 }
        pairs += [("scale", mapping.scale.rawValue), ("usual-currency", mapping.currency.code), ("page", String(page))]
        return "/wine-import/\(table.id)?" + pairs.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    static let fields = Fields<Self> { f in
        f.optionalText("previousHref") { $0.page > 1 ? $0.href(page: $0.page - 1) : nil }
        f.optionalText("nextHref") { $0.excerpt.hasMore ? $0.href(page: $0.page + 1) : nil }
        f.text("href") { "/wine-import/\($0.table.id)" }
        f.text("fileName") { $0.table.name }
        f.list("columns") { page in
            WineColumn.allCases.map { column in
                WineColumnChoice(
                    column: column, label: page.words["server.wine.column-\(column.rawValue)"],
                    headings: page.excerpt.headings, selected: page.mapping.columns[column],
                    none: page.words["server.wine.column-none"])
            }
        }
        f.list("scales") { WineChoices.scales($0.mapping.scale, $0.words) }
        f.text("scale") { $0.mapping.scale.rawValue }
        f.text("currency") { $0.mapping.currency.code }
        f.list("currencies") { page in
            CurrencyCode.offered.map {
                Choice(value: $0.code, label: $0.code, isSelected: $0 == page.mapping.currency)
            }
        }
        f.flag("hasName") { $0.mapping.columns[.name] != nil }
        f.list("lines") { $0.lines }
        f.flag("hasProblems") { page in page.lines.contains { $0.isRefused } }
    }
}

/// A select element for one case of `WineColumn`. The headings of the table are its options.
struct WineColumnChoice: PageModel {
    let column: WineColumn
    let label: String
    let headings: [String]
    let selected: Int?
    /// The label of the option for no column.
    let none: String

    static let fields = Fields<Self> { f in
        f.text("name") { "column-\($0.column.rawValue)" }
        f.text("label") { $0.label }
        f.text("value") { choice in choice.selected.map(String.init) ?? "" }
        f.list("options") { choice in
            [Choice(value: "", label: choice.none, isSelected: choice.selected == nil)]
                + choice.headings.enumerated().map { index, heading in
                    Choice(
                        value: String(index), label: heading.isEmpty ? "\(index + 1)" : heading.cut(to: 60),
                        isSelected: choice.selected == index)
                }
        }
    }
}

struct WinePreviewLine: PageModel {
    let number: Int
    let raw: [String]
    /// The wine that was read from the line, or the reason why the line is invalid.
    let read: Swift.Result<ImportedWine, ImportedWine.Problem>
    let words: LanguageTexts
    let language: Language

    var isRefused: Bool { if case .failure = read { true } else { false } }
    private var wine: ImportedWine? { try? read.get() }

    static let fields = Fields<Self> { f in
        f.number("number") { $0.number }
        f.flag("isRefused") { $0.isRefused }
        f.text("reason") { line in
            guard case .failure(let problem) = line.read else { return "" }
            return line.words["server.wine.line-\(problem.rawValue)"]
        }
        f.text("raw") { $0.raw.joined(separator: " · ").cut(to: 200) }
        f.text("name") { line in
            guard let wine = line.wine else { return "" }
            return [wine.producer, wine.name].filter { !$0.isEmpty }.joined(separator: " · ")
        }
        f.text("vintage") { line in line.wine?.vintage.map(String.init) ?? "" }
        f.text("place") { line in
            [line.wine?.region ?? "", line.wine?.country ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        }
        f.text("colour") { line in
            line.wine?.colour.map { line.words["server.wine.colour-\($0.rawValue)"] } ?? ""
        }
        f.text("points") { line in
            guard let score = line.wine?.score else { return "" }
            return score.critic.isEmpty ? String(score.points) : "\(score.points) \(score.critic)"
        }
        f.text("price") { line in line.wine?.price?.formatted(line.language) ?? "" }
    }
}
