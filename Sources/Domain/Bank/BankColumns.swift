/// The meanings of the columns of a bank's table. Stored for each source, so that a person assigns them only once.
package struct BankColumns: Hashable, Sendable {
    package enum Role: String, Sendable, CaseIterable {
        case ignored
        case day
        /// The value date, used when the day of the booking is empty.
        case valueDay = "value_day"
        case amount
        /// Money that left the account, with or without sign.
        case debit
        /// Money that came in.
        case credit
        /// `S` (debit) or `H` (credit), beside an amount without sign.
        case sign
        case fee
        case currency
        case payee
        /// The payer of money that came in. Only in tables with a `payee` column for money that left.
        case payer
        case purpose
        case reference
        case account
        case originalAmount = "original_amount"
        case originalCurrency = "original_currency"
        /// The state of the booking, such as pending.
        case state
    }

    /// The role of each column.
    package let roles: [Role]
    /// The currency named in the heading of a column, such as `Amount (EUR)`; nil if none is named.
    package let currency: CurrencyCode?

    package init(_ roles: [Role], currency: CurrencyCode? = nil) {
        self.roles = roles
        self.currency = currency
    }

    /// Whether there are columns for day and amount, without which a booking cannot be read.
    package var isComplete: Bool {
        (roles.contains(.day) || roles.contains(.valueDay))
            && (roles.contains(.amount) || roles.contains(.debit) || roles.contains(.credit))
    }

    /// The first column of a role.
    func index(_ role: Role) -> Int? { roles.firstIndex(of: role) }

    func indices(_ role: Role) -> [Int] { roles.indices.filter { roles[$0] == role } }

    /// Recognises the names that banks give their columns.
    package init(headings: [String]) {
        var roles = headings.map { Self.role(of: $0) }
        // If several columns have one of these roles, only the first keeps it. Of several currency columns, the one
        // that is nearest to the amount keeps its role.
        for role in [Role.day, .valueDay, .amount, .sign, .payer, .reference, .account, .state, .originalAmount, .fee] {
            for index in roles.indices.filter({ roles[$0] == role }).dropFirst() { roles[index] = .ignored }
        }
        if let amount = roles.firstIndex(of: .amount) {
            let currencies = roles.indices.filter { roles[$0] == .currency }
            let nearest = currencies.min { (abs($0 - amount), $1) < (abs($1 - amount), $0) }
            for index in currencies where index != nearest { roles[index] = .ignored }
        }
        self.init(roles, headings: headings)
    }

    /// Columns with the currency that the heading of an amount names.
    package init(_ roles: [Role], headings: [String]) {
        let named = zip(headings, roles).filter { [Role.amount, .debit, .credit].contains($0.1) }
        self.init(roles, currency: named.lazy.compactMap { Self.currency(in: $0.0) }.first)
    }

    /// The code in `Betrag (EUR)`, `Amount in CHF` and `Betrag (€)`.
    private static func currency(in name: String) -> CurrencyCode? {
        let words = name.split { $0 == " " || $0 == "(" || $0 == ")" }
        guard words.count > 1, let last = words.last, last.count <= 3, last == last.uppercased()[...] else {
            return nil
        }
        return CurrencyCode(last)
    }

    private static func role(of name: String) -> Role {
        let folded = FoldedWords.words(name)
        let whole = folded.joined(separator: " ")
        if let role = names[whole] { return role }
        // The name may end with a currency.
        if let last = folded.last, last.count == 3, let role = names[folded.dropLast().joined(separator: " ")] {
            return role
        }
        if folded.dropLast().last == "in", let role = names[folded.dropLast(2).joined(separator: " ")] { return role }
        return .ignored
    }

    private static let names: [String: Role] = Dictionary(
        uniqueKeysWithValues: [
            Role.day: [
                "buchungstag", "buchungsdatum", "buchung", "datum", "date", "booking date", "completed date",
                "datum des abschlusses", "abschlussdatum", "durchfuehrungsdatum", "abschlussdatum utc", "booked on",
                "entry date",
            ],
            .valueDay: [
                "valutadatum", "valuta", "wertstellung", "wertstellungsdatum", "wertstellungstag", "value date",
                "started date",
                "datum des beginns", "startdatum", "valutatag",
            ],
            .amount: [
                "betrag", "amount", "umsatz", "betrag eur", "buchungsbetrag", "umsatz in eur", "transaktionsbetrag",
            ],
            .debit: ["soll", "belastung", "lastschrift", "ausgang", "debit", "debit amount", "paid out", "money out"],
            .credit: ["haben", "gutschrift", "eingang", "credit", "credit amount", "paid in", "money in"],
            .sign: ["soll haben", "s h", "soll haben kennzeichen", "sh"],
            .fee: ["gebuehr", "gebuehren", "fee"],
            .currency: ["waehrung", "currency", "kontowaehrung", "buchungswaehrung"],
            .payee: [
                "beguenstigter zahlungspflichtiger", "auftraggeber empfaenger", "auftraggeber beguenstigter",
                "beguenstigter auftraggeber", "empfaenger auftraggeber", "sender empfaenger",
                "empfaengername", "empfaenger 1", "empfaenger 2", "partnername",
                "partner name", "payee", "empfaenger", "name zahlungsbeteiligter", "zahlungsempfaenger in",
                "zahlungsempfaenger",
                "zahlungsempfaenger r", "beguenstigter", "description", "beschreibung", "name", "gegenpartei",
                "counterparty",
                "auftraggeber", "transaktionspartner", "haendler", "merchant",
            ],
            .payer: ["zahlungspflichtige r", "zahlungspflichtiger", "auftraggebername"],
            .purpose: [
                "verwendungszweck", "buchungstext", "buchungs details", "buchungsdetails", "payment reference",
                "reference text",
                "zahlungsreferenz", "text", "avisierungstext", "umsatztext", "purpose", "memo", "mitteilung",
                "vorgang verwendungszweck", "reference", "umsatzart", "zahlungsgrund",
            ],
            .reference: ["buchungsreferenz", "transaction id", "transaktions id", "umsatz id", "bankreferenz"],
            .account: [
                "auftragskonto", "iban auftragskonto", "iban kontoinhaber", "eigene iban", "own iban", "konto",
                "account name", "product",
                "produkt",
            ],
            .originalAmount: [
                "amount foreign currency", "original amount", "originalbetrag", "betrag fremdwaehrung",
                "betrag in fremdwaehrung",
                "fremdwaehrungsbetrag", "urspruenglicher betrag",
            ],
            .originalCurrency: ["type foreign currency", "original currency", "originalwaehrung", "fremdwaehrung"],
            .state: ["status", "state", "info"],
        ].flatMap { role, names in names.map { ($0, role) } })

    /// Recognises the columns of a table without headings by their contents. ELBA and some card issuers write such
    /// tables.
    init?(shape row: [String]) {
        var roles = [Role](repeating: .ignored, count: row.count)
        for (index, field) in row.enumerated() {
            if BankTable.day(field, slashes: .dayFirst) != nil {
                // The time of entry also contains a day, but is not needed.
                if !roles.contains(.day) {
                    roles[index] = .day
                } else if !roles.contains(.valueDay), field.count <= 10 {
                    roles[index] = .valueDay
                }
            } else if CurrencyCode(field) != nil, field.count == 3, field == field.uppercased() {
                roles[index] = .currency
            } else if field.contains(where: { $0 == "," || $0 == "." }),
                (try? DecimalText.parse(field, decimals: 2, limit: Amount.limit)) != nil
            {
                if !roles.contains(.amount) { roles[index] = .amount }
            } else if field.contains(where: \.isLetter) {
                let isAccount =
                    field.count >= 15 && field.allSatisfy { $0.isNumber || $0.isUppercase || $0 == " " }
                    && field.prefix(2).allSatisfy(\.isLetter) && field.dropFirst(2).prefix(2).allSatisfy(\.isNumber)
                roles[index] = isAccount ? (roles.contains(.account) ? .ignored : .account) : .purpose
            }
        }
        self.init(roles)
        guard isComplete, roles.contains(.currency) else { return nil }
    }
}
