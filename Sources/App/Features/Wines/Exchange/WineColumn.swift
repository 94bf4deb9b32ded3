import Domain

/// What a column of a table of wines holds.
enum WineColumn: String, Sendable, CaseIterable {
    case name, producer, vintage, country, region, colour, grapes, price, currency, points, critic, note
    case reviewedOn = "reviewed-on"
    case drinkFrom = "drink-from"
    case drinkUntil = "drink-until"
    /// Recognises the wine when the table is imported again.
    case key

    /// Headings that are known, in lower case without blanks and signs; earlier ones come first. X-Wines has `WineName`, the
    /// table of winemag `title`.
    private var headings: [String] {
        switch self {
        case .name: ["name", "winename", "wine", "wein", "title", "bezeichnung", "label"]
        case .producer: ["producer", "winery", "wineryname", "weingut", "erzeuger", "produzent"]
        case .vintage: ["vintage", "year", "jahrgang", "jahr"]
        case .country: ["country", "land"]
        case .region: ["region", "regionname", "region1", "appellation", "province", "gebiet", "herkunft"]
        case .colour: ["colour", "color", "type", "farbe", "art"]
        case .grapes: ["grapes", "grape", "grapevarieties", "variety", "rebsorten", "rebsorte"]
        case .price: ["price", "releaseprice", "preis"]
        case .currency: ["currency", "waehrung", "wahrung"]
        case .points: ["points", "score", "rating", "punkte", "bewertung"]
        case .critic: ["critic", "tastername", "reviewer", "reviewerinitials", "kritiker"]
        case .note: ["note", "description", "tastingnote", "notiz", "beschreibung"]
        case .reviewedOn: ["reviewedon", "reviewdate", "bewertetam"]
        case .drinkFrom: ["drinkfrom", "drinkwindowstart", "trinkenab", "trinkreifab"]
        case .drinkUntil: ["drinkuntil", "drinkwindowend", "trinkenbis", "trinkreifbis"]
        case .key: ["key", "wineid", "id", "schluessel"]
        }
    }

    /// The heading of the export.
    var heading: String { rawValue.replacing("-", with: " ") }

    /// The columns that are recognised by their headings, by index.
    static func recognised(_ headings: [String]) -> [WineColumn: Int] {
        let folded = headings.map { String(FoldedText.fold($0).filter { $0.isLetter || $0.isNumber }) }
        var columns: [WineColumn: Int] = [:]
        for column in allCases {
            if let index = column.headings.lazy.compactMap({ folded.firstIndex(of: $0) }).first {
                columns[column] = index
            }
        }
        // The table of winemag numbers its lines in a column without a heading.
        if columns[.key] == nil, folded.first == "", folded.contains("winery") { columns[.key] = 0 }
        return columns
    }
}

/// How the columns of a table are read.
struct WineMapping: Sendable, Equatable {
    var columns: [WineColumn: Int]
    var scale = ScoreScale.hundred
    /// Of prices without a currency.
    var currency: CurrencyCode
}
