import Recognition
import Testing

@testable import Wines

/// Reads a list. Returns each entry as `name: serving millilitres price, …`, with `-` for an unknown size.
func readServings(_ text: String) -> [String] {
    readList(text).map { entry in
        "\(entry.text): "
            + entry.prices.map { "\($0.serving) \($0.size.map(String.init) ?? "-") \($0.amount)" }
            .joined(separator: ", ")
    }
}

/// Forms in which restaurants print sizes and servings.
@Suite(.timeLimit(.minutes(5))) struct PrintedServingTests {
    @Test func `leaves out words that connect a name with a serving`() {
        let entries = readServings(
            """
            Chardonnay, Velich   per glass 8 / bottle 41
            Zweigelt, Heinrich   per glass 5 / bottle 26
            """)
        #expect(
            entries == [
                "Chardonnay, Velich: glass - 800, bottle - 4100", "Zweigelt, Heinrich: glass - 500, bottle - 2600",
            ])
    }

    @Test func `reads servings after their prices`() {
        let entries = readServings(
            """
            Gavi, La Scolca      9 € Glas    38 € Flasche
            Soave, Pieropan      8 € Glas    34 € Flasche
            """)
        #expect(
            entries == ["Gavi, La Scolca: glass - 900, bottle - 3800", "Soave, Pieropan: glass - 800, bottle - 3400"])
    }

    @Test(arguments: [("Glas/Flasche", "glass - 900, bottle - 3800"), ("0,1l/0,75l", "glass 100 900, bottle 750 3800")])
    func `reads column heads separated by a slash`(heads: String, prices: String) {
        let entries = readServings(
            """
            Weißweine               \(heads)
            Gavi, La Scolca            9     38
            Soave, Pieropan            8     34
            Lugana, Zenato             7     31
            """)
        #expect(entries.first == "Gavi, La Scolca: \(prices)")
        #expect(entries.count == 3)
    }

    @Test func `reads half bottles and whole bottles as fractions`() {
        let entries = readServings(
            """
            Chianti, Antinori    1/2 Fl.  19,00
            Amarone, Masi        1/1 Fl.  88,00
            """)
        #expect(entries == ["Chianti, Antinori: half - 1900", "Amarone, Masi: bottle - 8800"])
    }

    @Test func `reads a fraction of a litre and its unit in one word`() {
        let entries = readServings(
            """
            Zweigelt vom Haus    1/2l    14,50
            Veltliner vom Haus   1/4l     7,50
            """)
        #expect(entries == ["Zweigelt vom Haus: carafe 500 1450", "Veltliner vom Haus: carafe 250 750"])
    }

    @Test func `reads the price after a size in centilitres`() {
        let entries = readServings(
            """
            Sancerre, Vacheron   14 cl 7,50
            Chablis, Fèvre       16 cl 7,50
            """)
        #expect(entries == ["Sancerre, Vacheron: glass 140 750", "Chablis, Fèvre 16 cl: bottle - 750"])
    }

    @Test func `reads units before the number`() {
        let entries = readServings(
            """
            Chianti Classico, Antinori    cl 75   € 28,00
            Barolo, Vietti                lt. 1,5  € 160,00
            """)
        #expect(
            entries == ["Chianti Classico, Antinori: bottle 750 2800", "Barolo, Vietti: magnum 1500 16000"])
    }

    @Test func `reads colons after servings and sizes`() {
        let entries = readServings(
            """
            Sancerre, Vacheron    Verre 12cl : 7 € / Bouteille : 38 €
            Riesling, Prager      0,1l: 6,50 / 0,75l: 39,00
            """)
        #expect(
            entries == [
                "Sancerre, Vacheron: glass 120 700, bottle - 3800", "Riesling, Prager: glass 100 650, bottle 750 3900",
            ])
    }

    @Test func `reads a decilitre without a number, and francs with a dash`() {
        let entries = readServings(
            """
            Fendant, Provins     dl 6.50    Fl. 45.–
            Dôle, Rouvinez       dl 7.00    Fl. 48.–
            """)
        #expect(
            entries == [
                "Fendant, Provins: glass 100 650, bottle - 4500", "Dôle, Rouvinez: glass 100 700, bottle - 4800",
            ])
    }

    @Test func `reads a unit or a serving after a price and a slash`() {
        let entries = readServings(
            """
            Fendant, Provins     6.50/dl    45.–/Fl.
            Dôle, Rouvinez       7.00/dl    48.–/Fl.
            Heida, Chanton       8.00/dl    56 CHF/Fl.
            """)
        #expect(
            entries == [
                "Fendant, Provins: glass 100 650, bottle - 4500", "Dôle, Rouvinez: glass 100 700, bottle - 4800",
                "Heida, Chanton: glass 100 800, bottle - 5600",
            ])
    }

    @Test func `reads a magnum before its price`() {
        let entries = readServings(
            """
            Barolo, Vietti 2015 Magnum ....    180
            Barolo, Vietti 2018                 95
            """)
        #expect(entries == ["Barolo, Vietti 2015: magnum - 18000", "Barolo, Vietti 2018: bottle - 9500"])
    }

    @Test func `reads column heads in brackets in a row of their own`() {
        let entries = readList(
            """
            WHITE WINE
            (175ml / 250ml / bottle)
            Sauvignon Blanc, Tokomaru Bay    7.5 / 10 / 29
            Chenin Blanc, Franschhoek        6.5 / 8.5 / 25
            """)
        #expect(entries.map(\.text) == ["Sauvignon Blanc, Tokomaru Bay", "Chenin Blanc, Franschhoek"])
        #expect(
            entries.shownPrices == [
                "glass 175 750, carafe 250 1000, bottle - 2900", "glass 175 650, carafe 250 850, bottle - 2500",
            ])
    }

    @Test func `reads 0.35 l as a half bottle`() {
        let entries = readList("Aigle Les Murailles, Badoux   3.5dl 28.00\nDôle, Gilliard                3.5dl 24.00")
        #expect(entries.shownPrices == ["half 350 2800", "half 350 2400"])
    }

    @Test func `reads sizes before the same number of prices`() {
        let entries = readServings(
            """
            Veltliner DAC 2022, Türk         0,125l/0,75l 4,90/29,00
            Riesling Urgestein 2021, Salomon 0,125l/0,75l 5,60/33,00
            """)
        #expect(
            entries == [
                "Veltliner DAC 2022, Türk: glass 125 490, bottle 750 2900",
                "Riesling Urgestein 2021, Salomon: glass 125 560, bottle 750 3300",
            ])
    }

    @Test func `reads stars between the parts of a line`() {
        let entries = WineList.read([
            listPage(
                """
                Veltliner * Weingut Bründlmayer * 2022      0,125 l 5,50 * 0,75 l 31,00
                Riesling * Weingut Loimer * 2021            0,125 l 6,20 * 0,75 l 36,00
                """)
        ])
        #expect(entries.map { $0.prices.map(\.amount) } == [[550, 3100], [620, 3600]])
        #expect(entries.map { $0.prices.map(\.size) } == [[125, 750], [125, 750]])
        #expect(entries.map(\.name) == ["Weingut Bründlmayer", "Weingut Loimer"])
    }

    @Test func `reads names of large bottles`() {
        let entries = readServings(
            """
            Dom Pérignon, Moët 2008    Magnum           890
            Grande Cuvée, Krug         Jeroboam 3 l    2400
            Talbot, Cordier 2010       Double Magnum    680
            """)
        #expect(
            entries == [
                "Dom Pérignon, Moët 2008: magnum - 89000", "Grande Cuvée, Krug: magnum 3000 240000",
                "Talbot, Cordier 2010: magnum - 68000",
            ])
    }

    @Test func `reads words for sizes between the prices`() {
        let glasses = readList(
            """
            House White        small 4.50   medium 6.00   large 8.50   bottle 23.00
            Rioja Blanco       small 5.00   medium 6.75   large 9.00   bottle 26.00
            Picpoul            small 5.25   medium 7.00   large 9.50   bottle 28.00
            """)
        #expect(glasses.map(\.text) == ["House White", "Rioja Blanco", "Picpoul"])
        #expect(glasses.shownPrices.first == "glass - 450, glass - 600, glass - 850, bottle - 2300")
        let liters = readList(
            """
            Hauswein weiß                         Viertel 5,50   Halber Liter 10,50   Liter 20,00
            Müller-Thurgau, WG Hagnau             Viertel 6,20   Halber Liter 12,00   Liter 23,00
            Trollinger, Felsengartenkellerei      Viertel 5,80   Halber Liter 11,20   Liter 21,50
            """)
        #expect(liters.map(\.text).last == "Trollinger, Felsengartenkellerei")
        #expect(liters.shownPrices.first == "carafe - 550, carafe 500 1050, bottle 1000 2000")
    }

    @Test func `keeps a word for a size that is a part of a name`() {
        let entries = readList(
            """
            Clos Grand                          45
            Domaine du Petit                    39
            """)
        #expect(entries.map(\.text) == ["Clos Grand", "Domaine du Petit"])
    }

    @Test func `keeps words for sizes that are parts of names in two columns of wines`() {
        let entries = readList(
            """
            Clos du Petit 39               Domaine Grand 45
            Clos du Grand 38               Domaine Petit 44
            Clos du Bois 37                Domaine Bas 43
            """)
        #expect(
            entries.map(\.text) == [
                "Clos du Petit", "Clos du Grand", "Clos du Bois", "Domaine Grand", "Domaine Petit", "Domaine Bas",
            ])
    }
}
