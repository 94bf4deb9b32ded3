import Domain
import Recognition
import Testing
import Wines

@testable import App

@Suite(.timeLimit(.minutes(5))) struct WineValueTests {
    @Test(arguments: [
        (ScoreScale.hundred, "92", 92), (.hundred, "92,5", 93), (.twenty, "16", 90), (.twenty, "17.5", 94),
        (.stars, "4", 90), (.stars, "3,5", 85), (.stars, "0", 0),
    ])
    func `converts scores of other scales to points`(scale: ScoreScale, text: String, points: Int) {
        #expect(scale.points(text) == points)
    }

    @Test(arguments: [(ScoreScale.hundred, "101"), (.twenty, "21"), (.stars, "6"), (.hundred, "-1"), (.hundred, "gut")])
    func `refuses a score outside the scale`(scale: ScoreScale, text: String) {
        #expect(scale.points(text) == nil)
    }

    @Test(arguments: [
        ("Prager", "Riesling Klaus", "Prager Riesling Klaus"), ("Prager", "Prager Riesling", "Prager Riesling"),
        ("château margaux", "Château Margaux, Grand Vin", "Château Margaux, Grand Vin"),
        ("Gut", "Gutedel", "Gut Gutedel"),
        ("Gut", "Gut", "Gut"), ("", "Riesling", "Riesling"),
    ])
    func `a full name contains the producer once`(producer: String, name: String, expected: String) {
        #expect(StoredWine.fullName(producer, name) == expected)
    }

    @Test func `vintages of a wine have the same key`() {
        #expect(StoredWine.familyKey("Gut", "Riesling 2019", vintage: nil) == "gut riesling")
        #expect(StoredWine.familyKey("Gut", "Riesling", vintage: 2018) == "gut riesling")
        #expect(StoredWine.familyKey("Gut", "Riesling 2018", vintage: 2018) == "gut riesling")
        #expect(StoredWine.familyKey("Gut", "Cuvée 1922", vintage: 2018) == "gut cuvee 1922")
    }

    @Test func `recognises the columns of the wine data sets X-Wines and winemag`() {
        let xwines = WineColumn.recognised([
            "WineID", "WineName", "Type", "Elaborate", "Grapes", "Harmonize", "ABV", "Body", "Acidity", "Code",
            "Country",
            "RegionID", "RegionName", "WineryID", "WineryName", "Website", "Vintages",
        ])
        #expect(xwines == [.key: 0, .name: 1, .colour: 2, .grapes: 4, .country: 10, .region: 12, .producer: 14])
        let winemag = WineColumn.recognised([
            "", "country", "description", "designation", "points", "price", "province", "region_1", "region_2",
            "taster_name", "taster_twitter_handle", "title", "variety", "winery",
        ])
        #expect(
            winemag == [
                .key: 0, .country: 1, .note: 2, .points: 4, .price: 5, .region: 7, .critic: 9, .name: 11, .grapes: 12,
                .producer: 13,
            ])
    }

    @Test(arguments: [
        ("Rosado", WineColor.rose), ("vin doux", .sweet), ("Süßwein", .sweet), ("Likörwein", .fortified),
        ("Vino espumoso", .sparkling), ("Weißwein", .white), ("Dessert/Port", .fortified),
    ])
    func `reads colours in several languages`(text: String, colour: WineColor) throws {
        let mapping = WineMapping(columns: [.name: 0, .colour: 1], currency: .eur)
        #expect(try ImportedWine(["Wein", text], mapping).colour == colour)
    }

    @Test(arguments: [
        ([WineListPrice(serving: .bottle, amount: 3_000)], 3_000 as Int?),
        ([WineListPrice(size: 500, serving: .carafe, amount: 2_000)], nil),
        ([WineListPrice(size: 1_000, serving: .bottle, amount: 4_000)], 3_000),
        ([WineListPrice(size: 3_000, serving: .magnum, amount: 16_000)], 4_000),
        ([WineListPrice(serving: .magnum, amount: 9_000), WineListPrice(serving: .half, amount: 2_000)], 4_000),
    ])
    func `the price of a bottle is calculated from its size`(prices: [WineListPrice], expected: Int?) {
        let printedEntry = WineListEntry(text: "Wein", box: PixelBox(x: 0, y: 0, width: 1, height: 1), prices: prices)
        let entry = MatchedList.Entry(
            number: 0, printed: printedEntry, wine: nil, confidence: 0, kind: nil, candidates: [])
        #expect(entry.bottlePrice?.minor == expected)
    }

    private static func entry(_ prices: [WineListPrice]) -> WineListEntry {
        WineListEntry(text: "Wein", box: PixelBox(x: 0, y: 0, width: 1, height: 1), prices: prices)
    }

    @Test func `the currency of a list is the most frequent one of its prices`() {
        let francs = Self.entry([WineListPrice(amount: 4_000, currency: "CHF")])
        let unstated = Self.entry([WineListPrice(amount: 4_000)])
        #expect(MatchedList.currency(of: [francs, unstated, francs], home: .eur).code == "CHF")
        #expect(MatchedList.currency(of: [francs, unstated], home: .eur) == .eur)
        #expect(MatchedList.currency(of: [], home: .eur) == .eur)
    }

    @Test func `a price keeps the currency of the list`() {
        func price(_ prices: [WineListPrice]) -> Amount? {
            MatchedList.Entry(
                number: 0, printed: Self.entry(prices), wine: nil, confidence: 0, kind: nil, candidates: []
            ).price(home: .eur)
        }
        #expect(price([WineListPrice(serving: .half, amount: 2_000, currency: "USD")])?.plain == "40.00")
        #expect(price([WineListPrice(serving: .half, amount: 2_000, currency: "USD")])?.currency.code == "USD")
        #expect(price([WineListPrice(serving: .glass, amount: 700)]) == Amount(units: 7, currency: .eur))
        #expect(price([]) == nil)
    }

    @Test func `splits a title into name and vintage`() {
        let title = WineTitle("Nicosia 2013 Vulkà Bianco (Etna)", producer: "Nicosia")
        #expect(title.name == "Vulkà Bianco" && title.vintage == 2013)
        #expect(WineTitle("1865", producer: "San Pedro").name == "1865")
        // With a vintage column, only the year of that column is removed from the name.
        let knownTitle = WineTitle("Cuvée 1922 2019", producer: "", vintage: 2019, findsVintage: false)
        #expect(knownTitle.name == "Cuvée 1922" && knownTitle.vintage == 2019)
        #expect(WineTitle("Cuvée 1922", producer: "", vintage: nil, findsVintage: false).name == "Cuvée 1922")
    }

    @Test func `splits a file into records at line ends outside quotes, for chunks of any size`() throws {
        let file = Array("name;note\nA;\"two\nlines \"\" ;\"\nB;5\" x\nC;last".utf8)
        for size in 1...file.count {
            var splitter = RecordSplitter(separator: 59)
            var records: [UInt8] = []
            for start in stride(from: 0, to: file.count, by: size) {
                let part = try splitter.add(Array(file[start..<min(file.count, start + size)]))
                // Each returned piece contains only complete records.
                let rows = try CSVReader.rows(of: String(decoding: part, as: UTF8.self), separator: ";")
                #expect(rows.allSatisfy { $0.fields.count == 2 })
                records += part
            }
            #expect(records + splitter.finish() == file)
        }
    }

    @Test(arguments: [
        (2020, 2030, 2026, DrinkWindow.ready), (2027, 2030, 2026, .later), (2010, 2020, 2026, .past),
    ])
    func `the drink window determines whether a wine is ready`(from: Int, until: Int, year: Int, expected: DrinkWindow)
    {
        #expect(DrinkWindow(from: from, until: until, year: year) == expected)
        #expect(DrinkWindow(from: nil, until: nil, year: year) == .unknown)
    }
}
