import Testing

@testable import Wines

/// Lists as restaurants in Austria print them.
@Suite(.timeLimit(.minutes(5))) struct AustrianListTests {
    @Test func `reads eighths and bottles, and leaves out wine with soda`() {
        let list = """
            OFFENE WEINE                                  1/8      0,75
            WEISS
            Gemischter Satz DAC 2022, Weingut Cobenzl    4,20     24,00
            Grüner Veltliner Kamptal DAC 2022, Hiedler   4,60     26,50
            Riesling Federspiel 2021, Domäne Wachau      5,40     31,00
            ROT
            Zweigelt Classic 2021, Weingut Pitnauer      4,40     25,00
            Blaufränkisch 2020, Weingut Triebaumer       4,90     28,00
            G'spritzter weiß/rot 1/4                     3,90
            Sommerspritzer 1/2                           4,50
            """
        #expect(
            readServings(list) == [
                "Gemischter Satz DAC 2022, Weingut Cobenzl: glass 125 420, bottle 750 2400",
                "Grüner Veltliner Kamptal DAC 2022, Hiedler: glass 125 460, bottle 750 2650",
                "Riesling Federspiel 2021, Domäne Wachau: glass 125 540, bottle 750 3100",
                "Zweigelt Classic 2021, Weingut Pitnauer: glass 125 440, bottle 750 2500",
                "Blaufränkisch 2020, Weingut Triebaumer: glass 125 490, bottle 750 2800",
            ])
        #expect(readList(list).map(\.color) == [.white, .white, .white, .red, .red])
    }

    @Test func `applies the price in a heading to the wines below it`() {
        let list = """
            Offene Weine 1/8 l € 4,20
            Grüner Veltliner, Weingut Setzer
            Welschriesling, Weingut Sabathi
            Zweigelt, Weingut Markowitsch

            Flaschenweine 0,75 l
            Grüner Veltliner Smaragd 2019, Hirtzberger     78,-
            Riesling Singerriedel 2018, Hirtzberger       112,-
            Pannobile Rot 2019, Gernot Heinrich            48,-
            """
        #expect(
            readServings(list) == [
                "Grüner Veltliner, Weingut Setzer: glass 125 420",
                "Welschriesling, Weingut Sabathi: glass 125 420",
                "Zweigelt, Weingut Markowitsch: glass 125 420",
                "Grüner Veltliner Smaragd 2019, Hirtzberger: bottle 750 7800",
                "Riesling Singerriedel 2018, Hirtzberger: bottle 750 11200",
                "Pannobile Rot 2019, Gernot Heinrich: bottle 750 4800",
            ])
    }

    @Test func `applies the price of an eighth in a heading to the wines below it`() {
        let list = """
            Offene Weine pro Achtel 4,50
            Gemischter Satz, Weingut Mayer am Pfarrplatz
            Rosé, Weingut Pfneisl
            Blauer Portugieser, Weingut Schlumberger
            """
        #expect(
            readServings(list) == [
                "Gemischter Satz, Weingut Mayer am Pfarrplatz: glass - 450",
                "Rosé, Weingut Pfneisl: glass - 450",
                "Blauer Portugieser, Weingut Schlumberger: glass - 450",
            ])
    }

    @Test func `reads sizes and bottles beside their prices`() {
        let list = """
            WEINE IM OFFENAUSSCHANK
            Grüner Veltliner DAC, Weingut Seher, Platt          1/8 l  € 3,90    Fl. € 22,-
            Gelber Muskateller, Weingut Gross, Ehrenhausen      1/8 l  € 4,80    Fl. € 27,-
            Rosé Zweigelt, Weingut Pfaffl, Stetten              1/8 l  € 3,90    Fl. € 22,-
            Blauer Zweigelt, Weingut Glatzer, Göttlesbrunn      1/8 l  € 4,20    Fl. € 24,-
            """
        #expect(
            readServings(list) == [
                "Grüner Veltliner DAC, Weingut Seher, Platt: glass 125 390, bottle - 2200",
                "Gelber Muskateller, Weingut Gross, Ehrenhausen: glass 125 480, bottle - 2700",
                "Rosé Zweigelt, Weingut Pfaffl, Stetten: glass 125 390, bottle - 2200",
                "Blauer Zweigelt, Weingut Glatzer, Göttlesbrunn: glass 125 420, bottle - 2400",
            ])
    }

    @Test func `passes producers on to the wines below them`() {
        let list = """
            #WEISSWEIN

            Weingut Bründlmayer, Langenlois
            Grüner Veltliner Terrassen 2022                34,00
            Riesling Zöbinger Heiligenstein 2020           62,00

            Weingut Hirsch, Kammern
            Grüner Veltliner Heiligenstein 2021            42,00
            Riesling Ried Gaisberg 2019                    68,00

            Weingut Prager, Weißenkirchen
            Riesling Klaus Smaragd 2020                    78,00
            """
        #expect(
            readServings(list) == [
                "Weingut Bründlmayer, Langenlois Grüner Veltliner Terrassen 2022: bottle - 3400",
                "Weingut Bründlmayer, Langenlois Riesling Zöbinger Heiligenstein 2020: bottle - 6200",
                "Weingut Hirsch, Kammern Grüner Veltliner Heiligenstein 2021: bottle - 4200",
                "Weingut Hirsch, Kammern Riesling Ried Gaisberg 2019: bottle - 6800",
                "Weingut Prager, Weißenkirchen Riesling Klaus Smaragd 2020: bottle - 7800",
            ])
        #expect(
            readList(list).map(\.producer) == [
                "Weingut Bründlmayer", "Weingut Bründlmayer", "Weingut Hirsch", "Weingut Hirsch", "Weingut Prager",
            ])
    }

    @Test func `leaves out spritzers and beers below wines from the tap`() {
        let list = """
            Wein vom Fass
            Hauswein weiß                 1/8 l   2,90   1/4 l   5,60
            Hauswein rot                  1/8 l   2,90   1/4 l   5,60
            Weißer Spritzer               1/4 l   3,40
            Aperol Spritzer               1/4 l   6,90
            Veneziano                     1/4 l   6,90
            Bier
            Ottakringer Helles            0,3 l   3,90
            Seidel Radler                 0,3 l   3,90
            """
        #expect(
            readServings(list) == [
                "Hauswein weiß: glass 125 290, carafe 250 560",
                "Hauswein rot: glass 125 290, carafe 250 560",
            ])
    }

    @Test func `applies the size beside a colour to prices directly after the names`() {
        let list = """
            Weißwein 1/8
            Gelber Muskateller 2022 | Weingut Strauss Gamlitz | 5,10
            Chardonnay 2021 | Weingut Wellanschitz | 5,60
            Rotwein 1/8
            Blaufränkisch Hotter 2020 | Weingut Wellanschitz | 5,80
            Merlot 2019 | Weingut Scheiblhofer | 6,20
            """
        #expect(
            readServings(list) == [
                "Gelber Muskateller 2022 | Weingut Strauss Gamlitz: glass 125 510",
                "Chardonnay 2021 | Weingut Wellanschitz: glass 125 560",
                "Blaufränkisch Hotter 2020 | Weingut Wellanschitz: glass 125 580",
                "Merlot 2019 | Weingut Scheiblhofer: glass 125 620",
            ])
    }

    @Test func `reads a serving beside a colour as a heading`() {
        let list = """
            Weiß – Achterl
            Wiener Gemischter Satz, Fuhrgassl-Huber           3,90
            Grüner Veltliner, Christ                          3,70
            Rot – Achterl
            Zweigelt, Glatzer                                 3,80
            """
        #expect(
            readServings(list) == [
                "Wiener Gemischter Satz, Fuhrgassl-Huber: glass - 390",
                "Grüner Veltliner, Christ: glass - 370",
                "Zweigelt, Glatzer: glass - 380",
            ])
    }

    @Test func `reads regions in the middle of the page as headings`() {
        let list = """
            FLASCHENWEINE WEISS 0,75 l
                             Wachau
            Grüner Veltliner Smaragd Achleiten 2021, Domäne Wachau      58,00
            Riesling Federspiel Loibenberg 2022, Knoll                  49,00
                             Kremstal
            Grüner Veltliner Privat 2020, Nigl                          62,00
            Riesling Hochäcker 2020, Nigl                               64,00
                             Südsteiermark
            Sauvignon Blanc Kranachberg 2019, Sattlerhof                78,00
            """
        #expect(
            readServings(list) == [
                "Grüner Veltliner Smaragd Achleiten 2021, Domäne Wachau: bottle 750 5800",
                "Riesling Federspiel Loibenberg 2022, Knoll: bottle 750 4900",
                "Grüner Veltliner Privat 2020, Nigl: bottle 750 6200",
                "Riesling Hochäcker 2020, Nigl: bottle 750 6400",
                "Sauvignon Blanc Kranachberg 2019, Sattlerhof: bottle 750 7800",
            ])
        #expect(readList(list).map(\.region) == ["Wachau", "Wachau", "Kremstal", "Kremstal", "Südsteiermark"])
    }

    @Test func `reads four sizes of a house wine`() {
        let list = """
            Hauswein weiß oder rot 1/8 2,50 1/4 4,80 1/2 9,50 1 l 18,00
            Sturm (saisonal) 1/8 2,80 1/4 5,40
            """
        #expect(
            readServings(list) == [
                "Hauswein weiß oder rot: glass 125 250, carafe 250 480, carafe 500 950, bottle 1000 1800",
                "Sturm (saisonal): glass 125 280, carafe 250 540",
            ])
    }

    @Test func `leaves out the address below the list`() {
        let list = """
            #Weißweine
            Grüner Veltliner 2022, Ott          32,00
            Riesling 2021, Jurtschitsch         38,00
            Sauvignon 2022, Tement              36,00
            Neuburger 2021, Beck                33,00
            Chardonnay 2020, Velich             58,00

            Gasthaus zum Löwen, Hauptstraße 12, 1010 Wien
            info@loewen.at
            """
        #expect(
            readServings(list) == [
                "Grüner Veltliner 2022, Ott: bottle - 3200",
                "Riesling 2021, Jurtschitsch: bottle - 3800",
                "Sauvignon 2022, Tement: bottle - 3600",
                "Neuburger 2021, Beck: bottle - 3300",
                "Chardonnay 2020, Velich: bottle - 5800",
            ])
    }
}
