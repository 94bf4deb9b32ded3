import Testing

@testable import Wines

/// Headings that name a kind of wine.
@Suite(.timeLimit(.minutes(5))) struct KindHeadingTests {
    @Test func `finds a colour beside other kinds of wine as a heading`() {
        let entries = WineList.read([
            listPage(
                """
                Weißwein
                Riesling Klaus, Prager 2021              78
                Neuburger, Gritsch 2022                  38
                Zierfandler, Stadlmann 2021              36
                Rosé
                Schilcher, Langmann 2022                 29
                Heideboden, Pittnauer 2022               27
                """)
        ])
        #expect(entries.map(\.color) == [.white, .white, .white, .rose, .rose])
        #expect(entries[2].text == "Zierfandler, Stadlmann 2021")
    }

    @Test func `finds headings of bottle sizes, and of colours with a place, without a gap above them`() {
        let sizes = WineList.read([
            listPage(
                """
                Halbe Flaschen
                Chablis, William Fèvre 2021                 28,00
                Chianti, Querciabella 2020                  26,00
                Magnumflaschen
                Barolo, Pio Cesare 2016                    190,00
                Tignanello, Antinori 2017                  340,00
                """)
        ])
        #expect(sizes.flatMap { $0.prices.map(\.serving) } == [.half, .half, .magnum, .magnum])
        let colors = WineList.read([
            listPage(
                """
                BOURGOGNE BLANC
                Montmains, W. Fèvre 2020                    78 €
                Les Tillets, P. Javillier 2019             125 €
                BOURGOGNE ROUGE
                Les Perrières, D. Mortet 2018              145 €
                Santenots, Comtes Lafon 2017               190 €
                """)
        ])
        #expect(colors.map(\.color) == [.white, .white, .red, .red])
    }

    @Test func `ends sparkling wine at a heading that names only wine`() {
        let entries = readList(
            """
            CAVA Y CHAMPAGNE
            Juvé y Camps Reserva                     24,00
            Moët et Chandon Brut                     65,00

            VINO DE LA CASA
            Tempranillo Crianza 2020                 12,00
            Verdejo Cosecha 2022                     13,00
            """)
        #expect(entries.map(\.color) == [.sparkling, .sparkling, .red, .white])
        #expect(entries.map(\.country).suffix(2) == [nil, nil])
    }

    @Test func `keeps sweet wine below a heading whose kind of wine is unknown`() {
        let entries = readList(
            """
            #Süßweine
            Ruster Ausbruch, Feiler 2018             69,00
            Beerenauslese, Kracher 2019              49,00

            #Eisweine
            Riesling, Prager 2018                    89,00
            Neuburger, Gritsch 2019                  59,00
            """)
        #expect(entries.map(\.color) == [.sweet, .sweet, .sweet, .sweet])
    }

    @Test func `keeps sparkling wine below the title of the list on the next page`() {
        let entries = WineList.read([
            listPage(
                """
                CARTE DES VINS

                CHAMPAGNE
                Grande Année, Bollinger 2014             190,00
                Comtes, Taittinger 2012                  210,00
                """),
            listPage(
                """
                CARTE DES VINS

                Belle Époque, Perrier 2014               180,00
                Cuvée Louise, Pommery 2005               170,00
                """),
        ])
        #expect(entries.map(\.color) == [.sparkling, .sparkling, .sparkling, .sparkling])
    }

    @Test func `leaves out glasses that accompany a menu`() {
        let entries = WineList.read([
            listPage(
                """
                Weinbegleitung
                4 Gläser                     32,00
                6 Gläser                     45,00
                """)
        ])
        #expect(entries.isEmpty)
    }

    @Test func `reads a designation of origin below a name as its second line`() {
        let entries = WineList.read([
            listPage(
                """
                Les Vignes, Ganevat 2020                48
                Vin de France
                Cuvée Marie, Overnoy 2018               95
                Le Telquel, Puzelat 2021                34
                Tignanello, Antinori 2019              145
                Sassicaia, San Guido 2018              320
                """)
        ])
        #expect(entries.map(\.country) == ["France", nil, nil, nil, nil])
        #expect(entries.first?.text == "Les Vignes, Ganevat 2020 Vin de France")
    }

    @Test func `finds a heading that names only wine, and leaves out water above it`() {
        let entries = WineList.read([
            listPage(
                """
                Almdudler                             0,33 l   3,80
                Mineralwasser                         0,75 l   6,50
                Weine
                Grauburgunder, Salwey                 0,2 l    6,20
                Spätburgunder, Huber                  0,2 l    7,50
                """)
        ])
        #expect(entries.map(\.text) == ["Grauburgunder, Salwey", "Spätburgunder, Huber"])
    }

    @Test func `determines the colour of a wine below a heading of several colours by its name or grape`() {
        let entries = readList(
            """
            #Sparkling & Rosé
            Crémant Brut Rosé, Albrecht NV           56
            Mirabelle Brut, Schramsberg NV           68
            Miraval Rosé 2022                        60
            #Rot- und Weißweine
            Riesling, Prager 2021                    48
            Blaufränkisch, Moric 2020                44
            Pannobile, Beck 2019                     39
            #Champagne Rosé
            Brut Rosé, Ruinart                       95
            """)
        #expect(entries.map(\.color) == [.sparkling, .sparkling, .rose, .white, .red, .red, .sparkling])
    }

    @Test func `finds a region with a colour as a heading, without a gap above it`() {
        let entries = readList(
            """
            Bordeaux Rouge
            Château Phélan Ségur, Saint-Estèphe 2015          95
            Château Gruaud Larose, Saint-Julien 2010         165
            Bourgogne Blanc
            Saint-Véran, Domaine Corsin 2020                  48
            Les Referts, Carillon 2019                       145
            """)
        #expect(entries.map(\.color) == [.red, .red, .white, .white])
        #expect(entries.last?.region == "Burgund")
    }

    @Test(arguments: ["", "#"])
    func `ends the colour of sparkling wines at a heading of bottled wines`(size: String) {
        let entries = readList(
            """
            \(size)CHAMPAGNER
            Brut, Ruinart                       95,00
            Brut Rosé, Drappier                 85,00
            \(size)FLASCHENWEINE
            Loibenberg, Prager 2021             48,00
            Pannobile, Beck 2019                39,00
            """)
        #expect(entries.map(\.color) == [.sparkling, .sparkling, nil, nil])
    }

    @Test(arguments: ["#Rosé & Sparkling", "#Sparkling & Rosé"])
    func `reads sparkling rosé below a heading with both colours as sparkling`(title: String) {
        let entries = readList(
            """
            \(title)
            Crémant Rosé, Albrecht                   56
            Miraval Rosé 2022                        60
            Brut Rosé, Ruinart                       95
            """)
        #expect(entries.map(\.color) == [.sparkling, .rose, .sparkling])
    }

    @Test func `reads a region with a colour below wines as their second line`() {
        let entries = readList(
            """
            Château Phélan Ségur 2015          95
            Bordeaux Rouge
            Les Referts, Carillon 2019        145
            Gruaud Larose 2010                165
            Bourgogne Blanc
            Viña Ardanza 2015                  45
            Les Crays, Denogent 2021           68
            Bourgogne Blanc
            """)
        #expect(entries.map(\.region) == ["Bordeaux", nil, "Burgund", nil, "Burgund"])
        #expect(entries.map(\.color) == [.red, nil, .white, nil, .white])
    }

    @Test func `distinguishes rosé, sparkling rosé and names with Rose below headings of several colours`() {
        let entries = readList(
            """
            #Rouges & Rosés
            Château La Rose, Pomerol 2018               95
            Miraval Rosé 2022                           60
            #Red, White & Sparkling
            Crémant Rosé, Albrecht                      62
            """)
        #expect(entries.map(\.color) == [.red, .rose, .sparkling])
    }
}
