import Domain
import Templates

/// The model of the view `expenses/bank`.
struct BankUploadPage: PageModel {
    let waiting: [BankImports.ListedFile]
    let imported: [BankImports.ImportedFile]
    /// The account names that the member has entered, as suggestions.
    let accounts: [String]
    /// Expenses of bank files and other entries that may be the same payment.
    let pairs: [BankPairRow]
    let words: LanguageTexts
    let language: Language
    var problem: Problem?

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.flag("hasWaiting") { !$0.waiting.isEmpty }
        f.list("waiting") { page in
            page.waiting.map { WaitingBankFileRow(file: $0, words: page.words, language: page.language) }
        }
        f.list("accounts") { page in page.accounts.map { Choice(value: $0, label: $0, isSelected: false) } }
        f.flag("hasPairs") { !$0.pairs.isEmpty }
        f.list("pairs") { $0.pairs }
        f.flag("hasDone") { !$0.imported.isEmpty }
        f.list("done") { page in page.imported.map { BankImportRow(file: $0, language: page.language) } }
    }
}

/// A file that waits for confirmation.
struct WaitingBankFileRow: PageModel {
    let file: BankImports.ListedFile
    let words: LanguageTexts
    let language: Language

    static let fields = Fields<Self> { f in
        f.text("href") { "/bank-files/\($0.file.id)" }
        f.text("name") { $0.file.name.isEmpty ? $0.words["server.bank.unnamed-file"] : $0.file.name }
        f.text("day") { DisplayDate.dayAndTime($0.file.uploadedAt, $0.language) }
        f.text("source") { row in
            [row.file.account, row.file.format.uppercased()].filter { !$0.isEmpty }.joined(separator: ", ")
        }
        f.optionalText("lines") { row in row.file.lineCount.map { String($0) } }
    }
}

/// An imported file.
struct BankImportRow: PageModel {
    let file: BankImports.ImportedFile
    let language: Language

    static let fields = Fields<Self> { f in
        f.text("action") { "/bank-files/\($0.file.id)/removal" }
        f.text("name") { $0.file.name.isEmpty ? "–" : $0.file.name }
        f.text("day") { DisplayDate.day($0.file.importedAt, $0.language) }
        f.number("made") { Int($0.file.createdCount) }
        f.number("joined") { Int($0.file.linkedCount) }
    }
}

/// The model of the view `expenses/bank-columns`, where a person chooses the roles of a table's columns.
struct BankColumnsPage: PageModel {
    let file: BankImports.WaitingFile
    let table: BankTable
    var columns: BankColumns
    let words: LanguageTexts
    var problem: Problem?

    private static let examples = 3

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.text("href") { "/bank-files/\($0.file.id)" }
        f.text("fileName") { $0.file.name.isEmpty ? "CSV" : $0.file.name }
        f.list("columns") { page in
            page.columns.roles.enumerated().map { index, role in
                BankColumnRow(
                    index: index, name: index < page.table.headings.count ? page.table.headings[index] : "",
                    examples: page.table.rows.prefix(examples).compactMap {
                        index < $0.fields.count && !$0.fields[index].isEmpty ? $0.fields[index].cut(to: 60) : nil
                    }, role: role, words: page.words)
            }
        }
    }
}

/// A column with a choice of roles.
struct BankColumnRow: PageModel {
    let index: Int
    let name: String
    let examples: [String]
    let role: BankColumns.Role
    let words: LanguageTexts

    static let fields = Fields<Self> { f in
        f.number("index") { $0.index }
        f.text("name") { column in
            column.name.isEmpty
                ? column.words["server.bank.column", ["count": .number(String(column.index + 1))]]
                : column.name.cut(to: 100)
        }
        f.text("examples") { $0.examples.joined(separator: " · ") }
        f.list("roles") { column in
            BankColumns.Role.allCases.map {
                Choice(
                    value: $0.rawValue,
                    label: column.words["server.bank.role-\($0.rawValue.replacing("_", with: "-"))"],
                    isSelected: $0 == column.role)
            }
        }
    }
}
