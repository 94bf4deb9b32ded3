import DocumentParsing

/// Invoices, orders, tickets and hotels.
extension PaperSample {
    static let invoices: [PaperSample] = [
        PaperSample(
            .invoice, "Wien Energie", 18_640, "2026-08-03", "energy",
            """
            Wien Energie GmbH
            Thomas-Klestil-Platz 14, 1030 Wien
            Herrn
            Max Muster
            Rechnungsnummer 2026-884411
            Kundennummer 1234567
            Rechnungsdatum 03.08.2026
            Strom Verbrauch 712 kWh
            Nettobetrag                155,33
            20% USt                     31,07
            Rechnungsbetrag EUR        186,40
            Zahlbar bis 24.08.2026
            IBAN AT61 1904 3002 3457 3201
            """),
        PaperSample(
            .invoice, "Installateur Berger", 42_000, "2026-06-18", "housing",
            """
            Installateur Berger e.U.
            Gas Wasser Heizung
            RECHNUNG
            Rechnungsnr. 118/26    Datum 18.06.2026
            Anfahrt                        60,00
            Arbeitszeit 3 Std.            240,00
            Material                       50,00
            Netto                         350,00
            20 % USt                       70,00
            Gesamtbetrag                  420,00
            Zahlungsziel 14 Tage
            Fällig am 02.07.2026
            IBAN DE89 3704 0044 0532 0130 00
            """),
        PaperSample(
            .invoice, "Magenta Telekom", 4_499, "2026-07-08", "telecom",
            """
            Magenta Telekom
            T-Mobile Austria GmbH
            Rechnung
            Rechnungsnummer 900112233
            Rechnungsdatum 08.07.2026
            Mobilfunk Tarif L          29,99
            Internet 100               15,00
            Gesamtbetrag inkl. USt     44,99 EUR
            Der Betrag wird am 22.07.2026 abgebucht
            """),
        PaperSample(
            .invoice, "Wiener Städtische Versicherung", 31_280, "2026-01-05", "insurance",
            """
            Wiener Städtische Versicherung AG
            Schottenring 30
            Haushaltsversicherung
            Rechnung vom 05.01.2026
            Kundennummer 77123
            Jahresprämie                 300,77
            Versicherungssteuer           12,03
            Zu zahlen                    312,80
            Zahlbar bis 31.01.2026
            """),
        PaperSample(
            .invoice, "Zahnarzt Dr. Novak", 16_500, "2026-05-04", "health",
            """
            Zahnarzt Dr. Novak
            Ordination Praterstraße 9
            Honorarnote / Rechnung Nr. 77
            Datum 04.05.2026
            Mundhygiene        110,00
            Röntgen             55,00
            Rechnungsbetrag    165,00 EUR
            IBAN AT61 1904 3002 3457 3201
            zahlbar innerhalb von 14 Tagen
            """),
        PaperSample(
            .order, "Zalando", 7_990, "2026-08-11", "clothing",
            """
            Zalando SE
            Bestellung 10203040506070
            Bestelldatum 11.08.2026
            Lieferadresse: Wien
            Sneaker Größe 42          69,95
            Socken 3er Pack            9,95
            Versandkosten              0,00
            Gesamtsumme (inkl. MwSt)  79,90 €
            """),
        PaperSample(
            .order, "Thalia", 3_189, "2026-04-14", "leisure",
            """
            Thalia Bücher GmbH
            Rechnung zu Bestellnummer 55120
            14.04.2026
            Roman gebunden      24,90
            Postkarten           3,00
            Versand              3,99
            Gesamtbetrag EUR    31,89
            enthaltene MwSt      2,90
            """),
        PaperSample(
            .order, "MediaMarkt", 24_900, "2026-02-20", "household",
            """
            MediaMarkt Online
            Bestellbestätigung
            Bestellnummer: 882211
            20.02.2026
            1 x Staubsauger     249,00
            Lieferung             0,00
            Zwischensumme       249,00
            Gesamt              249,00 EUR
            PayPal              249,00 EUR
            """),
        PaperSample(
            .order, "Zooplus", 5_647, "2026-06-24", "pet",
            """
            zooplus SE
            Ihre Bestellung vom 24.06.2026
            Bestellnr 4455
            Katzenfutter 24 x 85g    31,98
            Katzenstreu              24,49
            Versandkosten             0,00
            Summe                    56,47 €
            """),
    ]

    static let journeys: [PaperSample] = [
        PaperSample(
            .ticket, "ÖBB", 3_890, "2026-08-02", "transit",
            """
            ÖBB Personenverkehr AG
            Onlineticket
            Hinfahrt  Wien Hbf - Salzburg Hbf
            Abfahrt 02.08.2026 08:30
            2. Klasse  1 Reisender
            Sitzplatz Wagen 23
            Gesamtpreis EUR 38,90
            inkl. 10% USt 3,54
            """),
        PaperSample(
            .ticket, "Wiener Linien", 240, "2026-09-02", "transit",
            """
            Wiener Linien
            Fahrschein
            Einzelfahrt Vollpreis
            Preis EUR 2,40
            02.09.2026 07:55
            """),
        PaperSample(
            .ticket, "DB", 5_780, "2026-05-21", "transit",
            """
            DB Vertrieb GmbH
            Fahrkarte Super Sparpreis
            Hinfahrt: 21.05.2026
            Berlin Hbf - Hamburg Hbf
            Ankunft 10:12 Klasse 2
            Positionen
            Fahrkarte           52,90 €
            Sitzplatz            4,90 €
            Betrag              57,80 €
            MwSt D 7%            3,78 €
            """),
        PaperSample(
            .ticket, "SBB", 8_200, "2026-03-07", "transit",
            """
            SBB CFF FFS
            Ticket
            Zürich HB - Bern retour
            Gültig 07.03.2026
            2. Klasse 1/1
            Kaufdatum 07.03.2026 06:50
            Preis CHF 82.00
            """),
        PaperSample(
            .hotel, "Hotel Alpenblick", 38_460, "2026-07-28", "travel",
            """
            Hotel Alpenblick
            Fam. Steiner KG
            6080 Igls
            Rechnung 1188      28.07.2026
            Zimmer 204
            Anreise 25.07.2026  Abreise 28.07.2026
            3 Nächte DZ HP    3 x 124,00    372,00
            Ortstaxe                         12,60
            Gesamtbetrag EUR                384,60
            10% USt 33,82
            """),
        PaperSample(
            .hotel, "Motel One", 9_900, "2026-04-18", "travel",
            """
            Motel One Berlin-Mitte
            Rechnung
            Rechnungsdatum 18.04.2026
            Übernachtung 17.04. - 18.04.2026  89,00
            Frühstück                         10,00
            Summe brutto                      99,00 EUR
            Netto 93,00 MwSt 6,00
            Mastercard                        99,00 EUR
            """),
        PaperSample(
            .hotel, "Pension Seerose", 15_600, "2026-08-09", "travel",
            """
            Pension Seerose
            Seeweg 4, 9210 Pörtschach
            2 Nächtigungen      2 x 75,00    150,00
            Kurtaxe              2 x 3,00      6,00
            Zu zahlen EUR                    156,00
            Datum 09.08.2026
            Zimmer 3  Abreise 09.08.2026
            """),
    ]
}
