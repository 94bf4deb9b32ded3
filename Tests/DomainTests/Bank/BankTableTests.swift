import Testing

@testable import Domain

/// Layouts of banks' tables, and the forms of their amounts and dates.
@Suite(.timeLimit(.minutes(1))) struct BankTableTests {
    private func lines(_ text: String, _ columns: BankColumns? = nil) throws -> [String] {
        try BankFile.read(text, home: .eur, columns: columns).bookings.map {
            "\($0.day.iso) \($0.amount.plain) \($0.amount.currency) | \($0.payee) | \($0.purpose)"
        }
    }

    @Test(
        arguments: [
            ("1.234,56-", -123_456), ("-1.234,56", -123_456), ("12,50 S", -1_250), ("12,50H", 1_250),
            ("EUR -12,50", -1_250),
            ("-12,50 €", -1_250), ("1'234.50", 123_450), ("\u{2212}3,20", -320), ("+3,20", 320), ("-0,00", 0),
            ("0,00-", 0),
            ("-12.5000", -1_250), ("1E5", nil), ("12,50 Stück", nil), ("12,50 inc", nil), ("12,50 eur", 1_250),
            ("12,505", nil), ("12,50 USD", nil), ("", nil), ("12,50 Euro", 1_250), ("EUR 12,50 €", 1_250),
            ("12,50 kr.", 1_250), ("12,50 EUR USD", nil), ("12.50 Fr.", nil),
        ] as [(String, Int64?)])
    func `reads an amount with its sign and its currency`(field: String, minorUnits: Int64?) {
        #expect(BankFigure(field)?.minorUnits(.eur) == minorUnits)
    }

    @Test func `reads zeros below the minor unit of a currency`() throws {
        let text = "Date,Description,Amount,Currency\n2026-01-03,Ramen,-500.00,JPY\n2026-01-04,Hotel,\"-12,500.00\",JPY"
        #expect(try lines(text) == ["2026-01-03 -500 JPY | Ramen | ", "2026-01-04 -12500 JPY | Hotel | "])
    }

    @Test func `an amount or its heading names the currency, even if a person has chosen the columns`() throws {
        let field = "Datum;Empfänger;Betrag\n03.01.2026;Kaffee;-5,00 USD\n03.01.2026;Bäcker;-3,20"
        #expect(try lines(field) == ["2026-01-03 -5.00 USD | Kaffee | ", "2026-01-03 -3.20 EUR | Bäcker | "])
        let heading = "Wann;Wo;Betrag in CHF\n03.01.2026;Migros;-20,50"
        #expect(try lines(heading, BankColumns([.day, .payee, .amount])) == ["2026-01-03 -20.50 CHF | Migros | "])
    }

    @Test(arguments: [
        ("Fr. 12.50", "12.50 CHF"), ("12.50 Fr", "12.50 CHF"), ("SFr. 12.50", "12.50 CHF"), ("$12.50", "12.50 USD"),
        ("US$ 12.50", "12.50 USD"), ("$12.50 CAD", "12.50 CAD"), ("12.50 Euro", "12.50 EUR"),
        ("12.50 kr", "12.50 EUR"),
    ])
    func `reads a currency by its name or its sign`(field: String, amount: String) throws {
        #expect(try lines("Datum;Empfänger;Betrag\n03.01.2026;Kaffee;\(field)") == ["2026-01-03 \(amount) | Kaffee | "])
    }

    @Test func `a column or a heading determines the currency of a sign that several currencies share`() throws {
        let column = "Date;Payee;Amount;Currency\n2026-01-03;Coffee;-$5.00;CAD\n2026-01-04;Taxi;-5.00 EUR;CAD"
        #expect(try lines(column) == ["2026-01-03 -5.00 CAD | Coffee | ", "2026-01-04 -5.00 EUR | Taxi | "])
        let heading = "Date;Payee;Amount in AUD\n2026-01-03;Coffee;-$5.00"
        #expect(try lines(heading) == ["2026-01-03 -5.00 AUD | Coffee | "])
    }

    @Test func `reads the table of Postbank below a title without a separator`() throws {
        let text = """
            Umsätze
            Konto;Filial-/Kontonummer;IBAN;Währung
            Giro plus;123 1234567 00;DE02 1203 0000 0000 2020 51;EUR

            9.8.2025 - 4.2.2026
            Letzter Kontostand;;;;5.000,00;EUR
            Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung
            4.2.2026;4.2.2026;SEPA Lastschrift;Wien Energie;Strom 42;DE12;GENO;;;;;-1.234,56;;;;-1.234,56;;EUR
            """
        #expect(try lines(text) == ["2026-02-04 -1234.56 EUR | Wien Energie | SEPA Lastschrift Strom 42"])
        #expect(try BankFile.read(text, home: .eur).bookings.map(\.account) == ["DE02120300000000202051"])
    }

    @Test func `reads an unknown table below a title without a separator`() throws {
        let table = try BankTable("Meine Bank\nWann;Wo;Wieviel\n03.01.2026;Bäcker;-3,20\n")
        #expect(table.headings == ["Wann", "Wo", "Wieviel"])
    }

    @Test func `an entry with a word in place of its date is not booked`() throws {
        let text = """
            ;
            "Umsätze Girokonto";"Zeitraum: 30 Tage";
            "Neuer Kontostand";"1.000,00 EUR";

            "Buchungstag";"Wertstellung";"Vorgang";"Buchungstext";"Umsatz in EUR";
            "offen";"03.02.2026";"Kartenverfügung";"REWE";"-12,50";
            "bald";"03.02.2026";"Kartenverfügung";"REWE";"-12,50";
            "30.01";"02.02.2026";"Lastschrift";"Wien Energie";"-80,00";
            """
        #expect(try lines(text) == ["2026-02-02 -80.00 EUR |  | Wien Energie"])
        #expect(try BankFile.read(text, home: .eur).skipped.map(\.reason) == [.pending, .day])
    }

    @Test func `reads quoted line breaks, and a byte order mark`() throws {
        let text =
            "\u{FEFF}\"Datum\";\"Empfänger\";\"Verwendungszweck\";\"Betrag\"\r\n"
            + "\"03.01.26\";\"Bäcker \"\"Am Eck\"\"\";\"Brot;\r\nSemmeln\";\"-3,20\"\r\n"
        #expect(try lines(text) == ["2026-01-03 -3.20 EUR | Bäcker \"Am Eck\" | Brot; Semmeln"])
    }

    @Test func `ignores a column that has too many accounts to be the person's own`() throws {
        func accounts(_ count: Int) throws -> Set<String> {
            let rows = (1...count).map { "03.01.2026;Bäcker;-3,20;Konto \($0)" }
            let text = (["Datum;Empfänger;Betrag;Auftragskonto"] + rows).joined(separator: "\n")
            return Set(try BankFile.read(text, home: .eur).bookings.map(\.account))
        }
        #expect(try accounts(BankFileLimits.maximumAccounts).count == BankFileLimits.maximumAccounts)
        #expect(try accounts(BankFileLimits.maximumAccounts + 1) == [""])
    }

    @Test(arguments: ["NOTPROVIDED", "nonref", "-"])
    func `a placeholder for a missing reference does not identify a booking`(reference: String) throws {
        let head = "Buchungsdatum;Partnername;Betrag;Buchungsreferenz\n"
        let bookings = try BankFile.read(
            head + "03.01.2026;Bäcker;-3,20;\(reference)\n03.01.2026;Trafik;-3,20;\(reference)\n", home: .eur
        ).bookings
        #expect(Set(bookings.map(\.identity)).count == 2)
    }

    @Test(arguments: [
        ("Storno Kartenzahlung", ExpenseKind.refund), ("Rücklastschrift Verein", .refund), ("Gutschrift", .income),
    ])
    func `money of a reversed payment is a refund`(purpose: String, kind: ExpenseKind) {
        let booking = BankBooking(
            day: LocalDate(dayNumber: 20_600), amount: Amount(minorUnits: 1_000), payee: "Verein Linde",
            purpose: purpose)
        #expect(booking.kind == kind)
    }
}
