import Testing

@testable import Wines

/// Lists as restaurants in the United States print them.
@Suite(.timeLimit(.minutes(5))) struct AmericanListTests {
    @Test func `reads numbers of wines, and grapes as headings`() {
        let list = """
            CABERNET SAUVIGNON
            1042  Caymus Vineyards, Napa Valley 2020               $165
            1045  Silver Oak, Alexander Valley 2018                $145
            1051  Stag's Leap "Artemis", Napa Valley 2019          $130
            MERLOT
            1102  Duckhorn, Napa Valley 2019                       $98
            1107  L'Ecole No. 41, Columbia Valley 2020             $72
            PINOT NOIR
            1201  Domaine Serene "Evenstad", Willamette Valley 2019  $125
            """
        #expect(
            readServings(list) == [
                "Caymus Vineyards, Napa Valley 2020: bottle - 16500",
                "Silver Oak, Alexander Valley 2018: bottle - 14500",
                "Stag's Leap \"Artemis\", Napa Valley 2019: bottle - 13000",
                "Duckhorn, Napa Valley 2019: bottle - 9800",
                "L'Ecole No. 41, Columbia Valley 2020: bottle - 7200",
                "Domaine Serene \"Evenstad\", Willamette Valley 2019: bottle - 12500",
            ])
        #expect(readList(list).map(\.bin) == ["1042", "1045", "1051", "1102", "1107", "1201"])
    }

    @Test func `ends half bottles at the next grape`() {
        let list = """
            HALF BOTTLES (375 ml)
            #805  2018 Jordan, Cabernet Sauvignon, Alexander Valley      68
            #806  2019 Duckhorn, Merlot, Napa Valley                     54
            PINOT NOIR
            #301  2021 Belle Glos "Las Alturas", Santa Lucia Highlands   98
            #302  2020 Kosta Browne, Sonoma Coast                       185
            #303  2019 Beaux Frères, Ribbon Ridge, Willamette Valley    160
            """
        #expect(
            readServings(list) == [
                "2018 Jordan, Cabernet Sauvignon, Alexander Valley: half 375 6800",
                "2019 Duckhorn, Merlot, Napa Valley: half 375 5400",
                "2021 Belle Glos \"Las Alturas\", Santa Lucia Highlands: bottle - 9800",
                "2020 Kosta Browne, Sonoma Coast: bottle - 18500",
                "2019 Beaux Frères, Ribbon Ridge, Willamette Valley: bottle - 16000",
            ])
    }

    @Test func `reads a single price among pairs as that of a bottle`() {
        let list = """
            Sparkling
            NV Schramsberg, Mirabelle Brut, North Coast                 16/64
            NV Veuve Clicquot, Yellow Label, Reims                      28/120
            Whites & Rosé
            2022 Daou, Rosé, Paso Robles                                13/50
            2021 Rombauer, Chardonnay, Carneros                         22/88
            Reds
            2021 Meiomi, Pinot Noir, California                         14/54
            2019 Stag's Leap, Cabernet Sauvignon, Napa                  145
            """
        #expect(
            readServings(list) == [
                "NV Schramsberg, Mirabelle Brut, North Coast: glass - 1600, bottle - 6400",
                "NV Veuve Clicquot, Yellow Label, Reims: glass - 2800, bottle - 12000",
                "2022 Daou, Rosé, Paso Robles: glass - 1300, bottle - 5000",
                "2021 Rombauer, Chardonnay, Carneros: glass - 2200, bottle - 8800",
                "2021 Meiomi, Pinot Noir, California: glass - 1400, bottle - 5400",
                "2019 Stag's Leap, Cabernet Sauvignon, Napa: bottle - 14500",
            ])
    }

    @Test func `reads colours above single wines by the glass and by the bottle`() {
        let list = """
            BY THE GLASS
            Sparkling
            Prosecco, Mionetto, Veneto NV                10
            Whites
            Pinot Grigio, Terlato, Friuli 2022           13
            Sauvignon Blanc, Duckhorn, Napa 2022         15
            Reds
            Pinot Noir, Argyle, Willamette Valley 2021   16
            BY THE BOTTLE
            Sparkling
            Champagne, Taittinger NV                     110
            Whites
            Chardonnay, Far Niente, Napa 2021            120
            Reds
            Cabernet Sauvignon, Jordan, Alexander Valley 2018    135
            Zinfandel, Ridge, Lytton Springs 2020                95
            """
        #expect(
            readServings(list) == [
                "Prosecco, Mionetto, Veneto NV: glass - 1000",
                "Pinot Grigio, Terlato, Friuli 2022: glass - 1300",
                "Sauvignon Blanc, Duckhorn, Napa 2022: glass - 1500",
                "Pinot Noir, Argyle, Willamette Valley 2021: glass - 1600",
                "Champagne, Taittinger NV: bottle - 11000",
                "Chardonnay, Far Niente, Napa 2021: bottle - 12000",
                "Cabernet Sauvignon, Jordan, Alexander Valley 2018: bottle - 13500",
                "Zinfandel, Ridge, Lytton Springs 2020: bottle - 9500",
            ])
        #expect(readList(list).map(\.color) == [.sparkling, .white, .white, .red, .sparkling, .white, .red, .red])
    }

    @Test func `reads bottles below wines by the glass`() {
        let list = """
            WINES BY THE GLASS
            Prosecco, Zardetto NV                     12
            Albariño, Paco & Lola 2022                14
            Malbec, Tikal 2021                        15
            WINES BY THE BOTTLE
            SPARKLING
            Champagne, Ayala Brut Majeur NV           98
            WHITE
            Chablis, Christian Moreau 2021            82
            Riesling, Trimbach 2020                   64
            RED
            Barolo, Oddero 2018                      125
            """
        #expect(
            readServings(list) == [
                "Prosecco, Zardetto NV: glass - 1200",
                "Albariño, Paco & Lola 2022: glass - 1400",
                "Malbec, Tikal 2021: glass - 1500",
                "Champagne, Ayala Brut Majeur NV: bottle - 9800",
                "Chablis, Christian Moreau 2021: bottle - 8200",
                "Riesling, Trimbach 2020: bottle - 6400",
                "Barolo, Oddero 2018: bottle - 12500",
            ])
    }

    @Test func `reads a grape above the producer and the prices`() {
        let list = """
            Sauvignon Blanc
            Cloudy Bay, Marlborough, NZ, 2022
            Glass 16      Bottle 78
            Pinot Gris
            Hugel, Alsace, France, 2021
            Glass 13      Bottle 62
            Gamay
            Château Thivin, Brouilly, France, 2021
            Glass 14      Bottle 66
            """
        #expect(
            readServings(list) == [
                "Sauvignon Blanc Cloudy Bay, Marlborough, NZ, 2022: glass - 1600, bottle - 7800",
                "Pinot Gris Hugel, Alsace, France, 2021: glass - 1300, bottle - 6200",
                "Gamay Château Thivin, Brouilly, France, 2021: glass - 1400, bottle - 6600",
            ])
        #expect(readList(list).map(\.grape) == ["Sauvignon Blanc", "Pinot Gris", "Gamay"])
    }

    @Test func `reads names in capitals above their places`() {
        let list = """
            CHATEAU MONTELENA CHARDONNAY
            Napa Valley, California 2019                    95
            RIDGE MONTE BELLO
            Santa Cruz Mountains, California 2017          285
            TURLEY OLD VINES ZINFANDEL
            Lodi, California 2020                           72
            """
        #expect(
            readServings(list) == [
                "CHATEAU MONTELENA CHARDONNAY Napa Valley, California 2019: bottle - 9500",
                "RIDGE MONTE BELLO Santa Cruz Mountains, California 2017: bottle - 28500",
                "TURLEY OLD VINES ZINFANDEL Lodi, California 2020: bottle - 7200",
            ])
    }
}
