"""The words of wine lists in five languages."""

LANGUAGES = ["de", "en", "fr", "it", "es"]
TITLES = {"de": "Weinkarte", "en": "Wine List", "fr": "Carte des Vins", "it": "Carta dei Vini", "es": "Carta de Vinos"}
COLORS = {
    "de": {"red": "Rotweine", "white": "Weißweine", "rose": "Roséweine", "sparkling": "Schaumweine", "sweet": "Süßweine", "fortified": "Portwein & Sherry"},
    "en": {"red": "Red Wines", "white": "White Wines", "rose": "Rosé Wines", "sparkling": "Sparkling", "sweet": "Dessert Wines", "fortified": "Fortified Wines"},
    "fr": {"red": "Vins rouges", "white": "Vins blancs", "rose": "Vins rosés", "sparkling": "Bulles", "sweet": "Vins doux", "fortified": "Vins fortifiés"},
    "it": {"red": "Vini Rossi", "white": "Vini Bianchi", "rose": "Vini Rosati", "sparkling": "Bollicine", "sweet": "Vini Dolci", "fortified": "Vini Liquorosi"},
    "es": {"red": "Vinos Tintos", "white": "Vinos Blancos", "rose": "Vinos Rosados", "sparkling": "Espumosos", "sweet": "Vinos Dulces", "fortified": "Vinos Generosos"},
}
COUNTRIES = {
    "de": {"France": "Frankreich", "Italy": "Italien", "Spain": "Spanien", "Germany": "Deutschland", "Austria": "Österreich", "United States": "USA", "Portugal": "Portugal", "Australia": "Australien", "Chile": "Chile", "Argentina": "Argentinien", "South Africa": "Südafrika", "New Zealand": "Neuseeland", "Brazil": "Brasilien"},
    "en": {},
    "fr": {"Italy": "Italie", "Spain": "Espagne", "Germany": "Allemagne", "Austria": "Autriche", "United States": "États-Unis", "Australia": "Australie", "Chile": "Chili", "Argentina": "Argentine", "South Africa": "Afrique du Sud", "New Zealand": "Nouvelle-Zélande", "Brazil": "Brésil"},
    "it": {"France": "Francia", "Italy": "Italia", "Spain": "Spagna", "Germany": "Germania", "United States": "Stati Uniti", "Portugal": "Portogallo", "Chile": "Cile", "South Africa": "Sudafrica", "New Zealand": "Nuova Zelanda", "Brazil": "Brasile", "Switzerland": "Svizzera"},
    "es": {"France": "Francia", "Italy": "Italia", "Spain": "España", "Germany": "Alemania", "United States": "Estados Unidos", "South Africa": "Sudáfrica", "New Zealand": "Nueva Zelanda", "Brazil": "Brasil", "Switzerland": "Suiza"},
}
HEADS = {
    "de": {"glass": "Glas", "carafe": "Karaffe", "half": "Halbe", "bottle": "Flasche", "magnum": "Magnum"},
    "en": {"glass": "Glass", "carafe": "Carafe", "half": "Half", "bottle": "Bottle", "magnum": "Magnum"},
    "fr": {"glass": "Verre", "carafe": "Pichet", "half": "Demi", "bottle": "Bouteille", "magnum": "Magnum"},
    "it": {"glass": "Calice", "carafe": "Caraffa", "half": "Mezza", "bottle": "Bottiglia", "magnum": "Magnum"},
    "es": {"glass": "Copa", "carafe": "Jarra", "half": "Media", "bottle": "Botella", "magnum": "Magnum"},
}
# Names on lists for grapes that have two names in X-Wines.
GRAPES = {"Syrah/Shiraz": "Syrah", "Muscat/Moscato": "Muscat", "Carignan/Cariñena": "Carignan"}
ABBREVIATIONS = {
    "Château": ["Ch.", "Cht.", "Chât."], "Domaine": ["Dom.", "Dne."], "Cabernet": ["Cab.", "Cab"], "Sauvignon": ["Sauv.", "Sauv"],
    "Chardonnay": ["Chard.", "Chard"], "Reserve": ["Res.", "Rsv."], "Reserva": ["Res.", "Rva."], "Réserve": ["Rés."], "Riserva": ["Ris."], "Vineyard": ["Vyd.", "Vnyd."],
    "Vineyards": ["Vyds."], "Estate": ["Est."], "Zinfandel": ["Zin"], "Weingut": ["Wgt.", "WG"], "Saint": ["St."], "Sankt": ["St."],
    "Winery": ["Wnry."], "Grand": ["Gd."], "Blanc": ["Bl."], "Tenuta": ["Ten."], "Bodegas": ["Bod."], "Bodega": ["Bod."], "Fattoria": ["Fatt."],
    "Azienda": ["Az."], "Grüner": ["Gr."], "Veltliner": ["Veltl."], "Spätburgunder": ["Spätbg."], "Trocken": ["tr."], "Spumante": ["Spum."],
}
