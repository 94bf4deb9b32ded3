/// A table of line items, read row by row for the preview of an import.
package struct LineItemTable: Sendable {
    /// The meaning of a column.
    package enum Column: String, Sendable, CaseIterable {
        case name, price, category, store, day, quantity, unit, unitPrice, kind, currency, receipt

        /// The headings with this meaning, folded.
        var headings: Set<String> {
            switch self {
            case .name: ["name", "artikel", "produkt", "bezeichnung", "product", "item"]
            case .price: ["price", "preis", "betrag", "summe", "amount", "total"]
            case .category: ["category", "kategorie", "warengruppe"]
            case .store: ["shop", "geschaeft", "laden", "markt", "haendler", "store", "filiale"]
            case .day: ["datum", "date", "tag", "kaufdatum", "day"]
            case .quantity: ["menge", "anzahl", "stueckzahl", "quantity", "qty"]
            case .unit: ["einheit", "unit"]
            case .unitPrice: ["einzelpreis", "stueckpreis", "unitprice"]
            case .kind: ["art", "typ", "kind", "type"]
            case .currency: ["waehrung", "currency"]
            case .receipt: ["beleg", "kassenbon", "receipt"]
            }
        }

        /// The heading that an export writes.
        package func heading(_ language: Language) -> String {
            let (german, english) =
                switch self {
                case .name: ("Name", "Name")
                case .price: ("Preis", "Price")
                case .category: ("Kategorie", "Category")
                case .store: ("Geschäft", "Store")
                case .day: ("Datum", "Date")
                case .quantity: ("Menge", "Quantity")
                case .unit: ("Einheit", "Unit")
                case .unitPrice: ("Einzelpreis", "Unit price")
                case .kind: ("Art", "Type")
                case .currency: ("Währung", "Currency")
                case .receipt: ("Beleg", "Receipt")
                }
            return language == .german ? german : english
        }

        /// Whether each row must have a field for this column. Fields after the last such column may be missing.
        fileprivate var isNeeded: Bool { [.name, .price, .category, .store, .day].contains(self) }
    }

    /// The reason why a row cannot be imported.
    package enum Problem: Hashable, Sendable {
        case missingName
        case missingPrice
        /// Not an amount of the household's currency.
        case badPrice(NumberError)
        /// Not a number above 0 and up to 100,000.
        case badQuantity
        case badUnitPrice
        /// Not a kind of line, in a table with a column of kinds.
        case badKind
        /// Not a known currency.
        case badCurrency
        case missingDay
        /// Not a date in ISO or German form, or a day that does not exist.
        case badDay
        /// A day before 2000.
        case implausibleDay
        case futureDay
        /// More or fewer fields than the heading, not counting empty ones.
        case fieldCount
        /// A name of more than 200 characters.
        case tooLong
        /// A closing quote is followed by text, so the fields may be split wrongly.
        case strayQuote
    }

    /// A row with its record or its problem.
    package struct Row: Sendable {
        /// The line of the file on which the row begins, from 1.
        package let line: Int
        /// The fields as written, shown beside the problem.
        package let fields: [String]
        /// The record, or the first problem.
        package let verdict: Result<LineItemRecord, Problem>
        /// The position of each column.
        fileprivate let columns: [Column: Int]
        /// The number of columns of the heading.
        package let width: Int

        /// The trimmed field of a column; empty when the row has fewer fields.
        package func field(_ column: Column) -> String {
            guard let index = columns[column], fields.indices.contains(index) else { return "" }
            return LineItemTable.trimmed(fields[index])
        }
    }

    package let rows: [Row]
    /// How dates with slashes were read; nil when there are none.
    package let slashDates: SlashDates?
    /// Whether the table has quantities. If not, every row is one piece.
    package let hasQuantities: Bool
    /// Whether the table states the kind of each line, like an export. In such a table, a missing unit price or
    /// quantity is intended.
    package let hasKinds: Bool

    /// The reason why nothing can be imported.
    package enum Failure: Error, Hashable, Sendable {
        /// The file is not CSV.
        case unreadable(CSVReader.Failure)
        /// The file has no rows but the heading.
        case empty
        /// The heading lacks these columns. Name, price and day are required.
        case missingColumns([Column])
    }
}

