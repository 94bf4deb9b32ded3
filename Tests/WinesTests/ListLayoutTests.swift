import Recognition
import Testing

@testable import Wines

/// Lines around the entries of a list: places, notes, remarks, heads of tables, further vintages.
@Suite(.timeLimit(.minutes(5))) struct ListLayoutTests {
    @Test func `reads names that look like headings if their prices are in the next line`() {
        let entries = readList(
            """
            Pinot Grigio
            28,00

            Rosso di Montalcino
            36,00

            Chablis, Fèvre 2020
            48,00
            """)
        #expect(entries.map(\.text) == ["Pinot Grigio", "Rosso di Montalcino", "Chablis, Fèvre 2020"])
        #expect(entries.map { $0.prices.map(\.amount) } == [[2800], [3600], [4800]])
    }

    @Test func `reads further vintages below a wine`() {
        let entries = readList(
            """
            Château Margaux, Grand Vin 2009    850
                                       2010    890
                                       2015    780
            Château Palmer, Alter Ego 2012      95
            """)
        #expect(
            entries.map(\.text) == [
                "Château Margaux, Grand Vin 2009", "Château Margaux, Grand Vin 2010", "Château Margaux, Grand Vin 2015",
                "Château Palmer, Alter Ego 2012",
            ])
        #expect(entries.map(\.vintage) == [2009, 2010, 2015, 2012])
        #expect(entries.map { $0.prices.map(\.amount) } == [[85_000], [89_000], [78_000], [9_500]])
    }

    @Test func `reads places in capitals between the entries as headings`() {
        let entries = readList(
            """
            #Rotweine
            BORDEAUX
            Château Palmer, Alter Ego 2012      95
            Château Batailley 2015              88
            TOSKANA
            Antinori, Tignanello 2018          140
            Fontodi, Flaccianello 2019         125
            Felsina, Fontalloro 2018           110
            """)
        #expect(entries.map(\.region) == ["Bordeaux", "Bordeaux", "Toskana", "Toskana", "Toskana"])
        #expect(entries.map(\.country) == ["France", "France", "Italy", "Italy", "Italy"])
        #expect(entries.allSatisfy { $0.color == .red })
        #expect(entries[1].text == "Château Batailley 2015")
    }

    @Test func `reads places above several entries as headings`() {
        let entries = readList(
            """
            Burgund
            Louis Fèvre, Montmains 2020    48
            Rémy Dauvissat, Forest 2019    92
            Michel Lafarge, Clos 2018      98
            Loire
            Vacheron, Romains 2021         46
            Baudry, Les Grézeaux 2020      38
            Huet, Le Mont 2019             52
            """)
        #expect(entries.map(\.region) == ["Burgund", "Burgund", "Burgund", "Loire", "Loire", "Loire"])
        #expect(entries[2].text == "Michel Lafarge, Clos 2018")
    }

    @Test func `reads a short line with a gap above it as a heading`() {
        let entries = readList(
            """
            Naturweine
            Gut Oggau, Theodora 2021          42
            Claus Preisinger, Puszta 2020     36
            Judith Beck, Ink 2021             34
            Meinklang, Konkret 2019           48

            Raritäten
            Velich, Tiglat 2015               95
            Umathum, Hallebühl 2012           88
            Moric, Lutzmannsburg 2011        130
            Prieler, Goldberg 2009           140
            """)
        #expect(entries.count == 8)
        #expect(entries.first?.text == "Gut Oggau, Theodora 2021")
        #expect(entries[4].text == "Velich, Tiglat 2015")
    }

    @Test func `an unknown heading among other drinks does not begin a section of wines`() {
        let entries = readList(
            """
            Weine
            Zweigelt, Umathum 2021            34
            Sauvignon, Sattlerhof 2022        38
            Gemischter Satz, Wieninger 2022   29
            Blaufränkisch, Moric 2019         44
            Traminer, Fischer 2021            36
            Neuburger, Beck 2021              33

            Biere
            Ottakringer Helles              4,90
            Trumer Pils                     5,20
            Hirter Märzen                   5,10

            Hausgemachtes
            Holunder gespritzt              4,50
            Ingwer gespritzt                4,80
            Zitrone gespritzt               4,60
            """)
        #expect(entries.count == 6)
    }

    @Test func `reads the place of each entry in its second line`() {
        let entries = readList(
            """
            Louis Fèvre, Montmains 2020    48
            Burgund
            Vacheron, Romains 2021         46
            Loire
            Heinrich, Pannobile 2019       39
            Burgenland
            """)
        #expect(entries.map(\.region) == ["Burgund", "Loire", "Burgenland"])
        #expect(entries[0].text == "Louis Fèvre, Montmains 2020 Burgund")
    }

    @Test func `leaves out remarks and heads of tables, and reads their currency`() {
        let entries = readList(
            """
            #Weißweine
            Wein                  Jahrgang    Preis
            Gavi, La Scolca         2021      38
            Soave, Pieropan         2022      34
            Lugana, Zenato          2022      31
            Alle Preise in CHF inkl. MwSt.
            """)
        #expect(entries.map(\.text) == ["Gavi, La Scolca 2021", "Soave, Pieropan 2022", "Lugana, Zenato 2022"])
        #expect(entries.allSatisfy { $0.prices.map(\.currency) == ["CHF"] && $0.color == .white })
    }

    @Test(arguments: ["Seite 3", "          3", "Page 3 / 12", "Tel. 01 234 56 78", "Coperto      3,50"])
    func `leaves out page numbers, telephone numbers and other charges`(line: String) {
        let entries = readList(
            """
            Gavi, La Scolca 2021              38
            Soave, Pieropan 2022              34

            \(line)
            """)
        #expect(entries.map(\.text) == ["Gavi, La Scolca 2021", "Soave, Pieropan 2022"])
        #expect(entries.map { $0.prices.map(\.amount) } == [[3800], [3400]])
    }

    @Test func `leaves out descriptions below the names`() {
        let entries = readList(
            """
            Riesling Smaragd, Prager 2020            52
            saftig und kraftvoll, mit feiner Säure
            Pannobile, Heinrich 2019                 34
            aus zweigelt und blaufränkisch, weich und rund
            Leithaberg, Prieler 2018                 39
            kühl und straff, mit langem Abgang
            """)
        #expect(
            entries.map(\.text) == [
                "Riesling Smaragd, Prager 2020", "Pannobile, Heinrich 2019", "Leithaberg, Prieler 2018",
            ])
        #expect(entries.map(\.grape) == ["Riesling", "Zweigelt", nil])
    }

    @Test func `reads sizes in the second line and in the name`() {
        let entries = readList(
            """
            Riesling Kabinett, Weil             38,00
            Rheingau, 0,75 l
            Tignanello 1,5 l 2018, Antinori    260,00
            Toskana
            Barolo, Vietti 2018                160,00
            Piemont, 1,5 l
            """)
        #expect(entries.shownPrices == ["bottle 750 3800", "magnum 1500 26000", "magnum 1500 16000"])
        #expect(entries.map(\.region) == ["Rheingau", "Toskana", "Piemont"])
        #expect(entries[1].text == "Tignanello 2018, Antinori Toskana")
    }

    @Test func `applies the heads of two price columns to the next page`() {
        let first = listPage(
            """
            #Weißweine              0,1 l   0,75 l
            Gavi, La Scolca          6,50    38,00
            Soave, Pieropan          5,50    34,00
            """)
        let second = listPage(
            """
            #Rotweine
            Merlot, Planeta          5,90    29,00
            Barbera, Vietti          6,90    36,00
            """)
        let entries = WineList.read([first, second])
        #expect(entries.count == 4)
        #expect(entries.allSatisfy { $0.prices.map(\.size) == [100, 750] })
    }

    @Test func `reads bin numbers after a sign`() {
        let entries = readList(
            """
            Nr. 101  Chablis, Fèvre 2020         48
            Nr. 102  Sancerre, Vacheron 2021     46
            Nr. 104  Meursault, Roulot 2019     120
            """)
        #expect(entries.map(\.bin) == ["101", "102", "104"])
        #expect(entries[0].text == "Chablis, Fèvre 2020")
    }

    @Test func `applies the heading Magnum to its section`() {
        let entries = readList(
            """
            #ROTWEIN
            Barolo, Vietti 2018           95
            Merlot, Planeta 2020          29

            #MAGNUM
            Barolo, Vietti 2016          190
            Chianti, Antinori 2019        80

            #SÜSSWEIN
            Tokaji, Oremus 2015           62
            """)
        #expect(
            entries.shownPrices == [
                "bottle - 9500", "bottle - 2900", "magnum - 19000", "magnum - 8000", "bottle - 6200",
            ])
    }

    @Test(arguments: [
        ("Vins d’Alsace", "France"), ("Vallée du Rhône", "France"), ("Vini della Toscana", "Italy"),
        ("Wines of Italy", "Italy"),
    ])
    func `ignores articles and prepositions in headings`(heading: String, country: String) {
        let reading = ListSection.read(heading)
        #expect(reading.share == 1000)
        #expect(reading.section.country == country)
    }

    @Test func `leaves out strengths before a comma, and descriptions in lower case`() {
        let entries = readList(
            """
            Amarone 2017, Masi, 15,0 % vol., Corvina        89,00
            Lugana 2020, Zenato, 13,5% vol, Trebbiano       46,00
            Hochgrassnitzberg 2020, Weingut Polz            58,00
            Reife Stachelbeere, salzig und lang
            """)
        #expect(
            entries.map(\.text) == [
                "Amarone 2017, Masi, Corvina", "Lugana 2020, Zenato, Trebbiano",
                "Hochgrassnitzberg 2020, Weingut Polz",
            ])
    }
}
