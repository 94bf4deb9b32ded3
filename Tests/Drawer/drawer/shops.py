"""Shops of seven trades, their articles, and the texts around a purchase. Names, streets and slogans are invented."""

from dataclasses import dataclass

from . import goods


@dataclass(frozen=True)
class Trade:
    """A kind of shop. `goods`: (name, lowest and highest price in cents, VAT class, sizes). `weighed`: (name, lowest and highest
    price in cents per kilogram)."""

    names: tuple[str, ...]
    goods: tuple
    weighed: tuple = ()
    # The share of weighed articles.
    weight_share: float = 0.0
    # The possible numbers of lines of a purchase.
    line_counts: tuple[int, ...] = (1, 2, 3, 5, 7, 9, 12, 16)
    slogans: tuple[str, ...] = ()
    # The possible numbers of digits of an article number; 0 for none.
    article_digits: tuple[int, ...] = (0,)


def _trade(names: str, articles: str, **properties) -> Trade:
    """`articles` has one article per line: name | lowest price | highest price | VAT class | sizes separated by commas."""
    rows = []
    for row in articles.strip().splitlines():
        name, low, high, tax, sizes = (part.strip() for part in row.split("|"))
        rows.append((name, int(low), int(high), tax, sizes.split(",") if sizes else [""]))
    return Trade(tuple(names.split(", ")), tuple(rows), **properties)


GROCER = Trade(
    ("Frischeck", "Korbmann", "Nahgut Markt", "Dorfladen Ellerbach", "Tante Elli", "Vollkorb", "Hofkiste", "Bioladen Ackerglück", "Getränke Huber", "Marktlieb", "Regionalmarkt Süd", "Supermercato Lupo", "Sparkorb", "Lebensmittel Wörz"),
    tuple(goods.GOODS), tuple(goods.WEIGHED), 0.13, (1, 3, 4, 6, 8, 9, 11, 13, 16, 20, 26, 34),
    ("Frisch. Nah. Gut.", "Gutes aus der Region", "Täglich günstig einkaufen", "Mehr fürs Geld", "Ihr Markt um die Ecke"), (0, 0, 0, 4, 6, 8, 13))

BAKER = _trade(
    "Bäckerei Kornblum, Backstube Ehrlich, Brot & Zeit, Bäckerei-Konditorei Zopf, Der Mohnbäck, Ofenfrisch",
    """Kaisersemmel | 35 | 65 | r |
    Roggenmischbrot | 280 | 520 | r | 1kg,500g,
    Laugenbreze | 75 | 130 | r |
    Nussschnecke | 190 | 290 | r |
    Topfengolatsche | 210 | 310 | r |
    Krapfen Marille | 150 | 230 | r |
    Dinkelvollkornbrot | 350 | 560 | r | 750g,
    Butterhörnchen | 120 | 190 | r |
    Apfelstrudel Stk. | 320 | 450 | r |
    Kaffee groß | 320 | 450 | f |
    Cappuccino | 310 | 430 | f |
    Latte Macchiato | 350 | 480 | f |
    Käsestange | 160 | 240 | r |
    Sandwich Salami | 390 | 560 | r |
    Mineralwasser still | 180 | 290 | f | 0,5l,
    Mohnbrötchen | 55 | 85 | r |""",
    line_counts=(1, 1, 2, 2, 3, 4, 6), slogans=("Handwerk seit 1924", "Mit Liebe gebacken", "Natürlich gut"))

RESTAURANT = _trade(
    "Gasthaus zur Linde, Pizzeria Vesuvio, Café Morgenrot, Wirtshaus am Steg, Sushi Nami, Brauhaus Altdorf, Trattoria Da Nino, Landgasthof Adler",
    """Wiener Schnitzel | 1490 | 2490 | r |
    Schweinsbraten | 1290 | 1790 | r |
    Pizza Margherita | 890 | 1250 | r |
    Pizza Diavolo | 1050 | 1450 | r |
    Spaghetti Carbonara | 1090 | 1490 | r |
    Beilagensalat | 390 | 590 | r |
    Tagessuppe | 420 | 620 | r |
    Kaiserschmarrn | 980 | 1350 | r |
    Tiramisu | 550 | 750 | r |
    Helles 0,5 | 420 | 590 | f |
    Weißbier 0,5l | 440 | 590 | f |
    Soda Zitrone | 290 | 420 | f | 0,3l,0,5l
    Apfelsaft gespr. | 380 | 520 | f | 0,5l
    Grüner Veltliner 1/8 | 320 | 480 | f |
    Espresso | 240 | 340 | f |
    Cola 0,33 | 350 | 450 | f |
    Maki Set | 890 | 1290 | r |
    Zwiebelrostbraten | 1990 | 2890 | r |""",
    line_counts=(2, 3, 4, 6, 8, 11), slogans=("Familie Wirt seit 1962", "Warme Küche 11-21 Uhr"))

