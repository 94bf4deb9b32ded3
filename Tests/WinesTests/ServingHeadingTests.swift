import Recognition
import Testing

@testable import Wines

/// Headings that state the serving or the size of the wines below them.
@Suite(.timeLimit(.minutes(5))) struct ServingHeadingTests {
    @Test func `applies a glass size only to its section, and finds headings in capitals without a gap above`() {
        let entries = WineList.read([
            listPage(
                """
                VINS AU VERRE (15 cl)
                Bourgogne Aligoté, Villaine 2021       9,50 €
                Côtes-du-Rhône, Gramenon 2022          8,00 €
                Rosé de Provence, Roubine 2023         7,50 €
                CHAMPAGNES
                Brut Nature, Drappier                 85,00 €
                Blanc de Blancs, Ruinart             140,00 €
                BLANCS
                Bourgogne
                Saint-Véran, Deux Roches 2021         48,00 €
                Puligny-Montrachet, Sauzet 2019      155,00 €
                ROUGES
                Clos du Marquis, Saint-Julien 2014   120,00 €
                """)
        ])
        #expect(entries.map(\.name).suffix(3) == ["Deux Roches", "Sauzet", "Clos du Marquis"])
        #expect(
            entries.map { $0.prices.first?.serving } == [.glass, .glass, .glass] + Array(repeating: .bottle, count: 5))
        #expect(entries.map { $0.prices.first?.size } == [150, 150, 150] + Array(repeating: nil, count: 5))
        #expect(entries.map(\.color).suffix(5) == [.sparkling, .sparkling, .white, .white, .red])
        #expect(entries[5].region == "Burgund")
    }

    @Test func `does not apply the size of half bottles to magnums below them`() {
        let entries = readList(
            """
            #Half Bottles 375ml
            Sancerre, Henri Bourgeois 2022                    32
            Pomerol, Château Bonalgue 2018                    45
            #Magnums
            Whispering Angel 2022                            130
            Barolo, Giacomo Fenocchio 2017                   180
            """)
        #expect(entries.shownPrices == ["half 375 3200", "half 375 4500", "magnum - 13000", "magnum - 18000"])
    }

    @Test func `does not apply the size of half bottles to wines of a colour below Magnums`() {
        let entries = readList(
            """
            #Half Bottles 375ml
            Sancerre, Henri Bourgeois 2022                    32
            Pomerol, Château Bonalgue 2018                    45
            #Magnums
            RED
            Barolo, Giacomo Fenocchio 2017                   180
            Chianti, Fontodi 2018                            130
            """)
        #expect(entries.flatMap(\.prices).map(\.size) == [375, 375, nil, nil])
    }

    @Test func `reads a half bottle before the name although its price is labelled as a bottle`() {
        let entries = readList(
            """
            Petite Arvine, Chappaz 2022                Bt.   79.–
            Heida, Chanton 2022                        Bt.   68.–
            1/2 Bt. Fendant, Provins 2022              Bt.   24.–
            """)
        #expect(entries.shownPrices == ["bottle - 7900", "bottle - 6800", "half - 2400"])
        #expect(entries.last?.text == "Fendant, Provins 2022")
    }

    @Test func `reads sizes beside a large heading that names the glass`() {
        let entries = readList(
            """
            #Wines by the Glass                     5oz   8oz   Btl
            Albariño, Burgans 2022                  $12   $18   $46
            Grüner Veltliner, Loimer 2022           $13   $20   $50
            Montepulciano, Masciarelli 2021         $11   $17   $42
            """)
        #expect(entries.shownPrices.first == "glass 150 1200, carafe 240 1800, bottle - 4600")
    }

    @Test(arguments: ["#WINES BY THE GLASS", "WINES BY THE GLASS"])
    func `applies a heading of wines by the glass to the colours below it`(title: String) {
        let entries = readList(
            """
            \(title)
            SPARKLING
            Cava, Raventós 2020                                  15
            Champagne, Pierre Gimonnet NV                        26
            WHITE
            Txakoli, Ameztoi 2022                                14
            Sancerre, Vacheron 2022                              22
            RED
            Gamay, Jean Foillard 2021                            21
            Tempranillo, Lopez de Heredia 2015                   19
            BOTTLES
            WHITE
            Chassagne-Montrachet, Pillot 2019                   165
            Mâcon-Verzé, Domaine Leflaive 2018                  110
            """)
        #expect(
            entries.map { $0.prices.map(\.serving) } == Array(repeating: [.glass], count: 6) + [[.bottle], [.bottle]])
        #expect(entries[5].text == "Tempranillo, Lopez de Heredia 2015")
    }

    @Test func `ends the section of wines by the glass at a colour with the prices of bottles`() {
        let entries = readList(
            """
            OFFENE WEINE
            WEISSWEINE
            Grüner Veltliner, Prager            4,50
            Riesling, Hirsch                    5,20
            ROTWEINE
            Zweigelt, Umathum                   4,80
            Blaufränkisch, Moric                6,80
            SCHAUMWEINE
            Sekt Brut, Bründlmayer             42,00
            Champagner, Drappier               95,00
            WEISSWEINE
            Grüner Veltliner, Hirtzberger      48,00
            Riesling, Knoll                    52,00
            """)
        #expect(
            entries.flatMap { $0.prices.map(\.serving) }
                == [.glass, .glass, .glass, .glass, .bottle, .bottle, .bottle, .bottle])
    }

    @Test func `ends the section of wines by the glass at a colour that occurs again`() {
        let entries = readList(
            """
            WINES BY THE GLASS
            WHITE
            Txakoli, Ameztoi 2022                                14
            Sancerre, Vacheron 2022                              22
            RED
            Gamay, Jean Foillard 2021                            21
            Tempranillo, Lopez de Heredia 2015                   19
            WHITE
            Chassagne-Montrachet, Pillot 2019                   165
            Mâcon-Verzé, Domaine Leflaive 2018                  110
            """)
        #expect(
            entries.flatMap { $0.prices.map(\.serving) } == [.glass, .glass, .glass, .glass, .bottle, .bottle])
    }
}
