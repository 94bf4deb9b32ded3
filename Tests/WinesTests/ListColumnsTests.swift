import Recognition
import Testing

@testable import Wines

/// Columns of lists, prices and bin numbers.
@Suite(.timeLimit(.minutes(5))) struct ListColumnsTests {
    @Test func `reads a dash between producer and name as a part of the name`() {
        let entries = readList(
            """
            Domaine Leflaive – Les Pucelles 2018        195,00
            Domaine Ramonet – Les Ruchottes 2019        180,00
            Château Figeac – Grand Vin 2014             240,00
            Château Clinet – Grand Vin 2016             160,00
            """)
        #expect(
            entries.map(\.text) == [
                "Domaine Leflaive – Les Pucelles 2018", "Domaine Ramonet – Les Ruchottes 2019",
                "Château Figeac – Grand Vin 2014", "Château Clinet – Grand Vin 2016",
            ])
        #expect(entries.map { $0.prices.map(\.amount) } == [[19_500], [18_000], [24_000], [16_000]])
    }

    @Test func `splits a page between two columns of wines, not between the price columns of one of them`() {
        let entries = readList(
            """
                                             Unsere Flaschenweine
            Fronsac, Dalem 2010        11,00     34,00         Furmint, Wenzel 2017        9,50     29,00
            Pinot, King 2013            7,50     24,00
                                                               Riesling, Prager 2019      12,00     39,00
            Merlot, Medina 2009         6,50     20,00
                                                               Morillon, Tement 2018       9,00     28,00
            Syrah, Tement 2020          9,50     30,00
                                                               Traminer, Umathum 2021      9,50     29,00
            """)
        #expect(
            entries.map(\.text) == [
                "Fronsac, Dalem 2010", "Pinot, King 2013", "Merlot, Medina 2009", "Syrah, Tement 2020",
                "Furmint, Wenzel 2017", "Riesling, Prager 2019", "Morillon, Tement 2018", "Traminer, Umathum 2021",
            ])
        #expect(
            entries.map { $0.prices.map(\.amount) } == [
                [1100, 3400], [750, 2400], [650, 2000], [950, 3000], [950, 2900], [1200, 3900], [900, 2800],
                [950, 2900],
            ])
    }

    @Test func `reads bin numbers if the prices are in the second lines, but not numbers out of order`() {
        let entries = readList(
            """
            101  Ménage à Trois 2019
                 Kalifornien                         38
            102  St. Laurent, Hundsdorfer 2018
                 Burgenland                          42
            103  Hot to Trot 2020
                 14 Hands, Washington                35
            104  Pinot Noir, Kooyong 2019
                 Victoria                            58
            """)
        #expect(entries.map(\.bin) == ["101", "102", "103", "104"])
        #expect(entries[2].text == "Hot to Trot 2020 14 Hands, Washington")
        #expect(entries.map { $0.prices.map(\.amount) } == [[3800], [4200], [3500], [5800]])
    }

    @Test func `reads bin numbers with a letter`() {
        let entries = readList(
            """
            W101  Veltliner Kies, Angerer 2022      34
            W102  Riesling Steinagrund, Loimer      42
            R201  Blaufränkisch, Kerschbaum 2019    54
            R202  Zweigelt Rubin, Markowitsch       36
            """)
        #expect(entries.map(\.bin) == ["W101", "W102", "R201", "R202"])
        #expect(entries[1].text == "Riesling Steinagrund, Loimer")
    }
}
