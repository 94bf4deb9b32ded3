import DocumentParsing
import Domain
import Recognition
import Testing

/// The choice of the amount paid among the amounts of a document.
@Suite(.timeLimit(.minutes(1))) struct PaperTotalTests {
    /// - Parameter second: words of the first engine, each with the word that the second engine read instead.
    private static func totals(_ text: String, second: [String: String] = [:]) -> [Int64] {
        var document = Layout.document(text)
        for line in document.pages[0].lines.indices {
            document.pages[0].lines[line].secondEngineWords = document.pages[0].lines[line].words.map { word in
                var word = word
                word.text = second[word.text] ?? word.text
                return word
            }
        }
        return PaperReading(document, asOf: Layout.today).totals.map(\.value)
    }

    @Test func `takes the rest after a prepayment, even if the whole bill is printed several times`() {
        let totals = Self.totals(
            """
            Magenta
            Internet 250 Mbit   1   160,29   160,29
            Nettobetrag   133,57 EUR
            zzgl. 20 % USt   26,72 EUR
            Bruttobetrag   160,29 EUR
            abzüglich Anzahlung   -64,11 EUR
            Restbetrag zu zahlen   96,18 EUR
            Zahlbar bis 23.03.2025
            """)
        #expect(totals.first == 9_618 && totals.contains(16_029))
    }

    @Test func `takes the rest after a prepayment, even if a digit of the prepayment was misread`() {
        let totals = Self.totals(
            """
            EVN
            Netznutzung   444,74 €
            Summe netto   444,74 €
            zzgl. 20 % MwSt.   88,95 €
            Total   533,69 €
            abzüglich Anzahlung   -248,47 €
            Restbetrag zu zahlen   320,22 €
            """)
        #expect(totals.first == 32_022 && totals.contains(53_369))
    }

    @Test func `takes the additional payment of a yearly bill, not the bill or the next instalment`() {
        let totals = Self.totals(
            """
            Stadtwerke Lindenau
            Nettobetrag   1.036,97
            19 % USt   197,03
            Rechnungsbetrag brutto   1.234,00
            abzüglich geleistete Abschläge   -1.100,00
            Nachzahlung   134,00
            Ihr neuer Abschlag   105,00 monatlich
            """)
        #expect(totals.first == 13_400)
    }

    @Test(arguments: [
        (
            "Hilton\n1 Zimmer 270  5  216.00  1.080.00\nZwischensumme  1.001.82\n10 % MwSt.  100.18\n"
                + "Gesamtbetrag  1.102.00", 110_200
        ),
        ("Hôtel\nChambre  1 250,00\nTotal HT  1 136,36\nTVA 10 %  113,64\nTotal TTC  1 250,00 €", 125_000),
        ("Cantina\nTotal  12,345,67", 1_234_567),
    ])
    func `reads amounts whose thousands separator is a blank or equals the decimal separator`(
        text: String, expected: Int64
    ) {
        #expect(Self.totals(text).first == expected)
    }

    @Test func `does not read a date or a number with points as an amount`() {
        #expect(Self.totals("Kiosk\nRechnung 12.345.67.8\n24.12.25\nTotal  9,90").first == 990)
    }

    @Test func `reads a label that only one of the engines has read`() {
        let totals = Self.totals(
            """
            Zum Goldenen Anker
            Pommes   87.50
            Gesamtbetrag CHF   87.50
            inkl. 2.6% MwSt   2.22
            Tlp:   7.50
            Gosamt innl. Trinkreld:   95.00
            """, second: ["Tlp:": "Tip:", "innl.": "inkl.", "Trinkreld:": "Trinkgeld:"])
        #expect(totals.first == 9_500 && totals.contains(8_750))
    }

    @Test func `takes the bill with its tip, even if the bill is printed larger and with its tax`() {
        let totals = Self.totals(
            """
            Bistro Le Canard
            1 Bière pression   22,70
            Crème brûlée   10,19
            Total TTC:   32,89 EUR
            HT   29,90
            TVA 10%   2,99
            Pourboire:   4,11
            Munaant payé:   37,00
            """)
        #expect(totals.first == 3_700)
    }

    @Test func `takes the total whose label mentions the tip, even if the tip was misread`() {
        let totals = Self.totals(
            """
            Krone Seeblick
            2 Pizza Tonno   34.00
            1 Rostbraten   18.80
            Rechnungsbetrag   52.80 €
            oIP:   1.70
            Gesamt inkl. Trinkgeld:   60.50
            """)
        #expect(totals.first == 6_050 && totals.contains(5_280))
    }

    @Test(arguments: ["43,00", "43,0", "43,"])
    func `takes the total below a tip that is illegible`(_ paid: String) {
        let totals = Self.totals(
            """
            Akakiko
            Pommes
              2 x 19,49   38,98
            Endbetrag   38,98 EUR
            inkl. 10% MwSt   3,54
            Tip:
            Gesamtbetrag:   \(paid)
            Unterschrift:
            """)
        #expect(totals.first == 4_300 && totals.contains(3_898))
    }

    @Test(arguments: ["Gesamt inkl. Trinkgeld: 100", "Total:"])
    func `adds the tip to the bill if the total below is illegible`(_ end: String) {
        let totals = Self.totals(
            """
            Gasthaus Lang
            3 Burger Classic   75,87
            2 Backhendlsalat   51,07
            Gesamtbetrag   126,94 €
            TIP:   13,06
            \(end)
            """)
        #expect(totals.first == 14_000 && totals.contains(12_694))
    }

    @Test(arguments: ["Vielen Dank", "Total:   75,87"])
    func `does not add a tip if no total follows it, or only the total without the tip`(_ end: String) {
        let totals = Self.totals("Gasthaus Lang\nBurger   75,87\nGesamtbetrag   75,87 €\nTIP:   7,00\n\(end)")
        #expect(totals.first == 7_587)
    }

    @Test func `takes the bill, not the total for one of several suggested tips`() {
        let totals = Self.totals(
            """
            Diner
            Burger   20.00
            Subtotal   20.00
            Tax   1.60
            Total   21.60
            18% Tip 3.89 Total 25.49
            20% Tip 4.32 Total 25.92
            25% Tip 5.40 Total 27.00
            """)
        #expect(totals.contains(2_160) && totals.first != 2_700)
    }

    @Test func `prefers the amount that includes the printed tax if the engines disagree`() {
        let text = "Taxi Schneider\nFahrpreis EUR:   28,50\ninkl. 10% MwSt   2,41"
        #expect(Self.totals(text, second: ["28,50": "26,50"]).first == 2_650)
        #expect(Self.totals(text.replacing("2,41", with: "2,59"), second: ["28,50": "26,50"]).first == 2_850)
    }

    @Test func `uses the decimal mark that only one engine has read`() {
        let totals = Self.totals("Uber\nFahrpreis CHF:   14.00\ninkl. 2.6% MwSt", second: ["14.00": "1400"])
        #expect(totals.first == 1_400 && !totals.contains(140_000))
    }

    @Test func `corrects a digit of the total that net amount, tax and rate contradict`() {
        let totals = Self.totals(
            "Krone\n1 Melange   25,00\n2 Torte   5,00\nTotal EUR   80,00\nNetto   27,27\n10% USt   2,73")
        #expect(totals.first == 3_000 && totals.contains(8_000))
    }

    @Test func `does not correct a small total that fits the printed tax`() {
        let totals = Self.totals(
            "Apotheke\nAugentropfen   4.00\nGesamt: CHF   4.00\ninkl. 2.6% MwSt   0.10\nKartenzahlung CHF   4.00")
        #expect(totals.first == 400 && !totals.contains(410))
    }

    @Test func `restores the lost comma of a tip, and adds the tip to the bill`() {
        let totals = Self.totals(
            """
            Gasthaus Lang
            1 Espresso   2,90
            2 Schnitzel   32,40
            Gesamt:   35,30 EUR
            10%   32,09   3,21   35,30
            Tip:   170
            Total:   37,00
            """)
        #expect(totals.first == 3_700)
    }

    @Test func `does not correct a total only because the change implies another`() {
        let totals = Self.totals(
            """
            Ristorante
            1 Birra   14,80
            Tiramisù   20,09
            COPERTO   2,50
            Acqua   3,00
            TOTALE   40,39 €
            CONTANTI   50,00 €
            RESTO   8,61 €
            """)
        #expect(totals.first == 4_039 && !totals.contains(4_139))
    }

    @Test(arguments: [
        ("Bar\n2 Tapas  14,00\n1 Vino  7,00\nIVA 10%  1,91\nTotal  21,00\nPropina  2,10\nA pagar  23,10", 2_310),
        ("Eetcafé\nKoffie  6,00\nLunch  12,50\nTe betalen €  18,50\nContant  20,00\nWisselgeld  1,50", 1_850),
        ("Restauracja\nPierogi  30,00\nKawa  16,00\nSUMA PLN  46,00\nGotówka  50,00\nReszta  4,00", 4_600),
        ("Hospoda\nGuláš  380,00\nPivo  70,00\nCelkem  450,00 Kč\nHotovost  500,00\nVráceno  50,00", 45_000),
        ("Konoba\nRiba  22,00\nVino  9,00\nUKUPNO EUR  31,00\nGotovina  40,00\nPovrat  9,00", 3_100),
        (
            "Krog\nBiff  210,00\nKaffe  40,00\nAtt betala  250,00\nMoms 12%  26,79\nKontant  300,00\nVäxel  50,00",
            25_000
        ),
    ])
    func `reads the words for the total in other languages`(text: String, expected: Int64) {
        #expect(Self.totals(text).first == expected)
    }
}
