"""Invented articles, brands, people and streets."""

import random
from dataclasses import dataclass

BRANDS = """Almhof Bellkorn Brunnauer Carvella Dornfelder Edelhag Fellini Gutental Haselbach Immerfrisch Jorinde Kellmann
Landgraf Morgental Nordwies Ostara Pamina Quellbach Rubina Sonnenau Tannhof Ulmenhof Veldora Wiesenglück Zartfein Bergsee
Kornella Milbona-Ast Rapunzia Sennhütte Talfrisch Vitakorn""".split()

# Name, lowest and highest price in cents, VAT class (r reduced, f full, m middle in Austria), sizes after the name.
GOODS = [
    ("Vollmilch 3,5%", 95, 159, "r", ["1L", ""]), ("H-Milch 1,5%", 89, 135, "r", ["1L", "1,0L"]),
    ("Butter mild", 149, 299, "r", ["250G", "250g"]), ("Joghurt Natur", 39, 119, "r", ["500G", "150g", ""]),
    ("Fruchtjoghurt Kirsche", 35, 89, "r", ["150G", ""]), ("Speisequark mager", 69, 139, "r", ["500G", "250G"]),
    ("Schlagsahne", 59, 119, "r", ["200ML", "200g"]), ("Gouda jung", 159, 349, "r", ["400G", "in Sch."]),
    ("Bergkäse gerieben", 199, 349, "r", ["200G", ""]), ("Frischkäse Kräuter", 79, 189, "r", ["200g", ""]),
    ("Mozzarella", 65, 139, "r", ["125G", ""]), ("Eier Freiland", 179, 359, "r", ["10ER", "6ST", "10 St."]),
    ("Roggenmischbrot", 139, 349, "r", ["750G", "500g", ""]), ("Kaiserbrötchen", 19, 45, "r", [""]),
    ("Laugenbrezel", 49, 99, "r", [""]), ("Toast Weizen", 99, 189, "r", ["500G"]), ("Croissant Butter", 69, 129, "r", [""]),
    ("Mehl Type 405", 49, 129, "r", ["1KG"]), ("Zucker fein", 89, 169, "r", ["1KG"]), ("Spaghetti Nr. 5", 79, 199, "r", ["500G"]),
    ("Basmatireis", 149, 329, "r", ["1KG", "500g"]), ("Haferflocken zart", 59, 149, "r", ["500G"]),
    ("Tomaten passiert", 69, 149, "r", ["500G"]), ("Rapsöl", 149, 299, "r", ["1L", "0,75L"]),
    ("Olivenöl nativ", 499, 999, "r", ["0,5L", "750ML"]), ("Senf mittelscharf", 59, 139, "r", ["200ML"]),
    ("Ketchup", 119, 279, "r", ["500ML"]), ("Gewürzgurken", 129, 249, "r", ["720ML", ""]),
    ("Kichererbsen", 69, 139, "r", ["400G"]), ("Thunfisch Öl", 99, 219, "r", ["195G"]), ("Salami fein", 149, 299, "r", ["100G", "80g"]),
    ("Kochschinken", 149, 319, "r", ["200G", ""]), ("Hähnchenbrustfilet", 399, 899, "r", ["400G", ""]),
    ("Hackfleisch gemischt", 299, 649, "r", ["500G"]), ("Wiener Würstchen", 199, 399, "r", [""]),
    ("Fischstäbchen", 199, 449, "r", ["15ER", "450G"]), ("Pizza Salami TK", 179, 379, "r", ["350G", ""]),
    ("Blattspinat TK", 99, 219, "r", ["450G"]), ("Salatgurke", 49, 139, "r", ["ST", ""]), ("Eisbergsalat", 79, 169, "r", ["ST", ""]),
    ("Paprika Mix", 149, 299, "r", ["500G"]), ("Zitronen Netz", 119, 229, "r", ["500G"]), ("Himbeeren", 149, 349, "r", ["125G"]),
    ("Schokolade Vollmilch", 79, 199, "r", ["100G"]), ("Gummibären", 79, 149, "r", ["200g"]), ("Butterkekse", 79, 179, "r", ["200G"]),
    ("Chips Paprika", 99, 249, "r", ["175G"]), ("Erdnüsse gesalzen", 129, 249, "r", ["200G"]), ("Honig Blüten", 299, 599, "r", ["500G"]),
    ("Erdbeerkonfitüre", 149, 329, "r", ["340G"]), ("Kaffee gemahlen", 499, 899, "r", ["500G"]), ("Pfefferminztee", 69, 199, "r", ["20BT"]),
    ("Kakaopulver", 189, 349, "r", ["400g"]), ("Babybrei Karotte", 75, 149, "r", ["190G"]), ("Sauerkraut", 69, 149, "r", ["500G"]),
    ("Tofu Räucher", 149, 289, "r", ["200G"]), ("Hafer Drink", 99, 229, "f", ["1L"]), ("Mandel Drink", 139, 249, "f", ["1L"]),
    ("Mineralwasser", 19, 89, "f", ["1,5L", "1L"]), ("Apfelschorle", 69, 129, "f", ["1,0L", "0,5L"]), ("Orangensaft", 129, 279, "f", ["1L"]),
    ("Cola Zero", 69, 149, "f", ["1,25L", "0,33L"]), ("Limonade Zitrone", 49, 119, "f", ["1,5L"]), ("Eistee Pfirsich", 69, 159, "f", ["1,5L", "0,5L"]),
    ("Pils Kiste", 899, 1699, "f", ["20X0,5L", "6X0,33"]), ("Radler", 59, 119, "f", ["0,5L"]), ("Rotwein trocken", 199, 699, "f", ["0,75L"]),
    ("Weißwein Riesling", 249, 799, "f", ["0,75L"]), ("Wodka", 599, 1199, "f", ["0,7L"]), ("Zahncreme Minze", 65, 249, "f", ["75ML", "125ml"]),
    ("Duschgel Citrus", 95, 299, "f", ["250ML", "300ml"]), ("Shampoo Brennnessel", 125, 399, "f", ["300ML"]), ("Handseife", 79, 199, "f", ["500ML"]),
    ("Toilettenpapier 3-lg", 249, 549, "f", ["8X150", "10ER"]), ("Küchenrolle", 179, 349, "f", ["4ER", "3X64"]), ("Müllbeutel 20L", 99, 249, "f", ["30ST"]),
    ("Spülmittel Apfel", 89, 199, "f", ["500ML"]), ("Waschmittel Color", 299, 899, "f", ["20WL", "1,1L"]), ("Geschirrtabs", 349, 899, "f", ["40ST"]),
    ("Alufolie", 129, 249, "f", ["30M"]), ("Kerzen Stumpen", 199, 499, "f", [""]), ("Batterien AA", 199, 599, "f", ["4ER"]),
    ("Katzenfutter Rind", 39, 99, "r", ["100G"]), ("Blumenstrauß", 399, 999, "r", [""]), ("Grußkarte", 99, 299, "f", [""]),
    ("Tragetasche Papier", 20, 35, "f", [""]), ("Zigarettenpapier", 119, 199, "f", [""]), ("Rasierklingen", 399, 999, "f", ["8ER"]),
]
# Articles sold by weight, with the lowest and highest price per kilogram in cents.
WEIGHED = [
    ("Bananen", 99, 219), ("Äpfel Elstar", 169, 329), ("Tomaten Rispen", 199, 449), ("Zwiebeln lose", 89, 199),
    ("Karotten lose", 79, 189), ("Trauben hell", 249, 499), ("Birnen Conf.", 199, 359), ("Ingwer", 399, 799),
    ("Kartoffeln festk.", 89, 199), ("Schinkenwurst", 990, 1890), ("Leberkäse", 890, 1590), ("Emmentaler Stk", 1190, 2190),
    ("Lachsfilet", 1990, 3490), ("Minutensteak", 890, 1690), ("Brokkoli", 199, 399), ("Zwetschgen", 179, 349),
]
STREETS = """Ahornweg Birkenallee Dorfstraße Eichendorffplatz Feldstraße Gartenweg Hafenstraße Im Winkel Kirchplatz Lerchenweg Mühlgasse
Neuer Markt Ostring Parkstraße Quellenweg Rosengasse Schulstraße Talweg Uferstraße Weidenweg""".replace("Im Winkel", "Im-Winkel").replace("Neuer Markt", "Neumarkt").split()
TOWNS = {
    "DE": "Altenfurt Brückheim Dannau Ellerbach Feldkirchen Grünsee Hohenau Ilmental Kaltenbrunn Lindenau Moosfeld Neuwerda".split(),
    "AT": "Aubach Bergheim Dornau Feldsee Grabendorf Hochleiten Innerau Kirchau Murfeld Obersee Pielau Sankt-Wolf".split(),
    "CH": "Aarbrugg Bergwil Dornikon Egglisau Flurlingen Grüenau".split(),
}
PEOPLE = "Anna Beispiel, Jörg Mustermann, Carla Probst, Timo Niemand, Petra Irgend, Lutz Erdacht".split(", ")


