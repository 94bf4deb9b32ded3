import Domain

/// Words that papers print beside amounts. Many are German, English, Italian and French; other European languages have
/// only the words for total, tax, cash, change and tip.
enum PaperWords {
    /// Words for the amount paid.
    static let paid: PaperWordSet = [
        "gesamtbetrag", "rechnungsbetrag", "zahlbetrag", "endbetrag", "total", "summe", "gesamt", "gesamtsumme",
        "brutto", "bruttobetrag", "zahlungsbetrag", "endsumme", "gesamtpreis", "fahrpreis", "fahrtpreis", "betrag",
        "bezahlt", "zahlen", "totale", "totalbetrag", "parkgebuehr", "parkentgelt", "rechnungssumme", "bestellsumme",
        "amount", "due", "ueberweisen", "einzuziehen*", "abbuchungsbetrag", "preis", "complessivo", "importo", "ttc",
        "montant", "payer", "paid", "fare", "tariffa", "parkgebuehren", "auftragssumme", "auftragswert", "warenwert",
        "pagato", "totalsumme", "kaufbetrag", "fee",
        "prix", "prezzo", "endpreis", "bruttosumme", "rechnungsendbetrag", "gesamtforderung", "restforderung",
        "nachzahlung", "gesamtkosten", "importe", "pagar", "totaal", "betalen", "bedrag", "suma", "razem", "zapłaty",
        "celkem", "úhradě", "összesen", "fizetendő", "ukupno", "skupaj", "plačilo", "plačila", "summa", "betala",
        "betale",
    ]
    /// Words for the final amount; they count more than the other words.
    static let finalAmount: PaperWordSet = [
        "gesamtbetrag", "rechnungsbetrag", "zahlbetrag", "endbetrag", "gesamtsumme", "zahlen", "zahlungsbetrag",
        "totalbetrag", "bestellsumme", "abbuchungsbetrag", "rechnungssumme", "gesamtpreis", "endsumme", "restbetrag",
        "zahlender", "payer", "due", "complessivo", "pagato", "ttc", "grand",
        "endpreis", "rechnungsendbetrag", "gesamtforderung", "restforderung", "nachzahlung", "pagar", "betalen",
        "zapłaty", "úhradě", "fizetendő", "plačilo", "plačila", "betala", "betale",
    ]
    /// Words for the rest that is to be paid after a prepayment.
    static let rests: PaperWordSet = [
        "restbetrag", "restzahlung", "restforderung", "restsumme", "nachzahlung", "balance", "solde",
    ]
    /// Words for parts of the total, and for remainders.
    static let parts: PaperWordSet = [
        "zwischensumme", "subtotal", "netto", "nettobetrag", "mwst", "ust", "steuer", "umsatzsteuer", "mehrwertsteuer",
        "rueckgeld", "wechselgeld", "gegeben", "retour", "rabatt", "versand", "versandkosten", "ortstaxe", "guthaben",
        "anzahlung", "vorauszahlung", "einzelpreis", "grundpreis", "tax", "vat", "iva", "tva", "skonto", "saldo",
        "rest", "differenz", "zurueck", "trinkgeld", "tip", "mwstbetrag", "servicegebuehr", "liefergebuehr",
        "imponibile", "ht", "resto", "rendu", "sous", "subtotale", "gratuity", "mancia", "pourboire", "change",
        "shipping", "spedizione", "port", "gutschein", "zuschlag", "vorauszahlungen",
        "kaution", "imponible", "subtotaal", "tussentotaal", "mezisoučet", "btw", "dph", "ptu", "áfa", "pdv", "ddv",
        "moms", "propina", "fooi", "napiwek", "spropitné", "borravaló", "napojnica", "napitnina", "gorjeta",
        "dricks", "cambio", "wisselgeld", "reszta", "vráceno", "visszajáró", "povrat", "vračilo", "troco", "växel",
        "vuelto",
    ]
    /// Words for net amounts and taxes.
    static let nets: PaperWordSet = [
        "netto", "nettobetrag", "nettosumme", "imponibile", "ht", "mwst", "ust", "umsatzsteuer", "mehrwertsteuer",
        "vat",
        "iva", "tva",
        "imponible", "btw", "dph", "ptu", "áfa", "pdv", "ddv", "moms",
    ]
    /// Words after which `parts` are included in a printed sum: `Summe inkl. MwSt.`
    static let including: PaperWordSet = [
        "inkl", "incl", "inklusive", "einschl", "including", "ttc", "mit", "compris", "inclusa",
    ]
    static let payments: PaperWordSet = [
        "visa", "mastercard", "maestro", "bankomat", "kartenzahlung", "karte", "ec", "girocard", "kreditkarte", "bar",
        "paypal", "klarna", "amex", "kartenbetrag", "twint", "debit", "carta", "carte", "bancaire", "cb", "bancomat",
        "elettronico", "card", "barzahlung", "cash", "contanti", "especes", "zahlung", "sale",
        "efectivo", "contant", "gotówka", "hotovost", "készpénz", "gotovina", "kontant", "kontanter", "tarjeta",
        "kártya", "kartica", "kaart", "karta",
    ]
    static let given: PaperWordSet = [
        "gegeben", "bar", "barzahlung", "cash", "contanti", "especes", "erhalten", "bargeld", "barbetrag",
        "efectivo", "contant", "gotówka", "hotovost", "készpénz", "gotovina", "kontant", "kontanter",
    ]
    static let change: PaperWordSet = [
        "rueckgeld", "wechselgeld", "zurueck", "retour", "change", "resto", "rendu", "herausgeld", "restgeld",
        "cambio", "wisselgeld", "reszta", "vráceno", "visszajáró", "povrat", "vračilo", "troco", "växel", "vuelto",
    ]
    /// Words for amounts paid before, and for reductions.
    static let deductions: PaperWordSet = [
        "anzahlung*", "abzueglich", "vorauszahlung*", "teilzahlung*", "abschlag*", "gutschein*", "guthaben", "rabatt",
        "acconto", "acompte", "deposit", "voucher", "bereits", "sconto", "remise", "discount",
    ]
    static let tips: PaperWordSet = [
        "trinkgeld", "tip", "gratuity", "mancia", "pourboire", "propina", "fooi", "napiwek", "spropitné",
        "borravaló", "napojnica", "napitnina", "gorjeta", "dricks",
    ]
    /// Words for the exchange rate.
    static let rates: PaperWordSet = [
        "kurs", "kursu", "wechselkurs", "umrechnungskurs", "rate", "exchange", "cambio", "tasso", "taux", "koers",
        "wisselkoers", "kurz", "kurzu", "wymiany", "árfolyam", "tečaj", "tečaju", "curs", "kursen", "valutakurs",
        "växelkurs", "umrechnung",
    ]
    /// Words beside figures that are not part of this payment.
    static let notes: PaperWordSet = [
        "punktestand", "punkte", "jahres*", "vorautorisierung", "bisher", "vergleich", "kontostand", "gespart",
        "ersparnis", "verbrauch", "zaehlerstand", "limit", "bonus*", "kundenkarte", "stand", "kwh", "monatlich*",
    ]

