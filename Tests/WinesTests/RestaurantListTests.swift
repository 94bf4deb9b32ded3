import Recognition
import Testing

@testable import Wines

/// Layouts of restaurant lists other than plain columns of wines.
@Suite(.timeLimit(.minutes(5))) struct RestaurantListTests {
    private func read(_ text: String) -> [String] {
        readList(text).map { entry in
            "\(entry.name): "
                + entry.prices.map { "\($0.serving) \($0.size.map(String.init) ?? "-") \($0.amount)" }
                .joined(separator: ", ")
        }
    }

    @Test func `reads a price before the name`() {
        let entries = read(
            """
            #RED WINE
            45   Muga Reserva Rioja 2019
            52   Catena Alta Mendoza 2020
            68   Vietti Tre Vigne Piedmont 2021
            120  19 Crimes Napa Valley 2017
            """)
        #expect(
            entries == [
                "Muga Reserva Rioja: bottle - 4500", "Catena Alta Mendoza: bottle - 5200",
                "Vietti Tre Vigne Piedmont: bottle - 6800", "19 Crimes Napa Valley: bottle - 12000",
            ])
    }

    @Test func `reads two prices before the name, with a currency`() {
        let entries = WineList.read([
            listPage(
                """
                € 12  € 48  Vermentino, Antinori 2022
                € 14  € 56  Gavi, La Scolca 2021
                € 11  € 44  Pinot Grigio, Felluga 2022
                """)
        ])
        #expect(entries.map { $0.prices.map(\.amount) } == [[1200, 4800], [1400, 5600], [1100, 4400]])
        #expect(entries.allSatisfy { $0.prices.map(\.serving) == [.glass, .bottle] })
        #expect(entries.allSatisfy { $0.prices.allSatisfy { $0.currency == "EUR" } })
    }

    @Test func `does not read the numbers of wines as prices`() {
        let entries = WineList.read([
            listPage(
                """
                21  Chablis, Domaine Fèvre 2020
                22  Sancerre, Vacheron 2021
                23  Meursault, Roulot 2019
                24  Condrieu, Guigal 2020
                """)
        ])
        #expect(entries.allSatisfy { $0.prices.isEmpty })
    }

    @Test func `leaves out beer, liquor and soft drinks`() {
        let entries = read(
            """
            #Biere
            Ottakringer Helles vom Fass       0,5 l    4,90
            #Alkoholfreie Getränke
            Almdudler                         0,33 l   3,80
            Mineralwasser prickelnd           0,75 l   6,50
            #Weine
            Zweigelt Umathum                  0,75 l  34,00
            Sauvignon Sattlerhof              0,75 l  38,00
            #Schnäpse
            Marille Reisetbauer               2 cl     7,50
            """)
        #expect(entries == ["Zweigelt Umathum: bottle 750 3400", "Sauvignon Sattlerhof: bottle 750 3800"])
    }

    @Test func `reads wines below a heading that names wine and beer`() {
        let entries = read(
            """
            #Bier & Wein
            Zweigelt Umathum                  34,00
            Sauvignon Sattlerhof              38,00
            """)
        #expect(entries.count == 2)
    }

    @Test func `reads half bottles in a separate section and beside the name`() {
        let entries = read(
            """
            #HALF BOTTLES
            Sancerre Bourgeois                38
            Chablis Laroche                   34
            #RED
            Chianti Antinori (375 ml)         19
            Amarone Masi (1,5 l)             160
            Barbaresco Gaja                  290
            """)
        #expect(
            entries == [
                "Sancerre Bourgeois: half - 3800", "Chablis Laroche: half - 3400", "Chianti Antinori: half 375 1900",
                "Amarone Masi: magnum 1500 16000", "Barbaresco Gaja: bottle - 29000",
            ])
    }

    @Test func `reads fluid ounces above the prices`() {
        let entries = read(
            """
            #White            6 oz   9 oz   Bottle
            Gavi Scolca         14     20       56
            Soave Pieropan      12     17       48
            Fiano Feudi         13     19       52
            """)
        #expect(entries.first == "Gavi Scolca: glass 180 1400, carafe 270 2000, bottle - 5600")
    }

    @Test func `leaves out mixed drinks and the legend of allergens`() {
        let entries = readList(
            """
            Weine
            Grauburgunder, Kessler 0,2 l       6,50
            Müller-Thurgau, Hagnau 0,2 l       5,90
            Weinschorle 0,25 l                 4,50
            Aperitif
            Weißer Spritzer 0,25 l             3,90
            Aperol Spritz                      7,90
            Kir Royal                          8,50
            A Farbstoff, B Konservierungsstoff, O Sulfite
            """)
        #expect(entries.map(\.text) == ["Grauburgunder, Kessler", "Müller-Thurgau, Hagnau"])
        // `Thurgau` is a part of the grape.
        #expect(entries.map(\.country) == [nil, nil])
    }

    @Test func `reads grapes in brackets as one part of a name`() {
        let entries = readList(
            """
            Antinori, Tignanello (Sangiovese, Cabernet) 2019           150
            Montevetrano (Cabernet, Merlot, Aglianico) 2017             78
            """)
        #expect(entries.map(\.producer) == ["Antinori", nil])
        #expect(
            entries.map(\.name) == [
                "Tignanello (Sangiovese, Cabernet)", "Montevetrano (Cabernet, Merlot, Aglianico)",
            ])
    }

    @Test func `reads rosé in a name below a heading of red wines`() {
        let entries = readList(
            """
            #Red Wines
            Merlot, Santa Rita                5.50    22
            House Rosé, Planeta               5.00    20
            Château La Rose, Pauillac         6.00    24
            #Champagne
            Brut Rosé, Ruinart               16.00    95
            """)
        #expect(entries.map(\.color) == [.red, .rose, .red, .sparkling])
    }

    @Test func `reads a sign for wine without vintage before a comma`() {
        let entries = readList(
            """
            Nyetimber Classic Cuvée NV, Sussex                    68
            Krug Grande Cuvée (NV)                               245
            """)
        #expect(entries.map(\.isNonVintage) == [true, true])
        #expect(entries.map(\.name) == ["Nyetimber Classic Cuvée", "Krug Grande Cuvée"])
    }

    @Test func `reads the last word of a description as a part of the description`() {
        let entries = readList(
            """
            Gavi di Gavi, La Giustiniana 2022             39.00
            Delicate blossom and almond, with a long dry
            finish
            Sauvignon Blanc, Greywacke 2023               46.00
            Passionfruit, gooseberry and fresh herbs
            Malbec, Catena 2021                           38.00
            Dark plum and violet
            """)
        #expect(entries.first?.text == "Gavi di Gavi, La Giustiniana 2022")
    }

    @Test(arguments: ["Impérial Brut", "Le Terre"])
    func `does not read a word of a name above its prices as a misread serving`(name: String) {
        let entries = readList(
            """
            \(name)
            0,1 l 14,00   0,75 l 95,00
            Blanc de Blancs, Ruinart
            0,75 l 145,00
            Cuvée Rosé, Laurent-Perrier
            0,75 l 155,00
            """)
        #expect(entries.shownPrices == ["glass 100 1400, bottle 750 9500", "bottle 750 14500", "bottle 750 15500"])
        #expect(entries.first?.text == name)
    }

    @Test func `removes the letters of allergens from names`() {
        let entries = readList(
            """
            Silvaner, Bürgerspital (O)             5,90           19,50
            Riesling, Horst Sauer (A,O)            6,90           23,50
            Cuvée (S), Schnaitmann                 9,90           37,00
            """)
        #expect(entries.map(\.text) == ["Silvaner, Bürgerspital", "Riesling, Horst Sauer", "Cuvée (S), Schnaitmann"])
    }
}
