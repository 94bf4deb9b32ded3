import DocumentParsing
import Domain

/// Documents of ten kinds in their printed layout, with the expected result of each.
struct PaperSample: Sendable, CustomStringConvertible {
    let kind: PaperKind
    let merchant: String
    let total: Int64
    let day: String
    /// A key of `CategoryTemplate`.
    let category: String
    let text: String

    var description: String { "\(kind.rawValue) \(merchant)" }

    init(
        _ kind: PaperKind, _ merchant: String, _ total: Int64, _ day: String, _ category: String, _ text: String
    ) {
        (self.kind, self.merchant, self.total, self.day) = (kind, merchant, total, day)
        (self.category, self.text) = (category, text)
    }

    static let all: [PaperSample] = dining + onTheRoad + pharmaciesAndDIY + invoices + journeys
}

extension PaperSample {
    static let dining: [PaperSample] = [
        PaperSample(
            .restaurant, "Gasthaus Zur Linde", 4_850, "2026-08-14", "dining",
            """
               Gasthaus Zur Linde
               Hauptstraße 12
               3100 St. Pölten
               UID ATU12345678

            Tisch 7      Kellner: Eva
            2 Wr. Schnitzel       29,80
            1 Gulasch             11,90
            2 Bier 0,5             9,80
            -----------------------
            Zwischensumme         51,50
            Rabatt                -3,00
            Summe EUR             48,50
            10% 41,70  4,17
            14.08.2026 20:41
            """),
        PaperSample(
            .restaurant, "Pizzeria Da Marco", 3_600, "2026-07-02", "dining",
            """
            PIZZERIA DA MARCO
            Inh. M. Rossi
            Goethestr. 5, 80336 München
            Rechnung Nr. 1042
            Datum 02.07.2026  19:22  Tisch 3
            1 Pizza Margherita      9,50
            1 Pizza Tonno          11,50
            2 Spezi                 8,00
            Gesamt             EUR 29,00
            MwSt 19% 4,63 Netto 24,37
            Trinkgeld               7,00
            Bezahlt mit Visa       36,00
            """),
        PaperSample(
            .restaurant, "Café Sperl", 1_390, "2026-09-01", "dining",
            """
            Café Sperl
            Gumpendorfer Straße 11
            1060 Wien

            1 Melange                5,40
            1 Sperl Torte            5,10
            1 Soda Zitron            3,40
            TOTAL EUR               13,90
            Bar                     20,00
            Rückgeld                 6,10
            Bedienung: Tisch 14
            01.09.2026 15:08
            """),
        PaperSample(
            .restaurant, "Sushi Miyabi", 5_270, "2026-05-30", "dining",
            """
            Sushi Miyabi Restaurant
            Rosenthaler Str. 40
            10178 Berlin
            30.05.2026  21:10   Tisch 22
            Gedeck 2
            Sushi Mix gross  2 x 18,90   37,80
            Miso Suppe       2 x  4,50    9,00
            Gruener Tee      1 x  5,90    5,90
            Zu zahlen                    52,70
            enth. MwSt 19 %   8,41
            Es bediente Sie: Yuki
            """),
        PaperSample(
            .restaurant, "Restaurant Falken", 6_840, "2026-06-11", "dining",
            """
            Restaurant Falken
            Marktgasse 8
            3011 Bern
            CHE-123.456.789 MWST
            11.06.2026 12:58 Tisch 5
            2 Rösti              44.00
            1 Flasche Wasser      8.40
            2 Kaffee             10.00
            Total CHF            62.40
            Trinkgeld             6.00
            Kartenzahlung        68.40
            """),
    ]

