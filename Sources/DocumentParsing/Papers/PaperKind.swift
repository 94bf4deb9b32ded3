/// What a paper is that is no supermarket's receipt; the raw values are stable.
package enum PaperKind: String, Sendable, CaseIterable {
    case restaurant, fuel, parking, pharmacy, diy, invoice, ticket, hotel, taxi, order

    /// A word of `KeywordLexicon` that names the category; nil where the merchant decides.
    package var categoryWord: String? {
        switch self {
        case .restaurant: "Restaurant"
        case .fuel: "Tanken"
        case .parking: "Parken"
        case .pharmacy: "Apotheke"
        case .diy: "Baumarkt"
        case .ticket: "Fahrkarte"
        case .hotel: "Hotel"
        case .taxi: "Taxi"
        case .invoice, .order: nil
        }
    }

    /// Folded words of each kind with their weights. A final `*` matches any further letters.
    private var words: [(String, Int)] {
        switch self {
        case .restaurant:
            [
                ("restaurant*", 3), ("gasthaus", 3), ("gasthof", 2), ("wirtshaus", 3), ("pizzeria", 3),
                ("ristorante", 3),
                ("trattoria", 3), ("cafe", 2), ("kaffeehaus", 2), ("konditorei", 2), ("heuriger", 3), ("tisch", 2),
                ("kellner*", 2), ("bedienung", 1), ("bewirtung*", 2), ("trinkgeld", 2), ("speisen", 2),
                ("getraenke", 1),
                ("gedeck", 2), ("imbiss", 2), ("beisl", 3), ("bistro", 2), ("sushi", 2), ("kebap", 2), ("kebab", 2),
            ]
        case .fuel:
            [
                ("diesel", 3), ("eurosuper", 3), ("super", 1), ("benzin", 3), ("zapfsaeule", 3), ("saeule", 2),
                ("tankstelle", 3), ("tanken", 2), ("adblue", 2), ("liter", 1), ("e10", 2), ("kraftstoff", 2),
            ]
        case .parking:
            [
                ("parkschein", 3), ("parkhaus", 3), ("parkgarage", 3), ("tiefgarage", 3), ("parkdauer", 3),
                ("parkgebuehr*", 3), ("parkentgelt", 3), ("einfahrt", 2), ("ausfahrt", 2), ("garage", 1),
                ("parkplatz", 2),
                ("kurzparken", 3), ("parkticket", 3), ("parken", 2),
            ]
        case .pharmacy:
            [
                ("apotheke*", 3), ("rezept*", 3), ("pzn", 3), ("rezeptgebuehr", 3), ("arzneimittel", 2), ("mag", 1),
                ("pharm", 1),
            ]
        case .diy:
            [
                ("baumarkt*", 3), ("obi", 3), ("hornbach", 3), ("bauhaus", 3), ("hagebau*", 3), ("toom", 3),
                ("lagerhaus", 2), ("schrauben", 1), ("gartencenter", 2), ("hellweg", 3),
            ]
        case .invoice:
            [
                ("rechnungsnummer", 3), ("rechnungsnr", 3), ("rechnungsdatum", 2), ("kundennummer", 2), ("iban", 2),
                ("bic", 1), ("zahlungsziel", 3), ("faellig*", 3), ("zahlbar", 3), ("rechnungsbetrag", 2),
                ("rechnung", 1),
                ("verwendungszweck", 2), ("ueberweisen", 2), ("ueberweisung", 1), ("mahnung", 2), ("invoice", 2),
            ]
        case .ticket:
            [
                ("fahrkarte*", 3), ("fahrschein*", 3), ("ticket", 2), ("onlineticket", 3), ("einzelfahrt", 3),
                ("hinfahrt", 3), ("rueckfahrt", 2), ("abfahrt", 2), ("ankunft", 2), ("reisende*", 2), ("sitzplatz", 2),
                ("bahnhof", 1), ("hbf", 2), ("zug", 1), ("klasse", 1), ("tageskarte", 3), ("monatskarte", 3),
            ]
        case .hotel:
            [
                ("hotel*", 3), ("zimmer", 2), ("naechte", 3), ("naechtigung*", 3), ("uebernachtung*", 3),
                ("anreise", 3),
                ("abreise", 3), ("ortstaxe", 3), ("kurtaxe", 3), ("logis", 3), ("pension", 1), ("check", 1),
                ("gast", 1),
                ("fruehstueck", 1), ("hostel", 3), ("citytax", 2),
            ]
        case .taxi:
            [
                ("taxi*", 3), ("fahrpreis", 3), ("fahrgast", 2), ("konzession*", 2), ("kennzeichen", 1), ("fahrer", 2),
                ("wagen", 1), ("uber", 3), ("bolt", 3), ("fahrt", 1), ("freenow", 3),
            ]
        case .order:
            [
                ("bestellnummer", 3), ("bestellnr", 3), ("bestellung*", 3), ("bestelldatum", 3), ("versand*", 2),
                ("lieferadresse", 3), ("lieferung", 1), ("order", 2), ("artikelnummer", 1), ("sendung*", 1),
                ("warenkorb", 2), ("rechnungsadresse", 2),
            ]
        }
    }

    /// Below this no kind is told.
    private static let least = 4

    /// The kind that most words tell.
    ///
    /// - Parameter words: all words of the paper, folded.
    static func found(in words: Set<String>) -> PaperKind? {
        let scores = allCases.map { kind in
            (
                kind,
                kind.words.reduce(0) { sum, entry in
                    let (word, weight) = entry
                    let isThere =
                        word.hasSuffix("*")
                        ? words.contains { $0.hasPrefix(word.dropLast()) } : words.contains(word)
                    return sum + (isThere ? weight : 0)
                }
            )
        }
        guard let best = scores.max(by: { $0.1 < $1.1 }), best.1 >= least else { return nil }
        return best.0
    }
}