FUEL = _trade(
    "Tankstelle Brenner, Turbo Tank, Rasthof Nord, AVANTI-Tank, Freie Tankstelle Moos, Pitstop 24",
    """Coffee to go | 220 | 350 | f |
    Schokoriegel | 120 | 199 | r |
    Kaugummi Mint | 110 | 199 | r |
    Energy Drink | 199 | 299 | f | 0,25l,0,5l
    Scheibenklar | 499 | 899 | f | 3l,
    Autowäsche Basic | 799 | 1299 | f |
    Zeitung | 190 | 320 | r |
    Wurstsemmel | 290 | 420 | r |
    Vignette 10 Tage | 990 | 1210 | f |""",
    line_counts=(0, 0, 0, 1, 1, 2, 3), slogans=("Gute Fahrt!", "24 Stunden für Sie da"))
FUELS = (("Diesel", 1399, 1899), ("Super 95", 1399, 1899), ("Super E10", 1459, 1859), ("Super Plus", 1599, 2059), ("ADBLUE", 699, 999))

PHARMACY = _trade(
    "Adler-Apotheke, Apotheke am Markt, Rosen-Apotheke, St. Georg Apotheke, Stadt-Apotheke, Löwen Apotheke",
    """IBUFLAM 400MG FILMTABL | 345 | 780 | f | 20ST,50ST
    NASENSPRAY RATIO | 289 | 499 | f | 10ML,15ML
    PARACETAMOL 500 STADA | 199 | 399 | f | 20ST,
    VITAMIN D3 1000IE | 590 | 1490 | f | 60ST,90ST
    HUSTENSAFT EFEU | 599 | 1099 | f | 100ML,
    WUND-UND HEILSALBE | 450 | 890 | f | 50G,
    HANDCREME UREA | 490 | 1090 | f | 75ML,
    ELEKTROLYT BEUTEL | 490 | 890 | f | 10ST
    PFLASTER ELASTIC | 299 | 599 | f | 20ST,
    Rezeptgebühr | 735 | 735 | r |
    Zuzahlung | 500 | 1000 | f |""",
    line_counts=(1, 1, 2, 3, 4), slogans=("Gesund bleiben", "Wir beraten Sie gern"), article_digits=(0, 7, 8))

HARDWARE = _trade(
    "Bauwelt Kraus, Werkzeugkiste, Heimwerker-Markt Lang, Baumarkt Eder, Garten & Holz, Profi-Bau",
    """Spax Schrauben 4x40 | 399 | 899 | f | 200ST,
    Malerrolle 25cm | 499 | 1299 | f |
    Wandfarbe weiß | 1999 | 5999 | f | 10L,5L
    Silikon transparent | 399 | 899 | f | 300ML
    LED E27 806lm | 299 | 799 | f |
    Kabelbinder | 199 | 599 | f | 100ST
    Blumenerde | 499 | 999 | f | 40L
    Steckdose 2fach | 599 | 1499 | f |
    Bohrer Set HSS | 999 | 2999 | f |
    Dübel SX 8 | 349 | 799 | f | 50ST
    Geranie rot | 299 | 499 | r |
    Gartenschlauch 20m | 1499 | 3499 | f |
    Klebeband | 249 | 549 | f | 50M
    Holzleim | 399 | 799 | f | 250G""",
    line_counts=(1, 2, 3, 4, 6, 9), slogans=("Alles für Haus und Garten", "Mach's selbst!"), article_digits=(0, 7, 8, 13))

IMPORT = _trade(
    "Asia Markt Lotus, Istanbul Markt, Mekong Food, Bazar Anadolu, Polski Sklep Ania, Mini Market Sofia, India Store",
    """Sushi Reis | 299 | 599 | r | 1kg,
    Sojasauce | 199 | 499 | r | 150ml,500ml
    Reisnudeln | 129 | 249 | r | 400g
    Kokosmilch | 119 | 249 | r | 400ml
    Kimchi | 249 | 599 | r | 200g,400g
    Ayran | 69 | 149 | r | 250ml
    Fladenbrot | 99 | 179 | r |
    Schafskäse | 349 | 699 | r | 400g
    Bulgur fein | 149 | 299 | r | 1kg
    Rote Linsen | 169 | 329 | r | 1kg
    Pierogi | 349 | 599 | r | 450g
    Schwarztee | 249 | 599 | r | 500g
    Chilisauce | 179 | 399 | r | 435ml
    Mango | 149 | 299 | r | ST""",
    weighed=(("Pak Choi", 299, 599), ("Auberginen", 199, 399), ("Okra", 499, 899), ("Ingwer", 399, 799), ("Lammkeule", 1190, 1890), ("Oliven lose", 990, 1690)),
    weight_share=0.22, line_counts=(1, 2, 3, 4, 6, 8, 11, 15), slogans=("Lebensmittel aus aller Welt", "Frisch & günstig"), article_digits=(0, 0, 4, 5))

# How often each trade is drawn, in relation to the others.
TRADES = [(GROCER, 10), (BAKER, 2), (RESTAURANT, 2), (FUEL, 2), (PHARMACY, 1), (HARDWARE, 2), (IMPORT, 2)]
