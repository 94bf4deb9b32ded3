import Testing

@testable import Wines

/// Currencies with large amounts or with an abbreviation that several countries share.
@Suite(.timeLimit(.minutes(5))) struct ListCurrencyTests {
    private func prices(_ list: String) -> [String] {
        readList(list).flatMap(\.prices).map { "\($0.amount) \($0.currency ?? "-")" }
    }

    @Test func `reads prices in forint above 50,000`() {
        let list = """
            Tokaji Aszú, Disznókő 2013          62 000 Ft
            Bikavér, Gál Tibor 2019             18 500 Ft
            Villányi Franc, Gere 2018             74900 Ft
            Château Margaux 2010               385 000 Ft
            Essencia, Oremus 2008              385 500 Ft
            Kopar Cuvée, Gere 2017              62.000,-
            """
        #expect(
            prices(list) == [
                "6200000 HUF", "1850000 HUF", "7490000 HUF", "38500000 HUF", "38550000 HUF", "6200000 HUF",
            ])
    }

    @Test func `reads two columns of prices in forint`() {
        let entries = readList(
            """
            Furmint, Oremus 2021           2 900 Ft   17 000 Ft
            Hárslevelű, Dobogó 2020        3 100 Ft   18 500 Ft
            Aszú, Disznókő 2013            9 000 Ft   62 000 Ft
            """)
        #expect(
            entries.map { $0.prices.map(\.amount) } == [
                [290_000, 1_700_000], [310_000, 1_850_000], [900_000, 6_200_000],
            ])
    }

    @Test func `reads prices in Czech crowns with thousands`() {
        let list = """
            Ryzlink vlašský, Sonberk 2021            890 Kč
            Veltlínské zelené, Špalek 2022         1 250 Kč
            Pálava, Volařík 2022                   1.150 Kč
            Puligny-Montrachet, Leflaive 2019    12 500,- Kč
            """
        #expect(prices(list) == ["89000 CZK", "125000 CZK", "115000 CZK", "1250000 CZK"])
    }

    @Test(arguments: [
        ("Rødviner", "kr", "NOK"), ("Rødvine", "kr.", "DKK"), ("Rött vin", "kr", "SEK"), ("Hvitvin", "kr", "NOK"),
        ("Hvidvin", "kr", "DKK"), ("Weine", "kr.", "DKK"), ("Alle priser i NOK inkl. mva", "kr", "NOK"),
    ])
    func `finds the currency of kr by the words of the list`(title: String, sign: String, code: String) {
        let list = """
            \(title)

            Barolo, Vietti 2018                        895 \(sign)
            Chianti Classico, Fontodi 2020             595 \(sign)
            Rioja Reserva, Muga 2019                 1 295 \(sign)
            """
        #expect(prices(list) == ["89500 \(code)", "59500 \(code)", "129500 \(code)"])
    }

    @Test func `reads Norwegian crowns before the price, and the colour from a Norwegian heading`() {
        let list = """
            #Hvitvin
            Riesling, Keller 2022                NOK 890
            Sancerre, Vacheron 2021            NOK 1 150
            Chablis, Droin 2022                NOK 1.250
            """
        #expect(prices(list) == ["89000 NOK", "115000 NOK", "125000 NOK"])
        #expect(readList(list).map(\.color) == [.white, .white, .white])
    }
}
