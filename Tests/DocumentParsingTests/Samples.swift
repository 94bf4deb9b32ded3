/// Invented receipts in the layouts of real stores.
enum Sample {
    static let rewe = """
                REWE
            Anna Beispiel oHG
            Lindenweg 12
            50999 Köln
            UID Nr.: DE999999999
                                     EUR
        VOLLKORNBROT                 2,49 B
        APFEL ELSTAR                 1,87 B
         0,936 kg x   2,00 EUR/kg
        JOGHURT NATUR                2,36 B
         4 Stk x   0,59
        LIMONADE                     0,89 A
        PFAND 0,25 EURO              0,25 A *
        LEERGUT EINWEG              -0,75 A *
         3 Stk x   0,25
        --------------------------------------
        SUMME                EUR     7,11
        ======================================
        Geg. BAR             EUR    10,00
        Rückgeld BAR         EUR     2,89

        Steuer  %    Netto   Steuer   Brutto
        A= 19,0%      0,33     0,06     0,39
        B=  7,0%      6,28     0,44     6,72
        Gesamtbetrag  6,61     0,50     7,11

          14.03.2026   10:15   Bon-Nr.:4711
          Markt:0815  Kasse:2  Bed.:999999
          Datum: 14.03.2026
        Vielen Dank für Ihren Einkauf
        """

    static let lidl = """
                 LIDL
            Am Anger 7
            99099 Erfurt
                                    EUR
        Vollmilch 3,5%   1,05 x 3   3,15 A
        Butter                      1,99 A
        Bananen                     0,87 A
           0,728 kg x 1,19 EUR/kg
        Preisvorteil               -0,30
        Spülmittel                  0,95 B
        zu zahlen                   6,66
        Bar                        10,00
        Rückgeld                   -3,34
        MWST%   MWST  +  Netto  =  Brutto
        A  7%   0,37     5,34      5,71
        B 19%   0,15     0,80      0,95
        Summe   0,52     6,14      6,66
        0815  123456/02 05.02.26 18:31
        """

    static let aldi = """
                A L D I
            Hauptstr. 1, 12345 Musterstadt
        MEHL TYPE 405        0,79 € 1
          2 x 1,99 €
        KAFFEE GEMAHLEN      3,98 € 1
          6 x 0,25 €
        PFANDWERT 0,25 19%   1,50 € 2
        WASSER STILL         1,14 € 2
        ZU ZAHLEN            7,41 €
        BAR                  7,41 €
        MWST        NETTO  BETRAG  BRUTTO
        1  7,00%     4,46    0,31    4,77
        2 19,00%     2,22    0,42    2,64
        Vielen Dank für Ihren Einkauf
        08:12:44 03.01.2026
        03.01.2026
        """

    static let edeka = """
            EDEKA Muster
            Waldweg 3
            44227 Dortmund
                                       EUR
        Hafer Drink   1,29 € x   2     2,58 AW
        Roggenbrot                     3,19 A
        Bio Eier 10er                  3,49 AW
        LEERGUT MW MINUS              -1,50*B
        Coupon: 9941000000000
        Posten: 4           ----------
        SUMME  €                       7,76
        Bar    €                      10,00
        Rückgeld
        Bar    €                      -2,24
        MwSt       NETTO   MwSt   UMSATZ
        A  7%       8,65   0,61     9,26
        B 19%      -1,26  -0,24    -1,50
        """

    static let billa = """
                  BILLA
            Musterstrasse 5, 1070 Wien
                UID: ATU99999999
        SEMMEL KÖRNER          B   0.59
        BERGKÄSE 45%           B   4.49
        2 x 1.79
        ALPENMILCH 1L          B   3.58
        NIMM MEHR              B  -0.60
        WEISSWEIN GV           A   5.99
        Zwischensumme             14.05
        SUMME           EUR       14.05
        BANKOMAT        EUR       14.05
        A: 20% MWST v. 5.99 =      1.00
        Rechnungsnr. 1234
        12.05.2026 17:45
        Datum: 12.05.2026
        """

    static let dm = """
            dm-drogerie markt
            Marktplatz 4
            40210 Düsseldorf
        11.02.2026 11:05 0761/2 145462/5 5030
                                    EUR
        Zahncreme Minze 75ml        1,25 1
        Shampoo Apfel 300ml         2,45 1
        Babybrei Karotte            0,95 2
        SUMME                       4,65
        BAR              EUR      -10,00
        Rückgeld         EUR        5,35
        MwSt-Satz   Brutto   Netto   MwSt
        1=19,00%      3,70    3,11   0,59
        2= 7,00%      0,95    0,89   0,06
        11.02.2026 11:05 0761/2 145462/5 5030
        """

    static let migros = """
            MIGROS
            Seestrasse 9
            8002 Zürich
                                   CHF
        Bananen      0.352  2.70    0.95 1
        Rösti 500g   2      1.40    2.80 1
        TOTAL                       3.75
        Maestro                     3.75
        14.03.2026 18:02
        Datum 14.03.2026
        """
}

extension Sample {
    /// The receipt of the same store without the weight, because a weight is proven only by another reading.
    static let plainRewe = """
                REWE
            Anna Beispiel oHG
            50999 Köln
                                     EUR
        VOLLKORNBROT                 2,49 B
        APFEL ELSTAR                 1,87 B
        JOGHURT NATUR                2,36 B
         4 Stk x   0,59
        LIMONADE                     0,89 A
        PFAND 0,25 EURO              0,25 A *
        LEERGUT EINWEG              -0,75 A *
         3 Stk x   0,25
        --------------------------------------
        SUMME                EUR     7,11
        Geg. BAR             EUR    10,00
        Rückgeld BAR         EUR     2,89
        Steuer  %    Netto   Steuer   Brutto
        A= 19,0%      0,33     0,06     0,39
        B=  7,0%      6,28     0,44     6,72
        Gesamtbetrag  6,61     0,50     7,11
          14.03.2026   10:15   Bon-Nr.:4711
          Datum: 14.03.2026
        Vielen Dank
        """

    static let plainLidl = """
                 LIDL
            Am Anger 7
            99099 Erfurt
                                    EUR
        Vollmilch 3,5%   1,05 x 3   3,15 A
        Butter                      1,99 A
        Preisvorteil               -0,30 A
        Spülmittel                  0,95 B
        zu zahlen                   5,79
        Kreditkarte                 5,79
        MWST%   MWST  +  Netto  =  Brutto
        A  7%   0,32     4,52      4,84
        B 19%   0,15     0,80      0,95
        Summe   0,47     5,32      5,79
        0815  123456/02 05.02.26 18:31
        K-U-N-D-E-N-B-E-L-E-G
        Datum  05.02.26 18:30 Uhr
        """
}
