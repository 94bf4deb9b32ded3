import Testing

@testable import Wines

/// Lists as restaurants in Britain print them.
@Suite(.timeLimit(.minutes(5))) struct BritishListTests {
    @Test func `reads three glasses and a bottle above the prices`() {
        let list = """
            WHITE                                       125ml   175ml   250ml   Bottle
            Pinot Grigio, Borghetti, Veneto 2022         5.50    7.25    9.75    28.00
            Sauvignon, Yealands, Marlborough 2023        6.50    8.75   11.75    34.00
            Chablis, Gautheron, Burgundy 2021            9.50   12.75   17.25    51.00
            Gavi di Gavi, La Raia, Piedmont 2022                                45.00
            RED                                         125ml   175ml   250ml   Bottle
            Malbec, Alta Vista, Mendoza 2021             7.00    9.50   12.75    37.00
            Rioja Crianza, Conde Valdemar 2019           6.75    9.00   12.00    35.00
            Côtes du Rhône, Guigal 2020                                          42.00
            """
        #expect(
            readServings(list) == [
                "Pinot Grigio, Borghetti, Veneto 2022: glass 125 550, glass 175 725, carafe 250 975, bottle - 2800",
                "Sauvignon, Yealands, Marlborough 2023: glass 125 650, glass 175 875, carafe 250 1175, bottle - 3400",
                "Chablis, Gautheron, Burgundy 2021: glass 125 950, glass 175 1275, carafe 250 1725, bottle - 5100",
                "Gavi di Gavi, La Raia, Piedmont 2022: bottle - 4500",
                "Malbec, Alta Vista, Mendoza 2021: glass 125 700, glass 175 950, carafe 250 1275, bottle - 3700",
                "Rioja Crianza, Conde Valdemar 2019: glass 125 675, glass 175 900, carafe 250 1200, bottle - 3500",
                "Côtes du Rhône, Guigal 2020: bottle - 4200",
            ])
    }

    @Test func `leaves out marks for vegans, and descriptions`() {
        let list = """
            Sparkling & Champagne                              Glass    Bottle
            Prosecco Spumante NV, Ca' del Console, Italy (ve)   £7.50    £36
            Crisp apple and pear with a soft mousse
            Nyetimber Classic Cuvée NV, Sussex, England (v)    £12.50    £68
            Toasty and honeyed, with almond and baked apple
            Bollinger Special Cuvée NV, Champagne, France       £16      £95
            Rich, round and full of spice
            """
        #expect(
            readServings(list) == [
                "Prosecco Spumante NV, Ca' del Console, Italy: glass - 750, bottle - 3600",
                "Nyetimber Classic Cuvée NV, Sussex, England: glass - 1250, bottle - 6800",
                "Bollinger Special Cuvée NV, Champagne, France: glass - 1600, bottle - 9500",
            ])
        #expect(
            readList(list).map(\.name) == ["Ca' del Console", "Nyetimber Classic Cuvée", "Bollinger Special Cuvée"])
    }

    @Test func `reads names, descriptions and prices in lines of their own`() {
        let list = """
            WHITE WINE

            Trebbiano, Sacchetto, Italy
            Light and fresh with citrus fruit.
            175ml £5.20   250ml £7.10   Bottle £20.50

            Sauvignon Blanc, Waipara Hills, New Zealand
            Tropical fruit, gooseberry and a zesty finish.
            175ml £6.60   250ml £9.20   Bottle £26.50

            Chardonnay, Bird in Hand, Adelaide Hills
            White peach, nectarine and creamy oak. A
            rich, rounded style with a long finish.
            Bottle £38.00
            """
        #expect(
            readServings(list) == [
                "Trebbiano, Sacchetto, Italy: glass 175 520, carafe 250 710, bottle - 2050",
                "Sauvignon Blanc, Waipara Hills, New Zealand: glass 175 660, carafe 250 920, bottle - 2650",
                "Chardonnay, Bird in Hand, Adelaide Hills: bottle - 3800",
            ])
    }

    @Test func `does not read the size in a sentence as a head`() {
        let list = """
            WINES BY THE GLASS
            All wines by the glass are also available in 125ml
            White                                           175ml    Btl
            Vermentino, Poggio Argentato, Tuscany 2022       9.50    38
            Assyrtiko, Gaia, Santorini 2022                 13.00    52
            Red                                             175ml    Btl
            Nerello Mascalese, Tornatore, Etna 2020         11.00    44
            """
        #expect(
            readServings(list) == [
                "Vermentino, Poggio Argentato, Tuscany 2022: glass 175 950, bottle - 3800",
                "Assyrtiko, Gaia, Santorini 2022: glass 175 1300, bottle - 5200",
                "Nerello Mascalese, Tornatore, Etna 2020: glass 175 1100, bottle - 4400",
            ])
    }

    @Test func `reads three prices without heads`() {
        let list = """
            Merlot, Santa Rita, Chile                £6.50 | £8.75 | £25
            Shiraz, Berton, Australia                £7.00 | £9.50 | £27
            Fleurie, Duboeuf, France                 £8.25 | £11.00 | £33
            """
        #expect(
            readServings(list) == [
                "Merlot, Santa Rita, Chile: glass - 650, glass - 875, bottle - 2500",
                "Shiraz, Berton, Australia: glass - 700, glass - 950, bottle - 2700",
                "Fleurie, Duboeuf, France: glass - 825, glass - 1100, bottle - 3300",
            ])
    }

    @Test func `finds wines below food without a gap above them`() {
        let list = """
            STARTERS
            Soup of the day                               6.50
            Prawn cocktail                                9.50
            MAINS
            Fish and chips                               16.50
            Ribeye steak, Béarnaise                      28.00
            WINE
            Rioja Crianza, Muga                    7.50  29.00
            Picpoul de Pinet                       6.50  25.00
            BEER
            Peroni                                        5.50
            """
        #expect(
            readServings(list) == [
                "Rioja Crianza, Muga: glass - 750, bottle - 2900",
                "Picpoul de Pinet: glass - 650, bottle - 2500",
            ])
    }

    @Test func `reads the size beside a heading by the glass`() {
        let list = """
            Sparkling by the glass              125ml
            Prosecco, Bisol NV                   7.50
            Crémant de Limoux, Laurens NV        8.50
            Champagne, Billecart-Salmon NV      15.50
            White by the glass                  175ml   250ml
            Picpoul de Pinet 2022                7.50   10.50
            Riesling, Trimbach 2021             10.00   14.00
            """
        #expect(
            readServings(list) == [
                "Prosecco, Bisol NV: glass 125 750",
                "Crémant de Limoux, Laurens NV: glass 125 850",
                "Champagne, Billecart-Salmon NV: glass 125 1550",
                "Picpoul de Pinet 2022: glass 175 750, carafe 250 1050",
                "Riesling, Trimbach 2021: glass 175 1000, carafe 250 1400",
            ])
    }
}