extension LineItemTable.Problem: Error {}

extension LineItemTable {
    /// Reads the table. Every row gives a record or a problem; none is dropped.
    ///
    /// Days are ISO or German; numbers have a comma or a point. Columns are found by their headings, in any order.
    /// Without a heading the order is `Name;Price;Category;Shop;Datum`.
    ///
    /// - Throws: `Failure` when no row can be imported.
    package init(
        reading text: some StringProtocol, asOf today: LocalDate, currency: Currency = .eur
    ) throws(Failure) {
        let rows: [CSVReader.Row]
        do { rows = try CSVReader.rows(of: text) } catch { throw .unreadable(error) }
        guard let first = rows.first else { throw .empty }
        var columns = Self.columns(of: first.fields)
        var body = rows[...]
        if columns.isEmpty {
            columns = [.name: 0, .price: 1, .category: 2, .store: 3, .day: 4]
            guard first.fields.count == 5 else { throw .missingColumns([.name, .price, .day]) }
        } else {
            let missing = [Column.name, .price, .day].filter { columns[$0] == nil }
            guard missing.isEmpty else { throw .missingColumns(missing) }
            body = body.dropFirst()
        }
        guard !body.isEmpty else { throw .empty }
        let width = first.fields.count
        hasQuantities = columns[.quantity] != nil
        let kinds = Self.kinds(body, columns)
        hasKinds = !kinds.isEmpty
        if kinds.isEmpty { columns[.kind] = nil }
        let days = columns[.day] ?? 0
        let order = SlashDates(in: body.lazy.compactMap { $0.fields.indices.contains(days) ? $0.fields[days] : nil })
        slashDates = order
        self.rows = body.map { row in
            Row(
                line: row.line, fields: row.fields,
                verdict: Result { () throws(Problem) in
                    guard !row.hasStrayQuote else { throw .strayQuote }
                    return try Self.record(
                        row.fields, columns: columns, kinds: kinds, width: width, order: order ?? .dayFirst,
                        today: today, currency: currency)
                }, columns: columns, width: width)
        }
    }

    /// The table of `records` in the export format, with its heading.
    ///
    /// - Parameter isWhole: whether to write all columns, with headings in `language`. Otherwise, writes the five
    ///   columns of the first AllesTeurer app, with the headings that it reads.
    package static func write(
        _ records: some Sequence<LineItemRecord>, language: Language = .german, isWhole: Bool = false
    ) -> String {
        var writer = CSVWriter()
        writer.append(
            isWhole ? Column.allCases.map { $0.heading(language) } : ["Name", "Price", "Category", "Shop", "Datum"])
        for record in records {
            let figure = (isCancelledDiscount(record) ? "+" : "") + record.price.plain
            let fields = [
                record.name, language == .german ? String(figure.map { $0 == "." ? "," : $0 }) : figure,
                record.category ?? "", record.store ?? "",
                language == .german ? record.day.formatted() : record.day.iso,
            ]
            writer.append(isWhole ? fields + furtherFields(record, language) : fields)
        }
        return writer.text
    }

    /// Whether the record is a cancelled discount. It is written with `+`: without a sign it would be read as a
    /// discount.
    private static func isCancelledDiscount(_ record: LineItemRecord) -> Bool {
        guard record.price.minorUnits > 0 else { return false }
        return [record.kind, nil].contains { kind in
            LineItemRecord.isReduction(kind, name: record.name, category: record.category ?? "")
        }
    }

    /// The fields of an export after the first five.
    private static func furtherFields(_ record: LineItemRecord, _ language: Language) -> [String] {
        let unitPrice = record.unitPrice.map {
            DecimalText.format($0.thousandthsOfMinor, decimals: 5, minimum: 2, in: language, isGrouped: false)
        }
        return [
            record.quantity.figure(language), record.quantity.unit.symbol(language), unitPrice ?? "",
            record.kind?.label(language) ?? "", record.price.currency.rawValue, record.receipt ?? "",
        ]
    }

