/// A table of line items as it was understood, row by row, for the preview before an import.
package struct LineItemTable: Sendable {
    /// What a column holds, whatever its heading calls it.
    package enum Column: String, Sendable, CaseIterable {
        case name, price, category, shop, day, quantity, unit, unitPrice, kind, currency, receipt

        /// Headings that are understood, folded.
        var headings: Set<String> {
            switch self {
            case .name: ["name", "artikel", "produkt", "bezeichnung", "product", "item"]
            case .price: ["price", "preis", "betrag", "summe", "amount", "total"]
            case .category: ["category", "kategorie", "warengruppe"]
            case .shop: ["shop", "geschaeft", "laden", "markt", "haendler", "store", "filiale"]
            case .day: ["datum", "date", "tag", "kaufdatum", "day"]
            case .quantity: ["menge", "anzahl", "stueckzahl", "quantity", "qty"]
            case .unit: ["einheit", "unit"]
            case .unitPrice: ["einzelpreis", "stueckpreis", "unitprice"]
            case .kind: ["art", "kind"]
            case .currency: ["waehrung", "currency"]
            case .receipt: ["beleg", "kassenbon", "receipt"]
            }
        }

        /// Whether a row may end before it.
        fileprivate var isNeeded: Bool { [.name, .price, .category, .shop, .day].contains(self) }
    }

    /// Why one row cannot be imported.
    package enum Problem: Hashable, Sendable {
        /// The field is empty, or the row has none.
        case missingName
        /// The field is empty, or the row has none.
        case missingPrice
        /// Not an amount of the household's currency.
        case badPrice(NumberError)
        /// Not an amount above zero, at most 100,000.
        case badQuantity
        /// Not a price for one unit.
        case badUnitPrice
        /// No kind of line, though other rows name theirs.
        case badKind
        /// No currency that is known.
        case badCurrency
        /// The field is empty, or the row has none.
        case missingDay
        /// Not a day of the calendar, ISO or German.
        case badDay
        /// The day lies before 2000.
        case implausibleDay
        /// The day has not come yet: nothing was bought on it, however few hours are missing.
        case futureDay
        /// Fewer or more fields than the heading, beyond empty ones.
        case fieldCount
        /// The name has more than 200 characters.
        case tooLong
        /// Text follows a closing quote, so that it is not certain what belongs together.
        case strayQuote
    }

    /// A row with what became of it.
    package struct Row: Sendable {
        /// The line of the file on which the row begins, from 1.
        package let line: Int
        /// As they are written, to be shown beside the problem.
        package let fields: [String]
        /// The record, or the first thing that is wrong.
        package let verdict: Result<LineItemRecord, Problem>
        /// Where each column stands, by the file's heading.
        fileprivate let columns: [Column: Int]
        /// How many columns the heading has.
        package let width: Int

        /// What stands in a column; empty where the row does not reach so far.
        package func field(_ column: Column) -> String {
            guard let index = columns[column], fields.indices.contains(index) else { return "" }
            return LineItemTable.trimmed(fields[index])
        }
    }

    /// In the file's order.
    package let rows: [Row]
    /// How dates with slashes were understood; nothing where there are none.
    package let slashDates: SlashDates?
    /// Whether there is a column of quantities; without one every row is one piece.
    package let hasQuantities: Bool
    /// Whether the rows say what kind of line they are: such a table leaves a unit price or a quantity out on purpose.
    package let hasKinds: Bool

    /// Why no row can be imported.
    package enum Failure: Error, Hashable, Sendable {
        /// Not a table at all from that line on.
        case unreadable(CSVReader.Failure)
        /// No row, or a heading alone.
        case empty
        /// The heading lacks these columns; name, price and day are needed.
        case missingColumns([Column])
    }
}

extension LineItemTable.Problem: Error {}

