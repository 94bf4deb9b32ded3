import Testing

@testable import Wines

/// Mixed drinks among wines.
@Suite(.timeLimit(.minutes(5))) struct MixedDrinkTests {
    @Test func `leaves out mixed drinks among sparkling wines`() {
        let entries = readList(
            """
            #Schaumwein
            Aperol Spritz                       0,25 l    7,90
            Prosecco Spumante, Bisol            0,1 l     5,80
            Hugo                                0,25 l    7,90
            Sekt Brut, Schlumberger             0,1 l     5,50
            Bellini                             0,1 l     8,50
            Mimosa                              0,1 l     7,50
            Champagner Brut, Drappier           0,1 l    14,50
            Lillet Berry (Lillet, Wild Berry)   0,25 l    8,50
            Aperol Sprizz mit Prosecco          0,25 l    8,50
            Hugo / Kir Royal                    0,25 l    8,50
            Limoncello Spritz                   0,25 l    8,90
            Bellini (Prosecco, Pfirsichmark)    0,1 l     8,50
            Moscow Mule                         0,25 l    9,50
            Gin & Tonic                         0,25 l    9,50
            """)
        #expect(
            entries.map(\.text) == ["Prosecco Spumante, Bisol", "Sekt Brut, Schlumberger", "Champagner Brut, Drappier"])
    }

    @Test func `leaves out a mixed drink with its ingredients below the name`() {
        let entries = readList(
            """
            Hugo                                8,50
            Prosecco, Holundersirup, Minze

            Riesling Sekt, Raumland             9,50
            Brut, Flaschengärung

            Negroni Sbagliato                  10,50
            Campari, Vermouth, Prosecco
            """)
        #expect(entries.map { $0.text.hasPrefix("Riesling Sekt, Raumland") } == [true])
    }

    @Test(arguments: [
        "Hugo Chardonnay 2022", "Bellini, Chianti Rufina", "Kir-Yianni, Ramnista", "Rossini 2019", "Mimosa Rosé NV",
        "Markus Huber, Hugo Grüner Veltliner", "Martini & Sohn, Lagrein", "Mule Blanche, Jaboulet",
        "Santa Margarita, Reserva",
    ])
    func `keeps wines whose names have a word of a mixed drink`(name: String) {
        let entries = readList(
            """
            \(name)                29,00
            Zweigelt, Umathum 2021              34,00
            """)
        #expect(entries.count == 2)
    }
}