    /// Key words of categories that do not count as evidence, because papers of any kind print them.
    static let wordsOfAnyPaper: PaperWordSet = [
        "telefon", "internet", "handy", "festnetz", "bar", "steuer", "tax", "fee", "gebuehr", "buch", "kurs", "verein",
        "karte", "pension",
    ]

    // MARK: Days

    /// Labels of the paper's own day.
    static let issued: PaperWordSet = [
        "datum", "rechnungsdatum", "belegdatum", "date", "kaufdatum", "ausgestellt", "ausfahrt", "kassa", "kasse",
        "beleg", "bon", "rechnung", "ende", "buchungsdatum", "verkauf", "data", "fattura", "facture", "invoice",
        "issued", "booked", "acquisto", "achat", "emissione", "bezahlt", "paid", "uscita", "sortie", "exit",
        "ausstellungsdatum", "zeit", "uhrzeit", "terminal",
    ]
    /// Labels of the day of use, which is often the paper's own day.
    static let used: PaperWordSet = [
        "abreise", "fahrt", "reisedatum", "departure", "depart", "partenza", "geltungstag", "vorstellung", "hinfahrt",
        "am",
    ]
    /// Labels of the day of an order: the paper's own day, unless an invoice follows.
    static let ordered: PaperWordSet = [
        "bestelldatum", "order", "ordine", "commande", "bestellt", "bestellung", "auftragsdatum",
    ]
    static let otherDays: PaperWordSet = [
        "geburtsdatum", "geboren", "gueltig", "valid", "leistungszeitraum", "zeitraum", "anreise", "einfahrt", "stand",
        "lieferdatum", "liefertermin", "bestand", "rueckgabe", "umtausch", "naechste", "naechster", "lieferung",
        "abrechnungszeitraum", "arrival", "arrivo", "arrivee", "entry", "entrata", "entree", "delivery", "consegna",
        "livraison", "return", "until",
    ]
    static let dues: PaperWordSet = [
        "faellig", "faelligkeit*", "zahlbar", "zahlungsziel", "due", "spaetestens", "zahlungsfrist", "abbuchung",
        "eingezogen", "einzug", "abgebucht", "scadenza", "echeance", "ueberweisen",
    ]
}

/// A set of words, folded by `FoldedText`. A final `*` matches any further letters.
struct PaperWordSet: ExpressibleByArrayLiteral, Sendable {
    let whole: Set<String>
    private let beginnings: [String]

    init(arrayLiteral entries: String...) {
        let folded = entries.map { FoldedText.fold($0) }
        whole = Set(folded.filter { !$0.hasSuffix("*") })
        beginnings = folded.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }
    }

    func contains(_ word: String) -> Bool { whole.contains(word) || beginnings.contains { word.hasPrefix($0) } }
}
