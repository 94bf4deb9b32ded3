import Domain
import Testing

@Suite(.timeLimit(.minutes(1))) struct BankFileTests {
    private func lines(_ text: String) throws -> [String] {
        try BankFile.read(text, home: .eur).bookings.map {
            "\($0.day.iso) \($0.amount.plain) \($0.amount.currency) | \($0.payee) | \($0.purpose)"
        }
    }

    // MARK: CSV

    @Test func `reads the table of Sparkasse without pending bookings`() throws {
        let text = """
            "Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"
            "DE02120300000000202051";"02.01.26";"02.01.26";"KARTENZAHLUNG";"2026-01-01T17:03 Debitk.0";"";"";"";"";"";"";"REWE SAGT DANKE. 42";"DE12";"GENO";"-23,45";"EUR";"Umsatz gebucht"
            "DE02120300000000202051";"03.01.26";"03.01.26";"KARTENZAHLUNG";"Test";"";"";"";"";"";"";"DM";"DE12";"GENO";"-1.009,90";"EUR";"Umsatz vorgemerkt"
            """
        let statement = try BankFile.read(text, home: .eur)
        #expect(
            try lines(text) == ["2026-01-02 -23.45 EUR | REWE SAGT DANKE. 42 | KARTENZAHLUNG 2026-01-01T17:03 Debitk.0"]
        )
        #expect(statement.skipped == [.init(line: 3, reason: .pending)])
        #expect(statement.bookings[0].account == "DE02120300000000202051")
    }

    @Test func `reads the table of ING, which begins below lines about the account`() throws {
        let text = """
            Umsatzanzeige;Datei erstellt am: 02.02.2026 10:12

            IBAN;DE02 5001 0517 5407 3249 31
            Kontoname;Girokonto
            Saldo;1.234,56;EUR

            Sortierung;Datum absteigend

            In der CSV-Datei finden Sie alle bereits gebuchten Umsätze.

            Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung
            30.01.2026;30.01.2026;VISA BILLA 1020;Lastschrift;NR XXXX 1234 WIEN;1.234,56;EUR;-12,30;EUR
            28.01.2026;28.01.2026;Arbeit GmbH;Gehalt/Rente;Lohn 01/2026;1.246,86;EUR;2.100,00;EUR
            """
        #expect(
            try lines(text) == [
                "2026-01-30 -12.30 EUR | VISA BILLA 1020 | Lastschrift NR XXXX 1234 WIEN",
                "2026-01-28 2100.00 EUR | Arbeit GmbH | Gehalt/Rente Lohn 01/2026",
            ])
    }

    @Test func `reads the tables of Erste, Raiffeisen, N26 and Revolut`() throws {
        let erste = """
            "Buchungsdatum","Valutadatum","Partnername","Partner IBAN","BIC/SWIFT","Partner Kontonummer","Bankleitzahl","Betrag","Währung","Buchungs-Details","Buchungsreferenz"
            "05.01.2026","05.01.2026","Wien Energie","AT611904300234573201","","","","-88,10","EUR","Strom 01","201112601051234-00001"
            """
        #expect(try lines(erste) == ["2026-01-05 -88.10 EUR | Wien Energie | Strom 01"])
        #expect(try BankFile.read(erste, home: .eur).bookings[0].reference == "201112601051234-00001")
        let raiffeisen = """
            02.01.2026;"Bezahlung Karte HOFER DANKT 1234";02.01.2026;-45,99;EUR;02.01.2026 10:22:33:123
            05.01.2026;"Gutschrift Miete";05.01.2026;1.500,00;EUR;05.01.2026 08:00:00:000
            """
        #expect(
            try lines(raiffeisen) == [
                "2026-01-02 -45.99 EUR |  | Bezahlung Karte HOFER DANKT 1234",
                "2026-01-05 1500.00 EUR |  | Gutschrift Miete",
            ])
        let n26 = """
            "Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"
            2026-01-03,2026-01-04,"Blue Bottle",,"Presentment","-","Main Account",-4.62,5.00,USD,0.92400
            """
        let abroad = try BankFile.read(n26, home: .eur).bookings[0]
        #expect(try lines(n26) == ["2026-01-03 -4.62 EUR | Blue Bottle | -"])
        #expect(abroad.original == Amount(minorUnits: 500, currency: try #require(CurrencyCode("USD"))))
        let revolut = """
            Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance
            CARD_PAYMENT,Current,2026-01-03 10:00:00,2026-01-04 11:00:00,Spotify,-10.99,0.00,EUR,COMPLETED,100.00
            ATM,Current,2026-01-05 10:00:00,2026-01-05 11:00:00,Cash at ATM,-50.00,1.50,CHF,COMPLETED,48.50
            CARD_PAYMENT,Current,2026-01-06 10:00:00,,Pending shop,-1.00,0.00,EUR,PENDING,
            """
        #expect(
            try lines(revolut) == ["2026-01-04 -10.99 EUR | Spotify | ", "2026-01-05 -51.50 CHF | Cash at ATM | "])
    }

    @Test func `reads debit and credit columns, a sign beside the amount, and two columns of names`() throws {
        let columns = """
            Datum;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF
            03.01.2026;Kauf Migros;;-20.50
            04.01.2026;Lohn;100.00;
            """
        #expect(try lines(columns) == ["2026-01-03 -20.50 CHF |  | Kauf Migros", "2026-01-04 100.00 CHF |  | Lohn"])
        let sign =
            "Buchungstag;Empfänger;Betrag;Währung;Soll/Haben\n03.01.2026;Bäcker;3,20;EUR;S\n03.01.2026;Oma;50,00;EUR;H"
        #expect(try lines(sign) == ["2026-01-03 -3.20 EUR | Bäcker | ", "2026-01-03 50.00 EUR | Oma | "])
        let names = """
            Buchungsdatum;Status;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Betrag (€)
            03.01.26;Gebucht;Ich;REWE;Einkauf;-5,10
            04.01.26;Gebucht;Arbeit;Ich;Lohn;10,00
            """
        #expect(try lines(names) == ["2026-01-03 -5.10 EUR | REWE | Einkauf", "2026-01-04 10.00 EUR | Arbeit | Lohn"])
    }

    @Test func `refuses an unknown table, and reads it with given columns`() throws {
        let text = "Wann;Wo;Wieviel\n03.01.2026;Bäcker;-3,20\n99.99.2026;Fehler;-1\n04.01.2026;Fehler;abc"
        #expect(throws: BankFileFailure.unknownFormat) { try BankFile.read(text, home: .eur) }
        let statement = try BankFile.read(text, home: .eur, columns: BankColumns([.day, .payee, .amount]))
        #expect(statement.bookings.map(\.payee) == ["Bäcker"])
        #expect(statement.skipped.map(\.reason) == [.day, .amount])
        #expect(try BankTable(text).source == "wann|wo|wieviel")
    }

    @Test(arguments: ["", "hello", "a;b\n\"open;1", String(repeating: "x;", count: 100)])
    func `refuses files that are not tables`(text: String) {
        #expect(throws: BankFileFailure.self) { try BankFile.read(text, home: .eur) }
    }

    @Test func `limits the size of a file and the number of its bookings`() {
        let row = "03.01.2026;Bäcker;-3,20\n"
        let long = "Datum;Empfänger;Betrag\n" + String(repeating: row, count: BankFileLimits.maximumBookings + 1)
        #expect(throws: BankFileFailure.tooManyBookings) { try BankFile.read(long, home: .eur) }
        let large = String(repeating: "x", count: BankFileLimits.maximumBytes + 1)
        #expect(throws: BankFileFailure.tooLarge) { try BankFile.read(large, home: .eur) }
    }

    // MARK: Identity and matching

    @Test func `distinguishes equal bookings in one file, and recognises them in an overlapping file`() throws {
        let head = "Datum;Empfänger;Betrag\n"
        let first = try BankFile.read(head + "03.01.2026;Bäcker;-3,20\n03.01.2026;Bäcker;-3,20\n", home: .eur)
        let second = try BankFile.read(
            head + "03.01.2026;BÄCKER ;-3,20\n03.01.2026;Bäcker;-3,20\n04.01.2026;Bäcker;-3,20\n", home: .eur)
        let knownIdentities = Set(BankBooking.numbered(first.bookings).map(\.identity))
        #expect(knownIdentities.count == 2)
        #expect(
            BankBooking.numbered(second.bookings).map { knownIdentities.contains($0.identity) } == [true, true, false])
    }

    @Test(arguments: [
        ("IBAN;DE02 1203 0000 0000 2020 51\nSaldo;12,00;EUR\n\n", "DE02120300000000202051"),
        ("Girokonto;IBAN: DE02120300000000202051\n", "DE02120300000000202051"),
        ("DE02120300000000202051;\nAT611904300234573201;\n", ""), ("Umsatzanzeige;Haushalt\n", ""),
    ])
    func `reads the account above the table`(lines: String, account: String) throws {
        let table = lines + "Buchungstag;Empfänger;Verwendungszweck;Betrag\n03.01.2026;Bäcker;Brot;-3,20\n"
        #expect(try BankFile.read(table, home: .eur).bookings.map(\.account) == [account])
    }

    @Test func `matches an expense with one booking, preferably one with the same payee`() throws {
        func booking(_ day: Int, _ payee: String) throws -> BankBooking {
            BankBooking(
                day: try #require(LocalDate(year: 2026, month: 1, day: day)), amount: Amount(minorUnits: -1_250),
                payee: payee)
        }
        let id = ExpenseID(high: 1, low: 1)
        let candidate = BankMatching.Candidate(
            id: id, isReceipt: true, day: try #require(LocalDate(year: 2026, month: 1, day: 5)),
            amount: Amount(minorUnits: -1_250), text: "BILLA", payee: "Billa")
        let matches = BankMatching([candidate]).matches([
            try booking(5, "Trafik"), try booking(7, "BILLA DANKT 1020 WIEN"), try booking(9, "BILLA"),
        ])
        #expect(matches.map { $0?.candidate.id } == [nil, id, nil])
        #expect(matches[1]?.isSamePayee == true)
        #expect(
            BankMatching([candidate]).matches([try booking(2, "Trafik"), try booking(1, "Billa")])[0]?.isSamePayee
                == false)
        let other = BankBooking(day: candidate.day, amount: Amount(minorUnits: 1_250), payee: "Billa")
        #expect(BankMatching([candidate]).matches([other]) == [nil])
    }
}
