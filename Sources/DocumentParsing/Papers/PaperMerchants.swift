import Domain
import Recognition

/// Candidates for the merchant: known names and lines of the head.
struct PaperMerchants {
    let candidates: [PaperReading.Candidate<String>]

    /// Legal forms of businesses.
    private static let legalForms: PaperWordSet = [
        "gmbh", "ag", "kg", "og", "ohg", "gesmbh", "ges", "eu", "sarl", "se", "ltd", "mbh", "ek",
        "gbr", "srl", "aktiengesellschaft", "genossenschaft", "verein", "stadtwerke",
    ]
    /// Words that occur in names of businesses.
    private static let businessWords: PaperWordSet = [
        "restaurant", "gasthaus", "gasthof", "pizzeria", "cafe", "hotel", "apotheke", "tankstelle", "taxi", "parkhaus",
        "parkgarage", "tiefgarage", "trattoria", "ristorante", "wirtshaus", "pension", "bistro", "heuriger", "baumarkt",
        "konditorei", "beisl", "garage", "imbiss", "gaststaette", "kaffeehaus", "hostel", "taxiunternehmen", "osteria",
        "brasserie", "gartencenter", "gaertnerei", "eisenwaren", "holzmarkt", "baustoffe", "ferramenta", "hardware",
        "bricolage", "werkzeug", "farben", "fliesen", "stazione", "station", "tankstation", "autohof", "rasthaus",
        "raststaette", "installateur", "elektro", "hausverwaltung", "malerbetrieb", "tischlerei", "spenglerei",
        "musikschule", "tierarztpraxis", "zahnarztpraxis", "physiotherapie", "fitnessstudio", "verkehrsbetriebe",
        "bergbahnen", "baeckerei", "fleischerei", "metzgerei", "friseur", "buchhandlung", "blumen", "optik", "juwelier",
        "reinigung", "waescherei", "huette", "brauhaus", "brauerei", "weingut", "eisdiele", "gelateria", "landhotel",
        "farmacia", "pharmacie", "pharmacy", "albergo", "parcheggio", "funktaxi", "cabs", "inn", "praxis",
        "ordination", "werkstatt", "autohaus", "versand", "shop", "theater", "kino", "linien", "bahn",
    ]
    /// Words of head lines that do not name a merchant.
    private static let nonMerchantWords: PaperWordSet = [
        "rechnung", "beleg", "quittung", "kassabon", "kassenbon", "tel", "telefon", "fax", "www", "uid", "atu", "ustid",
        "steuernummer", "willkommen", "herzlich", "danke", "vielen", "datum", "tisch", "kellner", "bedienung", "seite",
        "kunde", "kundennummer", "rechnungsnummer", "bestellung", "bestellnummer", "parkschein", "fahrkarte",
        "onlineticket", "bewirtungsbeleg", "kopie", "original", "email", "iban", "bic", "terminal", "filiale", "kassa",
        "kasse", "bon", "barverkauf", "ticket", "invoice", "order", "rechnungsadresse", "lieferadresse", "firma", "an",
        "ihre", "ihr", "auftragsbestaetigung", "kundenbeleg", "documento", "ricevuta", "scontrino", "receipt",
        "taxiquittung", "facture", "fattura", "recu", "steuernr", "ustidnr", "siret", "piva", "vat", "mwst", "bill",
        "rechnungsdatum", "buchungsdatum", "bestelldatum", "pos", "bezeichnung", "menge", "date", "data", "tavolo",
        "table", "server", "serveur", "kennzeichen", "steuer", "ust", "tva", "iva",
    ]
    /// Words printed before the payer's name.
    private static let salutations: PaperWordSet = [
        "herrn", "frau", "herr", "familie", "mr", "mrs", "mme", "monsieur", "signor", "herm", "hern",
    ]
    private static let streets = [
        "strasse", "str", "gasse", "platz", "weg", "allee", "ring", "kai", "ufer", "markt", "via", "rue", "piazza",
        "corso", "street", "road", "lane", "avenue", "place",
    ]

    /// Number of head lines considered.
    private static let headLineCount = 14

    init(_ lines: [PaperLine]) {
        let letters = lines.prefix(300).map { Self.letters($0.words) }
        var found: [PaperReading.Candidate<String>] = []
        for (index, line) in lines.prefix(Self.headLineCount).enumerated() {
            let text = line.text
            guard !line.words.isEmpty, text.filter(\.isLetter).count >= 2 else { continue }
            var score = 40 - index * 4
            if line.isLarge { score += 15 }
            if line.has(Self.legalForms) { score += 4 }
            if line.has(Self.businessWords) { score += 14 }
            if line.has(Self.nonMerchantWords) { score -= 40 }
            if line.has(["inh", "inhaber", "inhaberin"]) { score -= 20 }
            let followsSalutation = lines[max(0, index - 2)..<index].contains { $0.has(Self.salutations) }
            if followsSalutation || line.has(Self.salutations) { score -= 45 }
            if Self.isAddress(line) { score -= 40 }
            if text.contains("@") || text.lowercased().contains("www.") { score -= 40 }
            score -= text.filter(\.isNumber).count * 3
            if line.figures.contains(where: { $0.amount != nil }) { score -= 30 }
            let own = letters[index]
            let isKnown = PayeeLexicon.shared.suggestion(for: ExpenseText(what: text)) != nil
            if isKnown { score += 35 } else if own.count <= 4 { score -= 15 }
            // A name is often repeated above the address, in the footer or with its legal form; a misread fragment is
            // not repeated.
            let others = letters.indices.filter { $0 != index && own.count >= 3 && letters[$0].contains(own) }
            let isFragment = others.contains { other in
                (index + 1...index + 3).contains(other)
                    && Self.letters(lines[other].words.filter { !Self.legalForms.contains($0) }).count > own.count
            }
            if isFragment { score -= 20 } else if own.count >= 5, !others.isEmpty { score += 14 }
            found.append(
                PaperReading.Candidate(
                    value: Self.name(text), text: text, page: line.page, box: line.box, score: score))
        }
        candidates = PaperReading.Candidate.best(found.filter { !$0.value.isEmpty }, minimumScore: 10)
    }

    private static func letters(_ words: [String]) -> String { String(words.joined().prefix(60)) }

    private static func isAddress(_ line: PaperLine) -> Bool {
        let hasNumber = line.text.contains { $0.isNumber }
        guard hasNumber else { return false }
        return line.words.contains { word in streets.contains { word == $0 || word.count > 5 && word.hasSuffix($0) } }
            || line.text.prefix(4).allSatisfy(\.isNumber)
    }

    /// Removes punctuation at both ends.
    private static func name(_ text: String) -> String {
        let isSign: (Character) -> Bool = { !$0.isLetter && !$0.isNumber && !".&!)(".contains($0) }
        let start = text.drop(while: isSign)
        guard let end = start.lastIndex(where: { !isSign($0) }) else { return "" }
        return String(start[...end].prefix(80))
    }
}
