import Domain

/// The meaning of a column of a wine table.
enum WineColumn: String, Sendable, CaseIterable {
    case name, producer, vintage, country, region, colour, grapes, price, currency, points, critic, note
    case reviewedOn = "reviewed-on"
    case drinkFrom = "drink-from"
    case drinkUntil = "drink-until"
    /// Identifies the wine, so that a repeated import updates it.
    case key

    /// Known headings in lower case, letters and digits only. Earlier headings take precedence. The data set X-Wines
    /// uses `WineName`, the table of Wine Magazine (winemag) `title`.
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

    /// The heading that the export writes.
    var heading: String { rawValue.replacing("-", with: " ") }

    /// Recognises columns by their headings and returns their indexes.
    static func recognised(_ headings: [String]) -> [WineColumn: Int] {
        let folded = headings.map { String(FoldedText.fold($0).filter { $0.isLetter || $0.isNumber }) }
        var columns: [WineColumn: Int] = [:]
        for column in allCases {
            if let index = column.headings.lazy.compactMap({ folded.firstIndex(of: $0) }).first {
                columns[column] = index
            }
        }
        // Winemag's table numbers its lines in a first column without a heading.
        if columns[.key] == nil, folded.first == "", folded.contains("winery") { columns[.key] = 0 }
        return columns
    }
}

/// The columns of a table and how to read them.
struct WineMapping: Sendable, Equatable {
    var columns: [WineColumn: Int]
    var scale = ScoreScale.hundred
    /// The currency of prices without a currency.
    var currency: CurrencyCode
}
