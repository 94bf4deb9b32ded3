import Recognition
import Testing

@testable import Wines

/// Entries of several lines that are separated by gaps.
@Suite(.timeLimit(.minutes(5))) struct RowGroupsTests {
    private func texts(_ list: String) -> [String] { WineList.read([listPage(list)]).map(\.text) }

    @Test func `does not add the lines of a wine without a price to its neighbours`() {
        let entryTexts = texts(
            """
            Jacques Selosse
            Version Originale
            Champagne

            Albert Bichot 2021           4    25
            Vieilles Vignes
            Bourgogne

            Taittinger 2020              6    24
            Nocturne
            Champagne

            Los Boldos
            Tradition
            Cachapoal

            Guigal 2013                  9    55
            Blanc
            Rhône

            Perrier 2014                 3    20
            Blason
            Champagne

            Mancura 2011                 7    45
            Etnia
            Central Valley
            """)
        #expect(
            entryTexts == [
                "Albert Bichot 2021 Vieilles Vignes Bourgogne", "Taittinger 2020 Nocturne Champagne",
                "Guigal 2013 Blanc Rhône", "Perrier 2014 Blason Champagne", "Mancura 2011 Etnia Central Valley",
            ])
    }

    @Test func `adds prices alone in a row to a name in large letters below`() {
        let entryTexts = texts(
            """
            Elouan, Pinot Noir           12    48
            Bollini, Merlot              12    42
            St Francis, Merlot           14    48


                                         12    56
            #Bonanza, Cabernet

            Bezel, Cabernet              20    78
            Daou, Cabernet               15    81
            """)
        #expect(
            entryTexts == [
                "Elouan, Pinot Noir", "Bollini, Merlot", "St Francis, Merlot", "Bonanza, Cabernet", "Bezel, Cabernet",
                "Daou, Cabernet",
            ])
    }

    @Test func `adds prices alone in a row to the text below if it is closer than the text above`() {
        let entries = WineList.read([
            listPage(
                """
                Elouan, Pinot Noir           12    48
                Bollini, Merlot              12    42
                St Francis, Merlot           14    48

                                             12    56
                Bonanza, Cabernet

                Bezel, Cabernet              20    78
                """)
        ])
        #expect(entries.map(\.text).dropFirst(2) == ["St Francis, Merlot", "Bonanza, Cabernet", "Bezel, Cabernet"])
        #expect(entries.allSatisfy { $0.prices.count == 2 })
    }

    @Test func `does not add remarks to the first and the last wine`() {
        let entryTexts = texts(
            """
            Unsere Weine sind trocken

            Moric 2019                   39
            Lutzmannsburg

            Prager 2020                  45
            Klaus

            Tement 2021                  42
            Zieregg

            Prieler 2018                 36
            Leithaberg

            Alle Preise sind Bruttopreise
            """)
        #expect(
            entryTexts == [
                "Moric 2019 Lutzmannsburg", "Prager 2020 Klaus", "Tement 2021 Zieregg", "Prieler 2018 Leithaberg",
            ])
    }

    @Test func `keeps the lines of entries together if gaps do not separate them`() {
        let entryTexts = texts(
            """
            Moric 2019                   39
            Lutzmannsburg
            Prager 2020                  45
            Klaus
            Tement 2021                  42
            Zieregg
            Prieler 2018                 36
            Leithaberg
            """)
        #expect(
            entryTexts == [
                "Moric 2019 Lutzmannsburg", "Prager 2020 Klaus", "Tement 2021 Zieregg", "Prieler 2018 Leithaberg",
            ])
    }
}
