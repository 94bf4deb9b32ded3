import Testing

@testable import Wines

/// Headings of colours and places below a heading with a size.
@Suite(.timeLimit(.minutes(5))) struct InnerHeadingTests {
    @Test func `keeps the size of magnums below headings of colours`() {
        let list = """
            #MAGNUMS 1,5 l
            WEISS
            Chardonnay Tiglat 2018, Velich                 175,00
            Grüner Veltliner Lamm 2019, Bründlmayer        160,00
            ROT
            Salzberg 2017, Heinrich                        240,00
            Blaufränkisch Marienthal 2016, Triebaumer      210,00
            """
        #expect(
            readServings(list) == [
                "Chardonnay Tiglat 2018, Velich: magnum 1500 17500",
                "Grüner Veltliner Lamm 2019, Bründlmayer: magnum 1500 16000",
                "Salzberg 2017, Heinrich: magnum 1500 24000",
                "Blaufränkisch Marienthal 2016, Triebaumer: magnum 1500 21000",
            ])
        #expect(readList(list).map(\.color) == [.white, .white, .red, .red])
    }

    @Test func `keeps magnums below headings of countries`() {
        let list = """
            MAGNUMS
            FRANCE
            Château Talbot 2010, Saint-Julien              310
            Domaine Tempier Bandol 2018                    180
            ITALY
            Barolo Bussia 2014, Prunotto                   290
            Tignanello 2017, Antinori                      380
            """
        #expect(
            readServings(list) == [
                "Château Talbot 2010, Saint-Julien: magnum - 31000",
                "Domaine Tempier Bandol 2018: magnum - 18000",
                "Barolo Bussia 2014, Prunotto: magnum - 29000",
                "Tignanello 2017, Antinori: magnum - 38000",
            ])
        #expect(readList(list).map(\.country) == ["France", "France", "Italy", "Italy"])
    }

    @Test func `keeps half bottles below headings of colours`() {
        let list = """
            HALF BOTTLES
            White
            Chablis, Louis Michel 2021                     32
            Sancerre, Domaine Vacheron 2021                38
            Red
            Crozes-Hermitage, Alain Graillot 2019          36
            Chianti Classico, Fontodi 2020                 34
            """
        #expect(
            readServings(list) == [
                "Chablis, Louis Michel 2021: half - 3200",
                "Sancerre, Domaine Vacheron 2021: half - 3800",
                "Crozes-Hermitage, Alain Graillot 2019: half - 3600",
                "Chianti Classico, Fontodi 2020: half - 3400",
            ])
        #expect(readList(list).map(\.color) == [.white, .white, .red, .red])
    }

    @Test func `does not apply the size of bottles to magnums below them`() {
        let list = """
            ROTWEIN                    0,75 l
            Zweigelt 2021, Beck         29,00
            Merlot 2020, Kopp           34,00
            MAGNUM
            Barolo 2016, Vietti        190,00
            Chianti 2018, Fontodi      110,00
            SÜSSWEIN                   0,375 l
            Ausbruch 2017, Feiler       58,00
            Eiswein 2018, Kracher       42,00
            """
        #expect(
            readServings(list) == [
                "Zweigelt 2021, Beck: bottle 750 2900",
                "Merlot 2020, Kopp: bottle 750 3400",
                "Barolo 2016, Vietti: magnum - 19000",
                "Chianti 2018, Fontodi: magnum - 11000",
                "Ausbruch 2017, Feiler: half 375 5800",
                "Eiswein 2018, Kracher: half 375 4200",
            ])
    }

    @Test func `ends magnums at a heading of bottles`() {
        let list = """
            MAGNUMS
            RED
            Barolo 2016, Vietti        190,00
            Chianti 2018, Fontodi      110,00
            WHITE
            Chablis 2020, Droin        110,00
            Soave 2021, Pieropan        90,00
            BOTTLES
            RED
            Merlot 2020, Kopp           34,00
            Zweigelt 2021, Beck         29,00
            """
        #expect(
            readServings(list) == [
                "Barolo 2016, Vietti: magnum - 19000",
                "Chianti 2018, Fontodi: magnum - 11000",
                "Chablis 2020, Droin: magnum - 11000",
                "Soave 2021, Pieropan: magnum - 9000",
                "Merlot 2020, Kopp: bottle - 3400",
                "Zweigelt 2021, Beck: bottle - 2900",
            ])
        #expect(readList(list).map(\.color) == [.red, .red, .white, .white, .red, .red])
    }
}
