import Domain
import Recognition

/// Who got the money: a known name, or what the head of the paper says.
struct PaperMerchants {
    let candidates: [PaperReading.Candidate<String>]

    private static let forms: Set = [
        "gmbh", "ag", "kg", "og", "ohg", "gesmbh", "ges", "inh", "inhaber", "eu", "sarl", "se", "ltd", "mbh", "ek",
        "gbr",
        "aktiengesellschaft", "genossenschaft", "verein", "stadtwerke",
    ]
    private static let names: Set = [
        "restaurant", "gasthaus", "gasthof", "pizzeria", "cafe", "hotel", "apotheke", "tankstelle", "taxi", "parkhaus",
        "parkgarage", "tiefgarage", "trattoria", "ristorante", "wirtshaus", "pension", "bistro", "heuriger", "baumarkt",
        "konditorei", "beisl", "garage", "imbiss", "gaststaette", "kaffeehaus", "hostel", "taxiunternehmen",
    ]
    private static let others: Set = [
        "rechnung", "beleg", "quittung", "kassabon", "kassenbon", "tel", "telefon", "fax", "www", "uid", "atu", "ustid",
        "steuernummer", "willkommen", "herzlich", "danke", "vielen", "datum", "tisch", "kellner", "bedienung", "seite",
        "kunde",
        "kundennummer", "rechnungsnummer", "bestellung", "bestellnummer", "parkschein", "fahrkarte", "onlineticket",
        "bewirtungsbeleg", "kopie", "original",
        "email", "iban", "bic", "terminal", "filiale", "kassa", "kasse", "bon", "barverkauf", "ticket", "invoice",
        "order",
        "rechnungsadresse", "lieferadresse", "herrn", "frau", "herr", "firma", "an", "ihre", "ihr",
        "auftragsbestaetigung", "kundenbeleg",
    ]
    private static let streets = ["strasse", "str", "gasse", "platz", "weg", "allee", "ring", "kai", "ufer", "markt"]

    /// Lines of the head that are looked at.
    private static let head = 14

    init(_ lines: [PaperLine]) {
        var found: [PaperReading.Candidate<String>] = []
        for (index, line) in lines.prefix(Self.head).enumerated() {
            let text = line.text
            guard !line.words.isEmpty, text.filter(\.isLetter).count >= 3 else { continue }
            var score = 40 - index * 3
            if line.isLarge { score += 15 }
            if line.has(Self.forms) { score += 15 }
            if line.has(Self.names) { score += 18 }
            if line.has(Self.others) { score -= 40 }
            if Self.isAddress(line) { score -= 40 }
            if text.contains("@") || text.lowercased().contains("www.") { score -= 40 }
            score -= text.filter(\.isNumber).count * 3
            if line.figures.contains(where: { $0.amount != nil }) { score -= 30 }
            if let known = PayeeLexicon.shared.suggestion(for: ExpenseText(what: text)), known.payee != nil {
                score += 35
            }
            found.append(
                PaperReading.Candidate(
                    value: Self.name(text), text: text, page: line.page, box: line.box, score: score))
        }
        candidates = PaperReading.Candidate.best(found.filter { !$0.value.isEmpty }, least: 10)
    }

    private static func isAddress(_ line: PaperLine) -> Bool {
        let hasNumber = line.text.contains { $0.isNumber }
        guard hasNumber else { return false }
        return line.words.contains { word in streets.contains { word == $0 || word.count > 5 && word.hasSuffix($0) } }
            || line.text.prefix(4).allSatisfy(\.isNumber)
    }

    /// Without signs at both ends.
    private static func name(_ text: String) -> String {
        let isSign: (Character) -> Bool = { !$0.isLetter && !$0.isNumber && !".&!)(".contains($0) }
        let start = text.drop(while: isSign)
        guard let end = start.lastIndex(where: { !isSign($0) }) else { return "" }
        return String(start[...end].prefix(80))
    }
}
