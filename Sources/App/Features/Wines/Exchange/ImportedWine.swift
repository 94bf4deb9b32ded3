import Domain
import Wines

/// A valid line of a wine table.
struct ImportedWine: Sendable, Equatable {
    /// Identifies the wine, so that a repeated import updates it.
    let key: String
    let producer: String
    let name: String
    let vintage: Int?
    let country: String
    let region: String
    let colour: WineColor?
    let grapes: [String]
    let price: Amount?
    let drinkFrom: Int?
    let drinkUntil: Int?
    let score: WineScore?

    /// The reason why a line is skipped.
    enum Problem: String, Error {
        /// The name is missing.
        case name
        /// The value of this column is invalid.
        case vintage, points, price
        /// The years of the drink window are invalid or in the wrong order.
        case years
        /// A text is too long.
        case long
    }

    /// - Throws: `Problem`.
    init(_ fields: [String], _ mapping: WineMapping) throws(Problem) {
        func field(_ column: WineColumn) -> String {
            guard let index = mapping.columns[column], fields.indices.contains(index) else { return "" }
            return fields[index].trimmed
        }
        func year(_ text: String, _ problem: Problem) throws(Problem) -> Int? {
            guard !text.isEmpty, !["nv", "n.v.", "0"].contains(text.lowercased()) else { return nil }
            guard let year = Int(text.prefix { $0.isASCII && $0.isNumber }), (1800...2200).contains(year) else {
                throw problem
            }
            return year
        }
        producer = field(.producer)
        let hasVintages = mapping.columns[.vintage] != nil
        let stated = try year(field(.vintage), .vintage)
        let title = WineTitle(
            field(.name), producer: producer, vintage: hasVintages ? stated : nil, findsVintage: !hasVintages)
        name = title.name
        guard !name.isEmpty else { throw .name }
        vintage = stated ?? title.vintage
        country = field(.country)
        region = field(.region)
        colour = Self.colour(field(.colour))
        grapes = Self.list(field(.grapes))
        price = try Self.price(field(.price), field(.currency), mapping.currency)
        drinkFrom = try year(field(.drinkFrom), .years)
        drinkUntil = try year(field(.drinkUntil), .years)
        if let drinkFrom, let drinkUntil, drinkFrom > drinkUntil { throw .years }
        score = try Self.score(field(.points), field(.critic), field(.note), field(.reviewedOn), mapping.scale)
        let statedKey = field(.key)
        key =
            statedKey.isEmpty
            ? "csv:\(WineText.nameKey("\(producer) \(name)").prefix(180)):\(vintage.map(String.init) ?? "")"
            : "id:\(statedKey)"
        let isLong =
            name.length > TextLimit.wineName || producer.length > TextLimit.wineName
            || country.length > TextLimit.country || region.length > TextLimit.region || key.length > 200
        if isLong { throw .long }
    }

    /// Returns the wine of a line, or the reason why the line is skipped.
    static func read(_ fields: [String], _ mapping: WineMapping) -> Result<ImportedWine, Problem> {
        do {
            return .success(try ImportedWine(fields, mapping))
        } catch {
            return .failure(error)
        }
    }

    private static func price(
        _ text: String, _ code: String, _ defaultCurrency: CurrencyCode
    ) throws(Problem) -> Amount? {
        guard !text.isEmpty else { return nil }
        guard let amount = try? Amount(parsing: text, currency: CurrencyCode(code) ?? defaultCurrency),
            amount.minorUnits >= 0
        else {
            throw .price
        }
        return amount
    }

    private static func score(
        _ points: String, _ critic: String, _ note: String, _ day: String, _ scale: ScoreScale
    ) throws(Problem) -> WineScore? {
        guard !points.isEmpty else { return nil }
        guard let number = scale.points(points) else { throw .points }
        return WineScore(
            critic: critic.cut(to: TextLimit.critic), points: number, note: note.cut(to: 4_000),
            reviewedOn: LocalDate(parsing: String(day.prefix(10))))
    }

    /// Reads `['Merlot', 'Syrah']` as in X-Wines, or names separated by commas, slashes, semicolons or vertical bars.
    private static func list(_ text: String) -> [String] {
        let names = text.split { ",;/|[]".contains($0) }.map { $0.trimmed.filter { !"'\"".contains($0) }.trimmed }
        return Array(names.filter { !$0.isEmpty && $0.length <= 60 }.prefix(15))
    }

    private static func colour(_ text: String) -> WineColor? {
        let folded = FoldedText.fold(text)
        // Most tables use the raw values, so the slower search below is rarely needed.
        if let colour = WineColor(rawValue: folded) { return colour }
        return colourWords.first { $0.words.contains { folded.contains($0) } }?.colour
    }

    /// Parts of words for colours. Earlier colours take precedence.
    private static let colourWords: [(colour: WineColor, words: [String])] = [
        (.fortified, ["port", "fortifi", "sherry", "madeira", "likor", "likoer", "liquoros", "generoso"]),
        (.sparkling, ["sparkling", "schaum", "sekt", "champagn", "prosecco", "spumante", "mousseux", "frizzante"]),
        (.sparkling, ["espumos", "effervescent", "cremant", "cava"]),
        (.sweet, ["dessert", "sweet", "suess", "doux", "dolce", "dulce", "moelleux", "liquoreux"]),
        (.rose, ["rose", "rosato", "rosado", "blush"]), (.red, ["red", "rot", "rouge", "rosso", "tinto"]),
        (.white, ["white", "weiss", "blanc", "bianco"]),
    ]
}

/// A title such as `Nicosia 2013 Vulkà Bianco (Etna)`, split into vintage and name. The name contains neither the
/// producer nor the place in parentheses.
struct WineTitle: Equatable {
    let name: String
    let vintage: Int?

    /// - Parameters:
    ///   - vintage: the vintage, if it is known. Only this year is removed from the name. Ignored if `findsVintage` is
    ///     true.
    ///   - findsVintage: whether the first year in the title is the vintage.
    init(_ title: String, producer: String, vintage stated: Int? = nil, findsVintage: Bool = true) {
        var text = title.trimmed
        if text.hasSuffix(")"), let open = text.lastIndex(of: "("), open > text.startIndex {
            let rest = String(text[..<open]).trimmed
            if !rest.isEmpty { text = rest }
        }
        if !producer.isEmpty, text.count > producer.count, text.lowercased().hasPrefix(producer.lowercased() + " ") {
            text = String(text.dropFirst(producer.count)).trimmed
        }
        var words = text.split(separator: " ")
        // `Cuvée 1922` with the vintage 2019 keeps 1922 in its name.
        let isYear = { (word: Substring) in
            word.utf8.count == 4 && Int(word).map { findsVintage ? (1900...2099).contains($0) : $0 == stated } ?? false
        }
        vintage = words.first(where: isYear).flatMap { Int($0) }
        if words.count > 1, let index = words.firstIndex(where: isYear) { words.remove(at: index) }
        name = words.joined(separator: " ")
    }
}
