/// Austrian and German synonyms, folded. The first word of each line is the canonical one. The list can be extended.
///
/// Includes plurals that the rules of `NameWords` do not find, and whole words that would be completed to a longer one: the
/// last word of `HÄHNCHEN SÜSS-SAUER` is not `sauerrahm`.
let germanSynonyms = """
    milch milk
    vollmilch frischmilch frischvollmilch bergbauernmilch weidemilch landmilch
    haltbare haltbar uht
    sahne obers schlagobers schlagsahne rahm schlagrahm kaffeesahne
    sauerrahm schmand saurerahm
    sauer
    quark topfen speisequark speisetopfen magerquark magertopfen
    joghurt jogurt yoghurt yogurt naturjoghurt
    butter teebutter markenbutter tafelbutter suessrahmbutter
    ei eier freilandeier frischeier bodenhaltungseier
    frischkaese rahmfrischkaese gervais
    fraiche cremefraiche
    tomate tomaten paradeiser rispentomaten rispenparadeiser rispen
    kartoffel kartoffeln erdaepfel speisekartoffeln heurige drillinge
    karotte karotten moehren moehre
    blumenkohl karfiol
    bohnen fisolen
    kopfsalat haeuptelsalat gruenersalat
    feldsalat vogerlsalat rapunzel
    aubergine melanzani
    pfifferlinge eierschwammerl
    mais kukuruz goldmais zuckermais
    aprikose aprikosen marille marillen
    pflaume pflaumen zwetschke zwetschken zwetschge zwetschgen
    johannisbeere ribisel
    apfel aepfel tafelaepfel
    banane bananen
    zitrone zitronen
    orange orangen saftorangen
    mandarine mandarinen clementinen clementine
    traube trauben weintrauben tafeltrauben
    erdbeere erdbeeren
    heidelbeere heidelbeeren blaubeeren
    gurke gurken salatgurke salatgurken feldgurke schlangengurke
    paprika paprikamix
    zwiebel zwiebeln speisezwiebeln
    knoblauch knofel
    champignon champignons
    zucchini zucchetti
    meerrettich kren
    broetchen semmel semmeln kaisersemmel weckerl kaiserbroetchen weizenbroetchen
    toast toastbrot buttertoast sandwichtoast sandwich
    brot bauernbrot landbrot mischbrot hausbrot roggenmischbrot
    vollkornbrot kornspitz
    hackfleisch faschiertes hack
    huhn huehner hendl haehnchen huehnchen hahn
    huehnerbrust haehnchenbrust huehnerfilet haehnchenfilet haehnchenbrustfilet huehnerbrustfilet hendlfilet brustfilet
    putenschnitzel truthahnschnitzel
    schnitzel schweineschnitzel
    wiener frankfurter wuerstel wuerstchen
    fleischwurst extrawurst lyoner
    schinken kochschinken toastschinken hinterschinken beinschinken pressschinken
    speck bauchspeck schinkenspeck
    lachs raeucherlachs
    thunfisch tuna
    hefe germ
    mehl weizenmehl
    puderzucker staubzucker
    zucker feinkristallzucker kristallzucker raffinadezucker haushaltszucker
    paniermehl semmelbroesel brosel
    nudel nudeln teigwaren pasta
    reis langkornreis
    basmatireis basmati
    passierte passata
    tomatenmark paradeismark
    marmelade konfituere fruchtaufstrich
    nougatcreme nusscreme nougat
    haferflocken porridge
    muesli granola
    mineralwasser wasser tafelwasser sprudel
    limonade kracherl
    bier maerzen lagerbier vollbier pils helles
    kaffee bohnenkaffee roestkaffee kaffeebohnen
    toilettenpapier wcpapier klopapier
    kuechenrolle kuechentuecher haushaltstuecher kuechenpapier
    taschentuch taschentuecher
    muellbeutel muellsaecke muellsack
    spuelmittel geschirrspuelmittel handspuelmittel
    spueltabs geschirrspueltabs geschirrspuelertabs
    waschmittel vollwaschmittel colorwaschmittel
    zahnpasta zahncreme
    duschgel dusche duschbad
    handseife fluessigseife seife
    feuchttuecher feuchttuch
    windeln windel
    tragetasche sackerl papiertasche tasche papiertragetasche
    chips kartoffelchips
    schokolade tafelschokolade
    erdnuss erdnuesse
    scheiben scheibe geschnitten
    gerieben gerieb reibekaese
    natur nature pur
    rotwein rot
    weisswein weiss
    """
