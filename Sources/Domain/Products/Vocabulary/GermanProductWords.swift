/// Words for kinds of products by category: `category: words`, folded. A compound matches by its last part, which must
/// have at least four letters: `ei` does not match `allerlei`.
let germanProductWords = """
    produce: apfel birne banane orange zitrone limette mandarine traube erdbeere himbeere heidelbeere brombeere kirsche
    produce: pfirsich nektarine aprikose pflaume melone wassermelone ananas mango kiwi avocado granatapfel feige obst
    produce: tomate gurke paprika zwiebel knoblauch kartoffel karotte zucchini aubergine brokkoli broccoli blumenkohl
    produce: kohlrabi kraut spinat salat kopfsalat eisbergsalat feldsalat rucola sellerie lauch porree radieschen rettich
    produce: champignon pilze pfifferlinge spargel kuerbis bohnen ingwer petersilie schnittlauch basilikum wirsing
    produce: rhabarber rotebeete gemuese kraeuter beeren
    dairy: milch vollmilch buttermilch sahne sauerrahm quark joghurt butter kaese gouda emmentaler mozzarella feta
    dairy: camembert brie parmesan bergkaese frischkaese fraiche pudding skyr kefir molke ei margarine edamer tilsiter
    dairy: huettenkaese ricotta mascarpone butterkaese milchreis topfencreme fruchtjoghurt kakaomilch ofenkaese
    bread: brot broetchen toast vollkornbrot baguette croissant kipferl brezel zopf striezel kornweckerl knaeckebrot
    bread: brioche wraps krapfen kuchen torte cremeschnitte strudel hoernchen golatsche laugenstange ciabatta fladenbrot nussecke
    meat: hackfleisch huehnerbrust huhn putenschnitzel schnitzel wurst wiener fleischwurst schinken speck salami steak
    meat: fleisch leberkaese leberwurst bratwurst kotelett gulasch braten leber rumpsteak cevapcici rohschinken kantwurst
    meat: lachs forelle thunfisch fisch garnelen hering matjes filet pangasius seelachs mortadella teewurst gefluegel
    pantry: nudel spaghetti penne fusilli bandnudeln hoernchennudeln reis basmatireis mehl zucker puderzucker salz pfeffer
    pantry: oel olivenoel sonnenblumenoel rapsoel essig hefe paniermehl backpulver vanillezucker linsen kichererbsen
    pantry: passierte tomatenmark ketchup mayonnaise senf sauce suppe bruehe marmelade honig nougatcreme haferflocken muesli
    pantry: cornflakes cerealien griess staerke couscous bulgur erbsen mais oliven kapern gewuerz gelierzucker meerrettich
    pantry: tortellini gnocchi kakao kakaopulver sugo pesto mandeln rosinen vanillepudding nuesse haselnuesse kokosmilch
    drinks: mineralwasser limonade saft apfelsaft orangensaft multivitamin nektar cola eistee energydrink sirup bier wein
    drinks: rotwein weisswein sekt prosecco spritzer radler whisky vodka rum gin likoer schnaps kaffee tee espresso
    drinks: kaffeekapseln gruentee fruechtetee haferdrink sojadrink mandeldrink smoothie weissbier kapseln
    sweets: schokolade kekse waffeln gummibaerchen goldbaeren bonbon kaugummi chips erdnuss riegel praline
    sweets: lakritze lebkuchen spekulatius schnitten cracker salzstangen popcorn nachos fruchtgummi mannerschnitten
    sweets: osterhase schokobons schokoriegel salzgebaeck studentenfutter
    frozen: pizza fischstaebchen pommes rahmspinat tiefkuehlgemuese blattspinat eis lasagne fruehlingsrollen tiefkuehl
    frozen: speiseeis eiscreme cremespinat backofenfrites erbsentk knoedel
    household: toilettenpapier kuechenrolle taschentuch muellbeutel spuelmittel spueltabs waschmittel weichspueler
    household: allzweckreiniger reiniger schwamm alufolie frischhaltefolie backpapier kerze batterie tragetasche servietten
    household: glasreiniger entkalker wcreiniger gefrierbeutel topfreiniger holzkohle gluehbirne topfpflanze blumen
    drugstore: zahnpasta zahnbuerste duschgel shampoo handseife deodorant creme lotion rasierer rasiergel haarspray
    drugstore: wattestaebchen wattepads sonnencreme mundspuelung tampons binden slipeinlagen nagellack pflaster lippenpflege
    drugstore: spuelung haargel vitamin magnesium bodylotion handcreme
    baby: windeln feuchttuecher babybrei babynahrung folgemilch babygel brei glaeschen schnuller
    pet: katzenfutter hundefutter katzenstreu tierfutter vogelfutter leckerli katzensnack nassfutter trockenfutter
    deposit: pfand leergut einweg mehrweg pfandwert
    other: zeitung zeitschrift zigaretten tabak gutschein guthaben parken kulturmagazin
    """
