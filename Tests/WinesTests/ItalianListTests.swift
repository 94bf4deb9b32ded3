import Testing

@testable import Wines

/// Lists as restaurants in Italy print them.
@Suite(.timeLimit(.minutes(5))) struct ItalianListTests {
    @Test func `reads glass and bottle above the prices`() {
        let list = """
            VINI BIANCHI                          calice    bottiglia
            Vermentino di Gallura, Capichera       € 7        € 34
            Greco di Tufo, Feudi di San Gregorio   € 6        € 28
            Falanghina del Sannio, Mustilli        € 5        € 24
            VINI ROSSI                            calice    bottiglia
            Aglianico del Vulture, Cantine del Notaio  € 7    € 32
            Nero d'Avola, Planeta                  € 6        € 27
            """
        #expect(
            readServings(list) == [
                "Vermentino di Gallura, Capichera: glass - 700, bottle - 3400",
                "Greco di Tufo, Feudi di San Gregorio: glass - 600, bottle - 2800",
                "Falanghina del Sannio, Mustilli: glass - 500, bottle - 2400",
                "Aglianico del Vulture, Cantine del Notaio: glass - 700, bottle - 3200",
                "Nero d'Avola, Planeta: glass - 600, bottle - 2700",
            ])
        #expect(readList(list).map(\.color) == [.white, .white, .white, .red, .red])
    }

    @Test func `reads sparkling, white, red and sweet wines`() {
        let list = """
            BOLLICINE
            Franciacorta Brut "Alma" - Bellavista                  s.a.    52,00
            Trento DOC Perlé - Ferrari                             2017    58,00
            Prosecco Valdobbiadene Superiore - Bisol               s.a.    29,00
            BIANCHI
            Chardonnay "Cervaro della Sala" - Antinori             2020    85,00
            Ribolla Gialla - Jermann                               2021    42,00
            ROSSI
            Rosso di Montalcino - Col d'Orcia                      2020    36,00
            Sagrantino di Montefalco - Caprai                      2016    65,00
            DOLCI
            Moscato d'Asti "Nivole" - Chiarlo                      2022    26,00
            """
        #expect(
            readServings(list) == [
                "Franciacorta Brut \"Alma\" - Bellavista s.a.: bottle - 5200",
                "Trento DOC Perlé - Ferrari 2017: bottle - 5800",
                "Prosecco Valdobbiadene Superiore - Bisol s.a.: bottle - 2900",
                "Chardonnay \"Cervaro della Sala\" - Antinori 2020: bottle - 8500",
                "Ribolla Gialla - Jermann 2021: bottle - 4200",
                "Rosso di Montalcino - Col d'Orcia 2020: bottle - 3600",
                "Sagrantino di Montefalco - Caprai 2016: bottle - 6500",
                "Moscato d'Asti \"Nivole\" - Chiarlo 2022: bottle - 2600",
            ])
        #expect(
            readList(list).map(\.color) == [.sparkling, .sparkling, .sparkling, .white, .white, .red, .red, .sweet])
    }

    @Test func `reads three sizes of a house wine`() {
        let list = """
            VINO DELLA CASA
            Bianco o rosso      1/4 l   € 4,00
                                1/2 l   € 7,00
                                1 l     € 12,00
            VINI BIANCHI
            Pinot Grigio, Santa Margherita           € 24,00
            Müller Thurgau, Cantina Lavis            € 22,00
            """
        #expect(
            readServings(list) == [
                "Bianco o rosso: carafe 250 400, carafe 500 700, bottle 1000 1200",
                "Pinot Grigio, Santa Margherita: bottle - 2400",
                "Müller Thurgau, Cantina Lavis: bottle - 2200",
            ])
    }

    @Test func `reads magnums whose prices are not below those of bottles`() {
        let list = """
            SPUMANTI E CHAMPAGNE
            Franciacorta Satèn, Ca' del Bosco                75 cl    62,00
            Champagne Brut, Krug Grande Cuvée                75 cl   290,00
            Champagne Brut, Dom Pérignon 2013                75 cl   320,00
            Champagne Brut, Ruinart                        37,5 cl    58,00
            MAGNUM 1,5 LT
            Franciacorta Cuvée Prestige, Ca' del Bosco       130,00
            Champagne Brut, Bollinger                        240,00
            """
        #expect(
            readServings(list) == [
                "Franciacorta Satèn, Ca' del Bosco: bottle 750 6200",
                "Champagne Brut, Krug Grande Cuvée: bottle 750 29000",
                "Champagne Brut, Dom Pérignon 2013: bottle 750 32000",
                "Champagne Brut, Ruinart: half 375 5800",
                "Franciacorta Cuvée Prestige, Ca' del Bosco: magnum 1500 13000",
                "Champagne Brut, Bollinger: magnum 1500 24000",
            ])
        #expect(
            readList(list).map(\.color) == [.sparkling, .sparkling, .sparkling, .sparkling, .sparkling, .sparkling])
    }

    @Test func `reads the price of a glass in brackets`() {
        let list = """
            Vermentino Colli di Luni, Lunae               € 28 (calice € 6)
            Falanghina Taburno, Fontanavecchia            € 24 (calice € 5)
            Morellino di Scansano, Poliziano              € 26 (calice € 6)
            """
        #expect(
            readServings(list) == [
                "Vermentino Colli di Luni, Lunae: bottle - 2800, glass - 600",
                "Falanghina Taburno, Fontanavecchia: bottle - 2400, glass - 500",
                "Morellino di Scansano, Poliziano: bottle - 2600, glass - 600",
            ])
    }

    @Test func `leaves out strengths below the names`() {
        let list = """
            Nebbiolo Langhe DOC 2021                                € 34
            G.D. Vajra - Barolo (CN) - 14% vol.
            Grignolino d'Asti DOC 2022                              € 24
            Braida - Rocchetta Tanaro (AT) - 13% vol.
            Freisa DOC 2020                                         € 28
            Cascina Gilli - Castelnuovo (AT) - 13,5% vol.
            """
        #expect(
            readServings(list) == [
                "Nebbiolo Langhe DOC 2021 G.D. Vajra - Barolo (CN): bottle - 3400",
                "Grignolino d'Asti DOC 2022 Braida - Rocchetta Tanaro (AT): bottle - 2400",
                "Freisa DOC 2020 Cascina Gilli - Castelnuovo (AT): bottle - 2800",
            ])
    }
}