    /// The kind for each word in the column of kinds; empty if the column means something else.
    ///
    /// Other programs use the heading `Art` for other properties. The column therefore counts only if at least half of
    /// its values are kinds. In a file with the columns of AllesTeurer's own export, one such value suffices.
    private static func kinds(
        _ rows: ArraySlice<CSVReader.Row>, _ columns: [Column: Int]
    ) -> [String: LineItemRecord.Kind] {
        guard let column = columns[.kind] else { return [:] }
        var words: [String: Int] = [:]
        for row in rows where row.fields.indices.contains(column) {
            words[trimmed(row.fields[column]), default: 0] += 1
        }
        words[""] = nil
        var kinds: [String: LineItemRecord.Kind] = [:]
        for word in words.keys { kinds[word] = LineItemRecord.Kind(parsing: word) }
        let isOwnExport = columns[.receipt] != nil && columns[.unitPrice] != nil
        let known = words.reduce(0) { $0 + (kinds[$1.key] == nil ? 0 : $1.value) }
        return isOwnExport || 2 * known >= words.values.reduce(0, +) ? kinds : [:]
    }

    private static func columns(of heading: [String]) -> [Column: Int] {
        var columns: [Column: Int] = [:]
        for (index, field) in heading.enumerated() {
            let word = FoldedText.fold(field).filter { $0.isLetter }
            for column in Column.allCases where column.headings.contains(word) && columns[column] == nil {
                columns[column] = index
            }
        }
        // A first row with only one known heading may be a product, so a heading must have at least two known columns.
        return columns.count >= 2 ? columns : [:]
    }

    private static func record(
        _ fields: [String], columns: [Column: Int], kinds: [String: LineItemRecord.Kind], width: Int,
        order: SlashDates, today: LocalDate, currency: Currency
    ) throws(Problem) -> LineItemRecord {
        func field(_ column: Column) -> String {
            guard let index = columns[column], fields.indices.contains(index) else { return "" }
            return trimmed(fields[index])
        }
        let needed = columns.filter(\.key.isNeeded).values.max() ?? 0
        guard fields.count >= min(width, needed + 1) || fields.count == width,
            fields.dropFirst(width).allSatisfy({ trimmed($0).isEmpty })
        else { throw .fieldCount }
        let name = field(.name)
        guard !name.isEmpty else { throw .missingName }
        guard name.unicodeScalars.count <= 200 else { throw .tooLong }
        guard !field(.price).isEmpty else { throw .missingPrice }
        let (currencyName, kindName) = (field(.currency), field(.kind))
        guard let currency = currencyName.isEmpty ? currency : Currency(parsing: currencyName) else {
            throw .badCurrency
        }
        guard kindName.isEmpty || kinds[kindName] != nil else { throw .badKind }
        var price: Money
        do { price = try Money(parsing: field(.price), currency: currency) } catch { throw .badPrice(error) }
        let hasKinds = !kinds.isEmpty
        let quantity = try quantity(field(.quantity), field(.unit), hasKinds: hasKinds)
        let unitPrice = try hasKinds ? unitPrice(field(.unitPrice), currency, quantity.unit) : nil
        guard !field(.day).isEmpty else { throw .missingDay }
        // Spreadsheets append a time to dates.
        let written = field(.day).split(whereSeparator: { $0 == "T" || $0 == " " }).first ?? ""
        guard let day = order.day(field(.day)) ?? order.day(written) else { throw .badDay }
        guard day >= .firstPurchaseDay else { throw .implausibleDay }
        guard day <= today else { throw .futureDay }
        let (category, store, receipt) = (field(.category), field(.store), field(.receipt))
        let hasInvertedSign =
            price.minorUnits > 0 && !field(.price).contains("+")
            && LineItemRecord.isReduction(kinds[kindName], name: name, category: category)
        if hasInvertedSign { price = Money(minorUnits: -price.minorUnits, currency: currency) }
        var record = LineItemRecord(
            name: name, price: price, quantity: quantity, unitPrice: unitPrice,
            category: category.isEmpty ? nil : category, store: store.isEmpty ? nil : store, day: day,
            kind: kinds[kindName], receipt: receipt.isEmpty ? nil : receipt)
        record.hasInvertedSign = hasInvertedSign
        return record
    }
}