@dataclass
class Good:
    """An article of a line: its full name, its price and deposit in cents, its VAT class, and its weight, which is 0 if it is
    sold by the piece."""

    name: str
    price: int
    tax: str
    grams: int = 0
    deposit: int = 0


def pick(dice: random.Random, country: str) -> Good:
    """Draws an article. About one in eight is sold by weight."""
    if dice.random() < 0.13:
        name, low, high = dice.choice(WEIGHED)
        price = dice.randrange(low, high + 1, 10) // 10 * 10 + 9
        return Good(name, price, "r", grams=dice.randrange(58, 2200, dice.choice([1, 2, 2])))
    name, low, high, tax, sizes = dice.choice(GOODS)
    price = dice.randrange(low, high + 1)
    # Most prices end with 9 or 5.
    price = dice.choice([price // 10 * 10 + 9, price // 10 * 10 + 9, price // 10 * 10 + 5, price])
    words = [name, dice.choice(sizes)]
    if dice.random() < 0.45:
        words.insert(0, dice.choice(BRANDS))
    if dice.random() < 0.1:
        words.insert(0, "Bio")
    deposit = 0
    if country == "DE" and any(drink in name for drink in ("wasser", "schorle", "Cola", "Limo", "Eistee", "Radler")):
        deposit = dice.choice([25, 25, 15, 8])
    if "Wein" in name and country == "AT":
        tax = "f"
    return Good(" ".join(word for word in words if word), price, tax, deposit=deposit)


def shortened(name: str, width: int, dice: random.Random, upper: bool) -> str:
    """A name as a till prints it: cut to `width`, in capitals if `upper`, and in about a third of the cases with abbreviated words."""
    if dice.random() < 0.35:
        words = name.split()
        long = [i for i, word in enumerate(words) if len(word) > 6 and word.isalpha()]
        short = list(words)
        for i in long[: dice.randint(1, 2)]:
            short[i] = words[i][: dice.randint(3, 5)] + "."
        # Tills do not abbreviate names so much that they are unrecognisable.
        if len(" ".join(short)) >= 8:
            name = " ".join(short)
    if upper:
        name = name.replace("ß", "SS").upper()
        if dice.random() < 0.3:
            name = name.replace("Ä", "AE").replace("Ö", "OE").replace("Ü", "UE")
    return name[:width].rstrip()
