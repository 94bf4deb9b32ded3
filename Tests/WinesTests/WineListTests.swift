import Recognition
import Testing

@testable import Wines

@Suite(.timeLimit(.minutes(5))) struct WineListTests {
    private func prices(_ entry: WineListEntry) -> [String] {
        entry.prices.map { "\($0.serving) \($0.size.map(String.init) ?? "-") \($0.amount)" }
    }

    @Test func `reads columns of prices with their headings, and sections`() {
        let entries = WineList.read([
            listPage(
                """
                #Weinkarte

                #Weißweine                          0,1 l   0,75 l
                Keller, Riesling trocken 2022 ....   6,50    39,00
                Prager, Grüner Veltliner ’21 .....   7,00    42,00

                #Rotweine                           0,1 l   0,75 l
                Heinrich, Zweigelt 2019 ..........   5,50    33,00
                Gesellmann, Opus Eximium 2018/19 .      –    79,00
                """)
        ])
        #expect(entries.map(\.color) == [.white, .white, .red, .red])
        #expect(entries.map(\.vintage) == [2022, 2021, 2019, 2019])
        #expect(entries.last?.otherVintage == 2018)
        #expect(prices(entries[0]) == ["glass 100 650", "bottle 750 3900"])
        #expect(prices(entries[3]) == ["bottle 750 7900"])
        #expect(entries[1].producer == "Prager")
        #expect(entries[1].grape == "Grüner Veltliner")
        #expect(entries[1].text == "Prager, Grüner Veltliner ’21")
    }

    @Test func `reads the left column before the right one`() {
        let entries = WineList.read([
            listPage(
                """
                Vins blancs                  Vins rouges
                Sancerre, Vacheron      38   Chinon, Baudry           34
                Chablis, Dauvissat      52   Morgon, Lapierre         41
                Muscadet, Pépière       26   Fleurie, Métras          48
                """)
        ])
        #expect(entries.map(\.name).prefix(3) == ["Vacheron", "Dauvissat", "Pépière"])
        #expect(entries.map { $0.prices.first?.amount } == [3800, 5200, 2600, 3400, 4100, 4800])
    }

    @Test func `joins the lines of an entry below its price`() {
        let entries = WineList.read([
            listPage(
                """
                101  Château Pichon Longueville Comtesse   195,-
                     Pauillac, Bordeaux 2014

                102  Domaine Tempier, Bandol                68,-
                     Mourvèdre, Provence NV

                103  Clos de la Roche                      240,-
                     Ponsot 2012
                """)
        ])
        #expect(entries.map(\.bin) == ["101", "102", "103"])
        #expect(entries.map(\.vintage) == [2014, nil, 2012])
        #expect(entries[0].text == "Château Pichon Longueville Comtesse Pauillac, Bordeaux 2014")
        #expect(entries[1].isNonVintage)
        #expect(entries[1].country == "France")
    }

    @Test func `distinguishes glass and bottle by the prices if there are no headings`() {
        let entries = WineList.read([
            listPage(
                """
                Elouan, Pinot Noir Oregon       12      48
                Bollini, Merlot Trentino        12      42
                Silver Oak, Cabernet           n/a     215
                Daou, Cabernet Paso Robles      15      81
                """)
        ])
        #expect(
            entries.map { $0.prices.map(\.serving) } == [
                [.glass, .bottle], [.glass, .bottle], [.bottle], [.glass, .bottle],
            ])
    }

    @Test func `reads sizes beside the prices`() {
        let entries = WineList.read([
            listPage(
                """
                Vom Fass
                Blaufränkisch, Moric   1/8 l  4,80   0,75 l  28,00
                Welschriesling, Tement  1/8 l  4,20   0,75 l  25,00
                """)
        ])
        #expect(prices(entries[0]) == ["glass 125 480", "bottle 750 2800"])
    }

    @Test func `does not read numbers in names and years as prices`() {
        let entries = WineList.read([
            listPage(
                """
                Penfolds Bin 389 2019               $95
                19 Crimes Red Blend                 $38
                Vega Sicilia Único 2011            $650
                """)
        ])
        #expect(entries.map { $0.prices.map(\.amount) } == [[9500], [3800], [65000]])
        #expect(entries.map { $0.prices.first?.currency } == ["USD", "USD", "USD"])
        #expect(entries[0].text == "Penfolds Bin 389 2019")
        #expect(entries[1].text == "19 Crimes Red Blend")
    }

    @Test(arguments: [
        ("28", 2800, nil as String?), ("28,–", 2800, nil), ("28.-", 2800, nil), ("28,50", 2850, nil),
        ("€28.50", 2850, "EUR"), ("7,5€", 750, "EUR"), ("$64", 6400, "USD"), ("CHF1'250.00", 125_000, "CHF"),
        ("1.250,-", 125_000, nil), ("44,", 4400, nil), ("Margaux", nil, nil),
    ])
    func `reads prices`(text: String, amount: Int?, currency: String?) {
        #expect(PrintedPrice(text)?.amount == amount)
        if amount != nil { #expect(PrintedPrice(text)?.currency == currency) }
    }

    @Test(arguments: [
        ("2019", 2019), ("’19", 2019), ("'98", 1998), ("2018/19", 2019), ("2018-2019", 2019), ("(2017)", 2017),
        ("’18/’19", 2019), ("'18/19", 2019), ("'98-'99", 1999), ("'99/'00", 2000), ("'18/'98", nil), ("'18/", nil),
        ("1868", nil), ("0,75", nil), ("20,50", nil),
    ])
    func `reads vintages`(text: String, year: Int?) {
        #expect(WineVintage(word: text)?.year == year)
    }

    @Test(arguments: [
        ("0,75l", 750), ("7,5dl", 750), ("75cl", 750), ("750ml", 750), ("1/8", 125), ("0.1", 100), ("28,50", nil),
    ])
    func `reads sizes`(text: String, milliliters: Int?) {
        #expect(PrintedSize.size(text) == milliliters)
    }

    @Test(arguments: [
        ("Estados Unidos", "United States"), ("Eslovenia", "Slovenia"), ("Macedonia del Norte", "North Macedonia"),
        ("Österreich", "Austria"), ("Afrique du Sud", "South Africa"), ("Nuova Zelanda", "New Zealand"),
    ])
    func `recognises headings of countries in all languages`(heading: String, country: String) {
        let reading = ListSection.read(heading)
        #expect(reading.section.country == country)
        #expect(reading.share == 1000)
    }

    @Test(arguments: [
        "Offene Weißweine", "Wines by the glass", "Vins au verre", "Vini al bicchiere", "Vini rossi al calice",
        "Vinos por copas",
    ])
    func `recognises headings of wines by the glass`(heading: String) {
        let reading = ListSection.read(heading)
        #expect(reading.section.isByGlass && reading.share >= 700)
    }

    @Test func `reads nothing on empty pages`() {
        #expect(WineList.read([]) == [])
        #expect(WineList.read([listPage("")]) == [])
    }

    @Test func `reads a producer whose name is a word for a vessel`() {
        let entries = WineList.read([
            listPage(
                """
                Krug 2008                          390
                Krug, Grande Cuvée                 290
                Bollinger, La Grande Année 2014    185
                """)
        ])
        #expect(entries.map(\.text) == ["Krug 2008", "Krug, Grande Cuvée", "Bollinger, La Grande Année 2014"])
        #expect(entries.map(\.producer) == [nil, "Krug", "Bollinger"])
        #expect(entries.map { $0.prices.map(\.serving) } == [[.bottle], [.bottle], [.bottle]])
    }
}
