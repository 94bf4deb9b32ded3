/// A table of printed names and their products: `Chain;Printed name;Product;Category`.
package struct NameTable: Sendable {
    package struct Row: Hashable, Sendable {
        /// The chain's displayed name.
        package let chain: String
        package let printedName: String
        package let product: String
        /// Nil when the column is empty or missing.
        package let category: String?

        package init(chain: String, printedName: String, product: String, category: String? = nil) {
            self.chain = chain
            self.printedName = printedName
            self.product = product
            self.category = category
        }
    }

    /// The reason why nothing can be imported.
    package enum Failure: Error, Hashable, Sendable {
        case unreadable(CSVReader.Failure)
        /// The column of chain, printed name or product is missing.
        case missingColumns
    }

    package let rows: [Row]
    /// The number of rows in which the chain, the printed name or the product is missing or too long.
    package let skippedCount: Int

    /// The longest text of a field in Unicode scalars.
    private static let maximumTextLength = 200

    private enum Column: CaseIterable {
        case chain, printedName, product, category

        /// The headings with this meaning, folded and reduced to letters.
        var headings: Set<String> {
            switch self {
            case .chain: ["chain", "kette"]
            case .printedName: ["printedname", "gedrucktername", "bonname"]
            case .product: ["product", "produkt"]
            case .category: ["category", "kategorie"]
            }
        }
    }

    package init(reading text: some StringProtocol) throws(Failure) {
        let table: [CSVReader.Row]
        do { table = try CSVReader.rows(of: text) } catch { throw .unreadable(error) }
        var columns: [Column: Int] = [:]
        for (index, field) in (table.first?.fields ?? []).enumerated() {
            let word = FoldedText.fold(field).filter(\.isLetter)
            for column in Column.allCases where column.headings.contains(word) && columns[column] == nil {
                columns[column] = index
            }
        }
        guard columns[.chain] != nil, columns[.printedName] != nil, columns[.product] != nil else {
            throw .missingColumns
        }
        let body = table.dropFirst()
        rows = body.compactMap { row in
            func field(_ column: Column) -> String {
                guard let index = columns[column], row.fields.indices.contains(index) else { return "" }
                return LineItemTable.trimmed(row.fields[index])
            }
            let (chain, printed, product) = (field(.chain), field(.printedName), field(.product))
            guard
                [chain, printed, product].allSatisfy({
                    !$0.isEmpty && $0.unicodeScalars.count <= Self.maximumTextLength
                })
            else { return nil }
            let category = field(.category)
            return Row(
                chain: chain, printedName: printed, product: product, category: category.isEmpty ? nil : category)
        }
        skippedCount = body.count - rows.count
    }

    /// The table with its heading.
    package static func write(_ rows: some Sequence<Row>, language: Language) -> String {
        var writer = CSVWriter()
        writer.append(
            language == .german
                ? ["Kette", "Gedruckter Name", "Produkt", "Kategorie"]
                : ["Chain", "Printed name", "Product", "Category"])
        for row in rows { writer.append([row.chain, row.printedName, row.product, row.category ?? ""]) }
        return writer.text
    }
}
