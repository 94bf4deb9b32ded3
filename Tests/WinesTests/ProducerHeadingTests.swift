import Recognition
import Testing

@testable import Wines

/// Lines with the producer of several wines.
@Suite(.timeLimit(.minutes(5))) struct ProducerHeadingTests {
    private static let list = """
        #Rotweine

        Weingut Umathum, Frauenkirchen
        Zweigelt 2021                              29
        Haideboden 2019                            38

        Gernot Heinrich
        Blaufränkisch 2020                         34
        Salzberg 2018                              95

        #Weißweine
        Riesling, Prager 2021                      48
        Veltliner, Knoll 2020                      45
        """

    @Test func `passes a producer on to all wines below it`() {
        let entries = readList(Self.list)
        #expect(
            entries.map(\.text) == [
                "Weingut Umathum, Frauenkirchen Zweigelt 2021", "Weingut Umathum, Frauenkirchen Haideboden 2019",
                "Gernot Heinrich Blaufränkisch 2020", "Gernot Heinrich Salzberg 2018", "Riesling, Prager 2021",
                "Veltliner, Knoll 2020",
            ])
        #expect(
            entries.map(\.producer).prefix(4) == [
                "Weingut Umathum", "Weingut Umathum", "Gernot Heinrich", "Gernot Heinrich",
            ])
        #expect(entries.map(\.name).prefix(4) == ["Zweigelt", "Haideboden", "Blaufränkisch", "Salzberg"])
        #expect(entries.map(\.color) == [.red, .red, .red, .red, .white, .white])
        // The box of a wine does not contain the line of the producer.
        #expect(entries[1].textBox.height == 20)
    }

    @Test func `does not pass a producer on to wines below a gap that name their own`() {
        let entries = readList(
            """
            Weingut Umathum
            Zweigelt 2021                              29
            Haideboden 2019                            38

            Salzberg, Heinrich 2018                    95
            Opus, Gesellmann 2017                      62
            """)
        #expect(entries.map(\.heading) == ["Weingut Umathum", "Weingut Umathum", nil, nil])
        #expect(entries.last?.text == "Opus, Gesellmann 2017")
    }

    @Test func `passes a producer on to further vintages of a wine`() {
        let entries = readList(
            """
            Schloss Gobelsburg
            Riesling Heiligenstein 2019        58
                                   2020        62
            Lamm 2018                          72
            """)
        #expect(
            entries.map(\.text) == [
                "Schloss Gobelsburg Riesling Heiligenstein 2019", "Schloss Gobelsburg Riesling Heiligenstein 2020",
                "Schloss Gobelsburg Lamm 2018",
            ])
    }

    @Test(arguments: [
        // Each wine has a producer of its own.
        """
        Raritäten
        Gut Oggau, Theodora 2021          42
        Claus Preisinger, Puszta 2020     36

        Keller
        Velich, Tiglat 2015               95
        Umathum, Hallebühl 2012           88
        """,
        // The producer is the second line of a wine.
        """
        Pannobile 2019                     39
        Weingut Heinrich, Gols
        Tiglat 2018                        58
        Weingut Velich, Apetlon
        Opus 2017                          62
        Weingut Gesellmann, Deutschkreutz
        """,
        // The name has two vintages.
        """
        Château Palmer
        2012                               95
        2015                              110

        Château Talbot
        2016                               78
        2018                               84
        """,
    ])
    func `does not read a section title, a second line or a name with vintages as a producer`(list: String) {
        #expect(readList(list).allSatisfy { $0.heading == nil })
    }

    @Test func `finds a wine by the producer above it, and is not certain without it`() throws {
        let index = WineIndex([
            CatalogueWine(producer: "Umathum", name: "Haideboden", vintage: 2019, country: "Austria", color: .red),
            CatalogueWine(producer: "Moric", name: "Haideboden", vintage: 2019, country: "Austria", color: .red),
            CatalogueWine(producer: "", name: "Salzberg", vintage: 2018, country: "Austria", color: .red),
        ])
        let entries = readList(Self.list)
        #expect(index.match(entries[1]).first?.wine == 0)
        let other = try #require(index.match(entries[3]).first)
        #expect(other.wine == 2)
        #expect(other.confidence < WineMatch.certainConfidence)
    }

    @Test func `does not pass the place of a producer on to the next producer`() {
        let entries = readList(
            """
            #Weingut Tement – Berghausen, Südsteiermark
            Sauvignon Grassnitzberg 2020      56,00
            Morillon Zieregg 2019             98,00
            #Weingut Meroi – Buttrio
            Sauvignon Zittelle 2020           62,00
            Malvasia Dominin 2019             78,00
            """)
        #expect(entries.map(\.producer) == ["Weingut Tement", "Weingut Tement", "Weingut Meroi", "Weingut Meroi"])
        #expect(entries.map(\.region) == ["Südsteiermark", "Südsteiermark", nil, nil])
    }
}