extension LineItemTable {
    /// Reads the table with its heading; every row gets a verdict, none is dropped in silence.
    ///
    /// Days may be ISO or German, figures may have comma or point. Columns are found by their heading, in any order;
    /// without a heading the order `Name;Price;Category;Shop;Datum` is taken.
    ///
    /// - Throws: `Failure` where no row can be imported.
    package init(
        reading text: some StringProtocol, asOf today: LocalDate, currency: Currency = .eur
    ) throws(Failure) {
        let rows: [CSVReader.Row]
        do { rows = try CSVReader.rows(of: text) } catch { throw .unreadable(error) }
        guard let first = rows.first else { throw .empty }
        var columns = Self.columns(of: first.fields)
        var body = rows[...]
        if columns.isEmpty {
            columns = [.name: 0, .price: 1, .category: 2, .shop: 3, .day: 4]
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

    /// The table of `records` as this project exports it, heading included.
    ///
    /// - Parameter isWhole: with the columns that keep a line whole; else the plain table that others know.
    package static func write(
        _ records: some Sequence<LineItemRecord>, language: Language = .german, isWhole: Bool = false
    ) -> String {
        var writer = CSVWriter()
        let further = ["Menge", "Einheit", "Einzelpreis", "Art", "Währung", "Beleg"]
        writer.append(["Name", "Price", "Category", "Shop", "Datum"] + (isWhole ? further : []))
        for record in records {
            let figure = (isTakenBack(record) ? "+" : "") + record.price.plain
            let fields = [
                record.name, language == .german ? String(figure.map { $0 == "." ? "," : $0 }) : figure,
                record.category ?? "", record.shop ?? "", language == .german ? record.day.formatted() : record.day.iso,
            ]
            writer.append(isWhole ? fields + wholeness(record, language) : fields)
        }
        return writer.text
    }

    /// A discount that a till took back: without its sign it would be read as one.
    private static func isTakenBack(_ record: LineItemRecord) -> Bool {
        guard record.price.minorUnits > 0 else { return false }
        return [record.kind, nil].contains { kind in
            LineItemRecord.isTakenOff(kind, name: record.name, category: record.category ?? "")
        }
    }

    private static func wholeness(_ record: LineItemRecord, _ language: Language) -> [String] {
        let unitPrice = record.unitPrice.map {
            DecimalText.format($0.thousandthsOfMinor, decimals: 5, minimum: 2, in: language, isGrouped: false)
        }
        return [
            record.quantity.figure(language), record.quantity.unit.symbol(language), unitPrice ?? "",
            record.kind?.label(language) ?? "", record.price.currency.rawValue, record.receipt ?? "",
        ]
    }

    /// What the words of the column mean, each read once; nothing where it is no column of kinds.
    ///
    /// Tables of others call many a thing `Art`: it says the kinds of lines where at least half of what is written there
    /// does, or some of it does in an export of ours.
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
        let isOurs = columns[.receipt] != nil && columns[.unitPrice] != nil
        let known = words.reduce(0) { $0 + (kinds[$1.key] == nil ? 0 : $1.value) }
        return isOurs || 2 * known >= words.values.reduce(0, +) ? kinds : [:]
    }

    private static func columns(of heading: [String]) -> [Column: Int] {
        var columns: [Column: Int] = [:]
        for (index, field) in heading.enumerated() {
            let word = FoldedText.fold(field).filter { $0.isLetter }
            for column in Column.allCases where column.headings.contains(word) && columns[column] == nil {
                columns[column] = index
            }
        }
        // One word may be a name by chance; a heading has at least two columns.
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
        let (named, word) = (field(.currency), field(.kind))
        guard let currency = named.isEmpty ? currency : Currency(parsing: named) else { throw .badCurrency }
        guard word.isEmpty || kinds[word] != nil else { throw .badKind }
        var price: Money
        do { price = try Money(parsing: field(.price), currency: currency) } catch { throw .badPrice(error) }
        let isWhole = !kinds.isEmpty
        let quantity = try quantity(field(.quantity), field(.unit), isWhole: isWhole)
        let unitPrice = try isWhole ? unitPrice(field(.unitPrice), currency, quantity.unit) : nil
        guard !field(.day).isEmpty else { throw .missingDay }
        // Spreadsheets add a time to dates.
        let written = field(.day).split(whereSeparator: { $0 == "T" || $0 == " " }).first ?? ""
        guard let day = order.day(field(.day)) ?? order.day(written) else { throw .badDay }
        guard day >= .firstPurchaseDay else { throw .implausibleDay }
        guard day <= today else { throw .futureDay }
        let (category, shop, receipt) = (field(.category), field(.shop), field(.receipt))
        let isTurned =
            price.minorUnits > 0 && !field(.price).contains("+")
            && LineItemRecord.isTakenOff(kinds[word], name: name, category: category)
        if isTurned { price = Money(minorUnits: -price.minorUnits, currency: currency) }
        var record = LineItemRecord(
            name: name, price: price, quantity: quantity, unitPrice: unitPrice,
            category: category.isEmpty ? nil : category, shop: shop.isEmpty ? nil : shop, day: day, kind: kinds[word],
            receipt: receipt.isEmpty ? nil : receipt)
        record.isTurned = isTurned
        return record
    }

    /// Nothing written is one piece, and what no unit is known of are pieces, such as bottles and bunches; a figure that
    /// means another one in the other language is not guessed at.
    ///
    /// - Parameter isWhole: as an export writes it: zero where it is not known, below where it was taken back, and never
    ///   a sign between thousands.
    private static func quantity(_ figure: String, _ unit: String, isWhole: Bool) throws(Problem) -> Quantity {
        guard !figure.isEmpty else { return .one }
        let (unit, times) = MeasureUnit.multiple(parsing: unit) ?? (.piece, 1)
        if isWhole, let thousandths = try? DecimalText.parse(figure, decimals: 3, limit: 100_000_000 / times) {
            return Quantity(thousandths: thousandths * times, unit: unit)
        }
        var found: Quantity?
        for language in Language.allCases {
            do { found = try Quantity(parsing: figure, unit: unit, in: language) } catch { throw .badQuantity }
        }
        guard let found, (1...(100_000_000 / times)).contains(found.thousandths) else { throw .badQuantity }
        return Quantity(thousandths: found.thousandths * times, unit: unit)
    }

    private static func unitPrice(
        _ figure: String, _ currency: Currency, _ unit: MeasureUnit
    ) throws(Problem) -> UnitPrice? {
        guard !figure.isEmpty else { return nil }
        do { return try UnitPrice(parsing: figure, currency: currency, per: unit) } catch { throw .badUnitPrice }
    }

    /// Without blanks around, without control characters, and without the apostrophe that an export put in front.
    fileprivate static func trimmed(_ field: String) -> String {
        var scalars = Substring(field).unicodeScalars
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        if scalars.first == "'", let second = scalars.dropFirst().first, "=+-@\t\r".unicodeScalars.contains(second) {
            scalars.removeFirst()
        }
        return String(String.UnicodeScalarView(scalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}
