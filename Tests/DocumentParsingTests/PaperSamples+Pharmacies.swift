import DocumentParsing
import Domain

extension PaperSample {
    static let pharmaciesAndDIY: [PaperSample] = [
        PaperSample(
            .pharmacy, "Apotheke zum Löwen", 1_905, "2026-08-05", "pharmacy",
            """
            Apotheke zum Löwen
            Mag. pharm. A. Huber KG
            Josefstädter Str. 25
            1080 Wien
            05.08.2026 10:12
            Rezeptgebühr  2 x 7,55     15,10
            Aspirin Complex             3,95
            Summe EUR                  19,05
            Bankomat                   19,05
            """),
        PaperSample(
            .pharmacy, "Sonnen-Apotheke", 2_649, "2026-02-12", "pharmacy",
            """
            Sonnen-Apotheke
            Inh. Dr. K. Weber e.K.
            Marktplatz 3  79098 Freiburg
            Kassenbon 12.02.2026 17:40
            Ibuprofen 400 PZN 01126111     5,49
            Nasenspray PZN 02940125        4,00
            Rezept Zuzahlung              17,00
            Total EUR                     26,49
            MwSt 19% 1,52
            EC-Karte                      26,49
            """),
        PaperSample(
            .pharmacy, "Benu Apotheke", 3_480, "2026-07-17", "pharmacy",
            """
            BENU Apotheke Bahnhof
            6003 Luzern
            17.07.2026 08:31
            Arzneimittel             24.90
            Pflaster                  9.90
            Total CHF                34.80
            Twint                    34.80
            """),
        PaperSample(
            .diy, "OBI", 8_776, "2026-04-25", "diy",
            """
            OBI Bau- und Heimwerkermarkt
            Filiale 118 Graz
            25.04.2026 10:55
            Schrauben 4x40        7,99
            Wandfarbe weiss      49,99
            Pinsel 2 x 3,99       7,98
            Blumenerde 40l       21,80
            Summe EUR            87,76
            Bankomat             87,76
            MwSt 20% 14,63 Netto 73,13
            """),
        PaperSample(
            .diy, "Hornbach", 12_445, "2026-05-16", "diy",
            """
            HORNBACH Baumarkt AG
            76877 Offenbach
            16.05.2026 13:20 Kasse 4
            Holzbrett 2m        24,95
            Akkuschrauber       89,50
            Dübel               10,00
            Zwischensumme      124,45
            Total EUR          124,45
            Girocard           124,45
            A 19,0% 104,58 19,87 124,45
            """),
        PaperSample(
            .diy, "Lagerhaus", 4_510, "2026-03-28", "diy",
            """
            Lagerhaus Tulln
            Bau & Gartencenter
            28.03.2026 09:10
            Dünger 10kg        18,90
            Schrauben Set      14,30
            Gartenschere       11,90
            Summe EUR          45,10
            """),
    ]
}
