import Domain

/// A comparison group of `DemoAssortment.swift` with its products.
struct DemoAssortmentGroup {
    struct Row {
        let chain: String
        let printedNames: [String]
        let name: String
        let sizes: [Quantity]
        let isWeighed: Bool
        /// The initial price in minor units; per kg for products sold by weight.
        let minor: Int64
    }

    let name: String
    let category: String
    let baseUnit: MeasureUnit
    /// The increase of the prices over the whole period, in percent.
    let rise: Int
    /// The relative frequency of purchases.
    let weight: Int
    /// The deposit on one piece, in minor units; 0 for none.
    let depositMinor: Int64
    /// The months of sale, 1…12.
    let season: Set<Int>
    var rows: [Row] = []

    /// Reads the assortment. Skips malformed lines; a test checks that there are none.
    static func read(_ table: String) -> [DemoAssortmentGroup] {
        var groups: [DemoAssortmentGroup] = []
        for line in table.split(separator: "\n") {
            if line.hasPrefix("*") {
                if let group = DemoAssortmentGroup(heading: line.dropFirst()) { groups.append(group) }
            } else if let row = Row(line), !groups.isEmpty {
                groups[groups.count - 1].rows.append(row)
            }
        }
        return groups
    }

    private init?(heading: Substring) {
        let fields = Row.fields(heading, separator: "|")
        guard fields.count == 4, let unit = MeasureUnit(parsing: fields[2]) else { return nil }
        (name, category, baseUnit) = (fields[0], fields[1], unit)
        var flags: [String: String] = [:]
        for flag in fields[3].split(separator: " ") {
            let parts = flag.split(separator: "=")
            if parts.count == 2 { flags[String(parts[0])] = String(parts[1]) }
        }
        rise = flags["rise"].flatMap { Int($0) } ?? 0
        weight = flags["often"].flatMap { Int($0) } ?? 1
        depositMinor = flags["deposit"].flatMap { Int64($0) } ?? 0
        let months = (flags["season"] ?? "1-12").split(separator: "-").compactMap { Int($0) }
        guard months.count == 2 else { return nil }
        season = Set(
            months[0] <= months[1] ? Array(months[0]...months[1]) : Array(months[0]...12) + Array(1...months[1]))
    }

    /// Returns the VAT rate. Food and coffee have 10 % in Austria and 7 % in Germany. Other drinks and other products
    /// have 20 % in Austria and 19 % in Germany.
    static func vatRate(category: String, name: String, country: String) -> VATRate {
        let isFull =
            ["household", "drugstore", "baby", "pet"].contains(category)
            || category == "drinks" && !name.contains("kaffee")
        return VATRate(tenthsOfPercent: country == "DE" ? (isFull ? 190 : 70) : (isFull ? 200 : 100))
    }
}

extension DemoAssortmentGroup.Row {
    init?(_ line: Substring) {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let fields = Self.fields(line[line.index(after: colon)...], separator: "|")
        guard fields.count == 4, let price = try? Money(parsing: fields[3]) else { return nil }
        chain = line[..<colon].filter { $0 != " " }
        printedNames = Self.fields(Substring(fields[0]), separator: ">")
        name = fields[1]
        isWeighed = fields[2] == "kg"
        let packages = Self.fields(Substring(fields[2]), separator: ">")
        sizes = isWeighed ? [] : packages.compactMap { try? Quantity(parsing: $0) }
        guard isWeighed || sizes.count == packages.count else { return nil }
        minor = price.minorUnits
    }

    static func fields(_ text: Substring, separator: Character) -> [String] {
        text.split(separator: separator, omittingEmptySubsequences: false).map { field in
            let start = field.drop(while: { $0 == " " })
            return String(start.reversed().drop(while: { $0 == " " }).reversed())
        }
    }
}
