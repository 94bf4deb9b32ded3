import Testing

@testable import Wines

/// Lists as restaurants in Switzerland print them.
@Suite(.timeLimit(.minutes(5))) struct SwissListTests {
    @Test func `reads decilitres and bottles above the prices`() {
        let list = """
            OFFENE WEINE                                  dl      5 dl     Fl.
            Fendant Sion AOC 2022, Gilliard              6.50    32.00    47.00
            Heida Visperterminen 2022, St. Jodern        7.80    38.00    56.00
            Dôle des Monts 2021, Gilliard                6.90    33.00    49.00
            Merlot del Ticino 2020, Delea                7.50    36.00    54.00
            """
        #expect(
            readServings(list) == [
                "Fendant Sion AOC 2022, Gilliard: glass 100 650, carafe 500 3200, bottle - 4700",
                "Heida Visperterminen 2022, St. Jodern: glass 100 780, carafe 500 3800, bottle - 5600",
                "Dôle des Monts 2021, Gilliard: glass 100 690, carafe 500 3300, bottle - 4900",
                "Merlot del Ticino 2020, Delea: glass 100 750, carafe 500 3600, bottle - 5400",
            ])
    }

    @Test func `reads a heading with a country and a currency`() {
        let list = """
            SCHWEIZER WEISSWEINE                                       CHF

            Petite Arvine 2021, Domaine Chappaz, Fully, Wallis        84.—
            Räuschling 2022, Weingut Schwarzenbach, Zürichsee         62.—
            Completer 2019, Adolf Boner, Graubünden                  128.—
            SCHWEIZER ROTWEINE                                         CHF

            Pinot Noir Barrique 2019, Gantenbein, Bündner Herrschaft 195.—
            Humagne Rouge 2020, Simon Maye, Wallis                    78.—
            """
        #expect(
            readServings(list) == [
                "Petite Arvine 2021, Domaine Chappaz, Fully, Wallis: bottle - 8400",
                "Räuschling 2022, Weingut Schwarzenbach, Zürichsee: bottle - 6200",
                "Completer 2019, Adolf Boner, Graubünden: bottle - 12800",
                "Pinot Noir Barrique 2019, Gantenbein, Bündner Herrschaft: bottle - 19500",
                "Humagne Rouge 2020, Simon Maye, Wallis: bottle - 7800",
            ])
        #expect(readList(list).map(\.color) == [.white, .white, .white, .red, .red])
        #expect(
            readList(list).map(\.country) == [
                "Switzerland", "Switzerland", "Switzerland", "Switzerland", "Switzerland",
            ])
    }

    @Test func `reads decilitres with francs`() {
        let list = """
            Offenausschank
            Epesses Grand Cru, Luc Massy      1 dl  CHF 8.50   7.5 dl  CHF 59.00
            Œil-de-Perdrix, Domaine d'Auvernier  1 dl  CHF 7.90   7.5 dl  CHF 55.00
            Cornalin, Maurice Zufferey        1 dl  CHF 9.50   7.5 dl  CHF 66.00
            """
        #expect(
            readServings(list) == [
                "Epesses Grand Cru, Luc Massy: glass 100 850, bottle 750 5900",
                "Œil-de-Perdrix, Domaine d'Auvernier: glass 100 790, bottle 750 5500",
                "Cornalin, Maurice Zufferey: glass 100 950, bottle 750 6600",
            ])
    }

    @Test func `reads bottles of 70 and 75 centilitres`() {
        let list = """
            OFFENWEINE                              1 dl     2 dl     5 dl
            Johannisberg, Cave du Rhodan            6.20    12.20    30.00
            Pinot Noir, Domaine des Muses           6.80    13.40    33.00

            FLASCHENWEINE                                    70 cl    75 cl
            Aigle Les Murailles, Badoux                      54.–
            Chasselas, Blaise Duboux                                  58.–
            Syrah, Simon Maye & Fils                                  76.–
            """
        #expect(
            readServings(list) == [
                "Johannisberg, Cave du Rhodan: glass 100 620, glass 200 1220, carafe 500 3000",
                "Pinot Noir, Domaine des Muses: glass 100 680, glass 200 1340, carafe 500 3300",
                "Aigle Les Murailles, Badoux: bottle 700 5400",
                "Chasselas, Blaise Duboux: bottle 750 5800",
                "Syrah, Simon Maye & Fils: bottle 750 7600",
            ])
    }

    @Test func `reads a colour above names whose prices are in the next line`() {
        let list = """
            Weissweine
            Zürichsee Räuschling AOC, Schwarzenbach
            1 dl 7.50 / 5 dl 37.– / 7.5 dl 54.–
            Fläscher Riesling-Silvaner AOC, Hansruedi Adank
            1 dl 7.20 / 5 dl 35.– / 7.5 dl 52.–
            Rotweine
            Malanser Pinot Noir AOC, Donatsch
            1 dl 8.50 / 5 dl 42.– / 7.5 dl 62.–
            """
        #expect(
            readServings(list) == [
                "Zürichsee Räuschling AOC, Schwarzenbach: glass 100 750, carafe 500 3700, bottle 750 5400",
                "Fläscher Riesling-Silvaner AOC, Hansruedi Adank: glass 100 720, carafe 500 3500, bottle 750 5200",
                "Malanser Pinot Noir AOC, Donatsch: glass 100 850, carafe 500 4200, bottle 750 6200",
            ])
        #expect(readList(list).map(\.color) == [.white, .white, .red])
    }

    @Test func `reads a column of vintages before the prices`() {
        let list = """
            Weissweine                                       Jahrgang     dl       Fl.
            Yvorne Grand Cru, Clos du Rocher                  2021       8.50     59.00
            Chasselas Dézaley, Louis Bovard                   2020       9.80     68.00
            Rotweine                                         Jahrgang     dl       Fl.
            Blauburgunder Maienfeld, Möhr-Niggli              2020       9.20     64.00
            Amarone Classico, Zenato                          2017                 98.00
            """
        #expect(
            readServings(list) == [
                "Yvorne Grand Cru, Clos du Rocher 2021: glass 100 850, bottle - 5900",
                "Chasselas Dézaley, Louis Bovard 2020: glass 100 980, bottle - 6800",
                "Blauburgunder Maienfeld, Möhr-Niggli 2020: glass 100 920, bottle - 6400",
                "Amarone Classico, Zenato 2017: bottle - 9800",
            ])
    }
}