    static let onTheRoad: [PaperSample] = [
        PaperSample(
            .fuel, "OMV", 6_210, "2026-08-20", "fuel",
            """
            OMV Tankstelle
            Triester Straße 100
            2334 Vösendorf
            20.08.2026 07:12
            Säule 4
            Diesel
            38,14 l  x 1,628 EUR/l
            Summe EUR        62,10
            MwSt 20% 10,35 Netto 51,75
            Bankomat         62,10
            """),
        PaperSample(
            .fuel, "Aral", 5_500, "2026-04-03", "fuel",
            """
            ARAL Tankstelle
            Petra Muster e.K.
            50667 Köln
            Beleg 4711   03.04.2026 18:20
            *Super E10   Zapfsäule 02
            31,45 Liter  1,749 EUR/Liter  55,00 A
            Gesamtbetrag EUR              55,00
            Typ Netto   MwSt   Brutto
            A 19% 46,22 8,78 55,00
            girocard                      55,00
            """),
        PaperSample(
            .fuel, "Avia", 7_333, "2026-02-27", "fuel",
            """
            AVIA Station
            Seestrasse 77
            8002 Zürich
            27.02.2026 09:45
            Bleifrei 95 Benzin
            Liter 41.20
            Preis/Liter 1.780
            Betrag CHF  73.33
            Total CHF   73.33
            inkl. MWST 8.1% 5.49
            """),
        PaperSample(
            .fuel, "Shell", 8_015, "2026-03-15", "fuel",
            """
            Shell Austria
            Station 1133
            Hietzinger Kai 2
            15.03.2026  11:03
            V-Power Diesel      44,90 l
            Einzelpreis 1,785 €/l
            Kraftstoff          80,15
            1 Kaffee gratis      0,00
            GESAMT             € 80,15
            Mastercard         € 80,15
            """),
        PaperSample(
            .parking, "APCOA", 1_240, "2026-07-21", "parking",
            """
            APCOA Parking Austria GmbH
            Garage Votivpark
            Einfahrt  21.07.2026 09:02
            Ausfahrt  21.07.2026 12:44
            Parkdauer 3h 42min
            Parkgebühr EUR 12,40
            inkl. 20% MwSt 2,07
            Bezahlt: Visa
            """),
        PaperSample(
            .parking, "Contipark", 450, "2026-01-18", "parking",
            """
            CONTIPARK
            Tiefgarage Hauptbahnhof
            Kurzparken Beleg Nr 992
            Einfahrt 18.01.26 14:10
            Bezahlt  18.01.26 16:02
            Tarif 1,50 EUR/h
            Parkentgelt            4,50 EUR
            MwSt 19%               0,72 EUR
            Summe                  4,50 EUR
            gegeben                5,00 EUR
            Rückgeld               0,50 EUR
            """),
        PaperSample(
            .parking, "Stadt Innsbruck", 360, "2026-06-06", "parking",
            """
            Stadt Innsbruck
            Parkschein
            Gültig bis 06.06.2026 13:30
            Parkgebühr  3,60 EUR
            Kaufdatum 06.06.2026 11:58
            Automat 2041
            """),
        PaperSample(
            .taxi, "Taxi 40100", 2_730, "2026-08-29", "transit",
            """
            Taxi 40100
            Konzessionär: Adem K.
            W 1234 TX
            Datum 29.08.2026 23:51
            Fahrt Flughafen - Wien 9
            Fahrpreis       EUR 24,70
            Zuschlag             2,60
            Summe           EUR 27,30
            inkl. 10% USt        2,48
            """),
        PaperSample(
            .taxi, "Uber", 1_185, "2026-05-09", "transit",
            """
            Uber
            Danke für deine Fahrt
            9. Mai 2026
            Gesamt              11,85 €
            Fahrpreis           10,85 €
            Buchungsgebühr       1,00 €
            Zahlung Visa        11,85 €
            Fahrer: Ivan
            """),
        PaperSample(
            .taxi, "Taxi Müller", 1_860, "2026-03-22", "transit",
            """
            Taxi Müller
            Quittung
            Fahrgast: privat
            Fahrt von Bahnhof nach Klinik
            Fahrpreis  18,60 EUR
            enth. MwSt 7%  1,22
            22.03.2026  Wagen 12
            """),
    ]
}
