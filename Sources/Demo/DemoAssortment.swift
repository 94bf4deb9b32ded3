/// The assortment of the demo household. Prices and addresses are invented.
///
/// A line `* name | category | base unit | flags` begins a comparison group. The lines below it are its products:
/// `chain: printed name | product name | package | initial price`. A second printed name or package after `>` replaces
/// the first one during the period. The package `kg` marks products that are sold by weight.
///
/// Flags: `rise=N` increases the prices by N percent over the whole period; `season=10-2` limits the sale to the months
/// from October to February; `often=N` makes purchases N times as likely; `deposit=N` adds a deposit in cents.
let demoAssortment = """
    * H-Milch 3,5 % | dairy | l | rise=9 often=5
    billa: Clever H-Milch 3,5% | Clever Haltbare Milch 3,5 % | 1 l | 1.15
    spar: S-BUDGET H-MILCH 3,5% | S-BUDGET Haltbarmilch 3,5 % | 1 l | 1.15
    hofer: MILFINA H-MILCH 3,5% | Milfina Haltbarmilch 3,5 % | 1 l | 1.13
    rewe: JA! H-MILCH 3,5% > JA! HALTB.MILCH 3,5 | ja! Haltbare Milch 3,5 % | 1 l | 1.05
    * Bio-Vollmilch 3,8 % | dairy | l | rise=7 often=4
    billa: Ja!Nat. Bio Vollmilch 3,8% | Ja! Natürlich Bio-Vollmilch | 1 l | 1.79
    spar: NATUR*PUR BIO-VOLLM. 3,8% | SPAR Natur*pur Bio-Vollmilch | 1 l | 1.69
    hofer: ZZ URSPRUNG BIO-VOLLMILCH 3,8% | Zurück zum Ursprung Bio-Vollmilch | 1 l | 1.69
    rewe: REWE BIO VOLLMILCH 3,8% | REWE Bio Vollmilch | 1 l | 1.55
    * Butter 250 g | dairy | kg | rise=31 often=4
    billa: Clever Teebutter 250g | Clever Teebutter | 250 g | 1.99
    spar: S-BUDGET TEEBUTTER 250G | S-BUDGET Teebutter | 250 g | 1.99
    hofer: MILFINA TEEBUTTER > TEEBUTTER 250G MILFINA | Milfina Teebutter | 250 g | 1.95
    rewe: JA! DT.MARKENBUTTER | ja! Deutsche Markenbutter | 250 g | 1.79
    * Irische Butter | dairy | kg | rise=24
    spar: KERRYGOLD BUTTER 250G | Kerrygold Original Irische Butter | 250 g | 3.19
    rewe: KERRYGOLD UNGESA | Kerrygold Irische Butter ungesalzen | 250 g | 3.19
    * Naturjoghurt 3,6 % | dairy | kg | rise=8 often=3
    billa: Clever Naturjogh. 3,6% 500g | Clever Naturjoghurt 3,6 % | 500 g | 0.99
    spar: S-BUDGET NATURJOGHURT 3,6% | S-BUDGET Naturjoghurt | 500 g | 0.99
    hofer: MILFINA NATURJOGHURT 3,6% | Milfina Naturjoghurt | 500 g | 0.95
    rewe: JA! NATURJOG. 3,5% | ja! Naturjoghurt mild | 500 g | 0.89
    * Erdbeerjoghurt | dairy | kg | rise=10 often=2
    billa: NÖM Fru Fru Erdbeerjogh. 180g | NÖM Erdbeerjoghurt | 180 g | 0.99
    hofer: MILFINA FRUCHTJOGH. ERDBEERE | Milfina Fruchtjoghurt Erdbeere | 200 g | 0.49
    rewe: EHRM.ALMIGHURT ERDB. | Ehrmann Almighurt Erdbeere | 150 g | 0.69
    * Topfen 20 % | dairy | kg | rise=6 often=2
    billa: Clever Topfen 20% 250g | Clever Speisetopfen 20 % | 250 g | 1.09
    spar: S-BUDGET SPEISETOPFEN 20% | S-BUDGET Topfen 20 % | 250 g | 1.05
    hofer: MILFINA TOPFEN 20% | Milfina Topfen 20 % | 250 g | 1.05
    rewe: JA! SPEISEQUARK 20% | ja! Speisequark 20 % | 500 g | 1.39
    * Schlagobers | dairy | l | rise=12 often=2
    billa: Clever Schlagobers 250ml | Clever Schlagobers | 250 ml | 1.29
    spar: S-BUDGET SCHLAGO. 250ML | S-BUDGET Schlagobers | 250 ml | 1.29
    hofer: MILFINA SCHLAGOBERS | Milfina Schlagobers | 250 ml | 1.25
    rewe: JA! SCHLAGSAHNE 200G > JA! SCHLAGS. 30% 200G | ja! Schlagsahne | 200 g | 0.99
    * Gouda in Scheiben | dairy | kg | rise=11 often=3
    billa: Clever Gouda Scheiben 400g | Clever Gouda in Scheiben | 400 g | 3.29
    spar: S-BUDGET GOUDA GESCHN. 400G | S-BUDGET Gouda geschnitten | 400 g | 3.29
    hofer: GOUDA SCHEIBEN 400G | Milsani Gouda Scheiben | 400 g | 3.19
    rewe: GOUDA JUNG GESCH | ja! Gouda jung geschnitten | 400 g | 2.99
    * Mozzarella | dairy | kg | rise=9 often=2
    billa: Clever Mozzarella 125g | Clever Mozzarella | 125 g | 0.99
    hofer: CUCINA MOZZARELLA 125G | Cucina Nobile Mozzarella | 125 g | 0.95
    spar: S-BUDGET MOZZARELLA | S-BUDGET Mozzarella | 125 g | 0.95
    rewe: JA! MOZZAR. 125G | ja! Mozzarella | 125 g | 0.89
    * Freilandeier 10 Stück | dairy | Stk | rise=18 often=3
    billa: Clever Freilandeier 10er | Clever Freilandeier | 10 Stk | 3.29
    spar: S-BUDGET FREILANDEIER 10ER | S-BUDGET Freilandeier | 10 Stk | 3.29
    hofer: EIER FREILAND 10ER | Freilandeier aus Österreich | 10 Stk | 3.19
    rewe: BIO EIER M+L 10ER | REWE Bio Eier | 10 Stk | 3.79
    * Frischkäse natur | dairy | kg | rise=9
    billa: Philadelphia Natur 175g | Philadelphia Natur | 175 g | 2.19
    hofer: MILFINA FRISCHK. NATUR | Milfina Frischkäse natur | 200 g | 1.19
    rewe: JA! FRISCHK. NATUR | ja! Frischkäse Natur | 200 g | 0.99
    * Mischbrot | bread | kg | rise=10 often=3
    billa: Hausbrot 1kg | BILLA Hausbrot | 1 kg | 3.29
    spar: BAUERNBROT 1KG | SPAR Bauernbrot | 1 kg | 3.49
    hofer: BACKBOX BAUERNBROT 1KG | Backbox Bauernbrot | 1 kg | 2.79
    rewe: LANDBROT 1000G | REWE Landbrot | 1 kg | 2.99
    * Semmel | bread | Stk | rise=14 often=4
    billa: Kaisersemmel | Kaisersemmel | 1 Stk | 0.35
    spar: KAISERSEMMEL | Kaisersemmel handgemacht | 1 Stk | 0.39
    hofer: BACKBOX SEMMEL | Backbox Semmel | 1 Stk | 0.29
    rewe: KAISERBROETCHEN | Kaiserbrötchen | 1 Stk | 0.35
    * Toastbrot | bread | kg | rise=8 often=2
    billa: Clever Toastbrot 500g | Clever Toastbrot | 500 g | 1.29
    spar: S-BUDGET TOASTBROT 500G | S-BUDGET Toastbrot | 500 g | 1.29
    hofer: BUTTERTOAST 500G | Happy Harvest Buttertoast | 500 g | 1.19
    rewe: JA! BUTTERTOAST | ja! Buttertoast | 500 g | 1.09
    * Faschiertes gemischt | meat | kg | rise=22 often=3
    billa: Fasch.gemischt 500g | Hofstädter Faschiertes gemischt | 500 g | 5.49
    spar: TANN FASCHIERTES GEM. 500G | TANN Faschiertes gemischt | 500 g | 5.49
    hofer: FASCHIERTES GEMISCHT 500G | Faschiertes gemischt | 500 g | 4.99
    rewe: HACKFLEISCH GEM. 500G | REWE Hackfleisch gemischt | 500 g | 4.79
    * Hühnerfilet | meat | kg | rise=15 often=3
    billa: Hühnerfilet kg | BILLA Hühnerfilet | kg | 12.99
    spar: HUEHNERBRUSTFILET KG | SPAR Hühnerbrustfilet | kg | 12.99
    hofer: HUEHNERFILET KG | Hühnerfilet | kg | 11.49
    rewe: HAEHN.BRUSTFILET KG | REWE Hähnchenbrustfilet | kg | 11.90
    * Extrawurst | meat | kg | rise=12
    billa: Clever Extrawurst 150g | Clever Extrawurst | 150 g | 1.49
    spar: S-BUDGET EXTRAWURST 200G | S-BUDGET Extrawurst | 200 g | 1.69
    hofer: EXTRAWURST GESCHN. 200G | Hofer Extrawurst | 200 g | 1.59
    * Kochschinken | meat | kg | rise=13 often=2
    billa: Clever Toastschinken 200g | Clever Toastschinken | 200 g | 2.19
    spar: S-BUDGET TOASTSCHINKEN 200G | S-BUDGET Toastschinken | 200 g | 2.19
    hofer: TOASTSCHINKEN 200G | Toastschinken | 200 g | 1.99
    rewe: JA! KOCHSCHINKEN 200G | ja! Kochschinken | 200 g | 1.79
    * Räucherlachs | meat | kg | rise=16
    hofer: RAEUCHERLACHS 100G | Almare Räucherlachs | 100 g | 3.49
    spar: RAEUCHERLACHS 100G | SPAR Räucherlachs | 100 g | 3.99
    rewe: RAEUCHERLACHS 200G | ja! Räucherlachs | 200 g | 5.49
    * Bananen | produce | kg | rise=8 often=5
    billa: Bananen kg | Bananen | kg | 1.79
    spar: BANANEN KG | Bananen | kg | 1.79
    hofer: BANANEN LOSE KG | Bananen lose | kg | 1.59
    rewe: BANANE CHIQUITA | Bananen Chiquita | kg | 1.99
    * Äpfel | produce | kg | rise=6 often=4
    billa: Apfel Gala kg | Äpfel Gala | kg | 2.49
    spar: AEPFEL GALA KG | Äpfel Gala | kg | 2.49
    hofer: AEPFEL GOLDEN 2KG | Äpfel Golden Delicious | 2 kg | 3.49
    rewe: APFEL ELSTAR KG | Äpfel Elstar | kg | 2.29
    * Rispentomaten | produce | kg | rise=7 often=4 season=1-12
    billa: Rispenparadeiser kg | Rispenparadeiser | kg | 3.49
    spar: RISPENPARADEISER KG | Rispenparadeiser | kg | 3.49
    hofer: RISPENPARADEISER 500G | Rispenparadeiser | 500 g | 1.69
    rewe: TOMATE RISPE KG | Rispentomaten | kg | 2.99
    * Salatgurke | produce | Stk | rise=5 often=3
    billa: Gurke Stk | Salatgurke | 1 Stk | 0.99
    hofer: GURKE STK | Gurke | 1 Stk | 0.89
    spar: SALATGURKE STK | Salatgurke | 1 Stk | 0.99
    rewe: SALATGURKE | Salatgurke | 1 Stk | 0.79
    * Erdäpfel festkochend | produce | kg | rise=4 often=3
    billa: Erdäpfel festk. 2kg | Erdäpfel festkochend | 2 kg | 2.99
    spar: ERDAEPFEL FESTK. 2KG | Erdäpfel festkochend | 2 kg | 2.99
    hofer: ERDAEPFEL FESTKOCHEND 2KG | Erdäpfel festkochend | 2 kg | 2.69
    rewe: SPKART FESTK. 2KG | Speisekartoffeln festkochend | 2 kg | 2.79
    * Zwiebeln | produce | kg | rise=3 often=2
    billa: Zwiebel gelb 1kg | Zwiebel gelb | 1 kg | 1.29
    hofer: ZWIEBEL 1KG | Zwiebel | 1 kg | 1.19
    rewe: ZWIEBEL GELB 1KG | Speisezwiebeln | 1 kg | 1.19
    * Karotten | produce | kg | rise=4 often=2
    billa: Karotten 1kg | Karotten | 1 kg | 1.39
    spar: KAROTTEN 1KG | Karotten | 1 kg | 1.39
    hofer: KAROTTEN 1KG | Karotten | 1 kg | 1.19
    rewe: MOEHREN 1KG | Möhren | 1 kg | 1.19
    * Erdbeeren | produce | kg | rise=8 season=4-7 often=5
    billa: Erdbeeren 500g | Erdbeeren | 500 g | 3.99
    spar: ERDBEEREN 500G | Erdbeeren | 500 g | 3.99
    hofer: ERDBEEREN 500G | Erdbeeren | 500 g | 3.49
    * Mandarinen | produce | kg | rise=6 season=10-2 often=4
    billa: Clementinen 1kg | Clementinen | 1 kg | 2.49
    hofer: MANDARINEN 1KG | Mandarinen | 1 kg | 2.29
    rewe: MANDARINE 1KG | Mandarinen | 1 kg | 2.19
    * Spaghetti | pantry | kg | rise=-6 often=3
    billa: Clever Spaghetti 500g | Clever Spaghetti | 500 g | 0.89
    spar: S-BUDGET SPAGHETTI 500G | S-BUDGET Spaghetti | 500 g | 0.89
    hofer: CUCINA SPAGHETTI 500G | Cucina Spaghetti | 500 g | 0.85
    rewe: JA! SPAGHE. 500G | ja! Spaghetti | 500 g | 0.79
    * Basmatireis | pantry | kg | rise=7
    billa: Clever Basmatireis 1kg | Clever Basmatireis | 1 kg | 2.49
    hofer: BASMATI REIS 1KG | Le Gusto Basmatireis | 1 kg | 2.39
    rewe: JA! BASMATIR. 1KG | ja! Basmatireis | 1 kg | 2.29
    * Weizenmehl glatt | pantry | kg | rise=-9 often=2
    billa: Clever Weizenmehl glatt 1kg | Clever Weizenmehl glatt | 1 kg | 0.89
    spar: S-BUDGET MEHL GLATT 1KG | S-BUDGET Weizenmehl glatt | 1 kg | 0.89
    hofer: HAPPY HARVEST WEIZENMEHL GLATT | Happy Harvest Weizenmehl glatt | 1 kg | 0.85
    rewe: JA! WEIZENMEHL | ja! Weizenmehl Type 405 | 1 kg | 0.79
    * Kristallzucker | pantry | kg | rise=-12
    billa: Wiener Zucker Feinkrist. 1kg | Wiener Zucker Feinkristallzucker | 1 kg | 1.79
    hofer: FEINKRISTALLZUCKER 1KG | Feinkristallzucker | 1 kg | 1.49
    rewe: SUEDZUCKER RAFFIN.ZUCKER 1KG | Südzucker Raffinadezucker | 1 kg | 1.59
    * Olivenöl nativ extra | pantry | l | rise=19
    billa: Clever Olivenöl nat.extra 0,5l | Clever Olivenöl nativ extra | 0,5 l | 5.99
    hofer: OLIVENOEL NATIV EXTRA 0,75L | Cucina Olivenöl nativ extra | 0,75 l | 7.99
    rewe: JA! OLIVENOEL 0,5L | ja! Olivenöl nativ extra | 0,5 l | 5.49
    * Sonnenblumenöl | pantry | l | rise=-10
    billa: Clever Sonnenblumenöl 1l | Clever Sonnenblumenöl | 1 l | 2.29
    hofer: SONNENBLUMENOEL 1L | Sonnenblumenöl | 1 l | 2.19
    spar: S-BUDGET SONNENBL.OEL 1L | S-BUDGET Sonnenblumenöl | 1 l | 2.29
    * Passierte Tomaten | pantry | kg | rise=6 often=2
    billa: Clever Tomaten passiert 500g | Clever Tomaten passiert | 500 g | 0.89
    spar: S-BUDGET PASSATA 500G | S-BUDGET Passata | 500 g | 0.89
    hofer: PASSIERTE TOMATEN 500G | Cucina passierte Tomaten | 500 g | 0.79
    rewe: JA! TOMATEN PASS. 500G | ja! Tomaten passiert | 500 g | 0.75
    * Filterkaffee | drinks | kg | rise=36 often=2
    billa: Jacobs Krönung gem. 500g | Jacobs Krönung gemahlen | 500 g | 7.49
    spar: JACOBS KROENUNG 500G | Jacobs Krönung | 500 g | 7.49
    hofer: MARKUS KAFFEE GEMAHLEN 500G | Markus Kaffee gemahlen | 500 g | 4.99
    rewe: JACOBS KROENUNG 500G | Jacobs Krönung | 500 g | 6.99
    * Haferflocken | pantry | kg | rise=5 often=2
    billa: Clever Haferflocken 500g | Clever Haferflocken | 500 g | 0.95
    hofer: HAFERFLOCKEN FEIN 500G | Knusperone Haferflocken fein | 500 g | 0.89
    rewe: JA! HAFERFL. 500G | ja! Haferflocken zart | 500 g | 0.79
    * Marillenmarmelade | pantry | kg | rise=9
    billa: Darbo Marille 450g | Darbo Naturrein Marillenkonfitüre | 450 g | 4.29
    spar: DARBO MARILLENKONF. 450G | Darbo Naturrein Marille | 450 g | 4.29
    hofer: GRANDESSA MARILLENMARM. 450G | Grandessa Marillenmarmelade | 450 g | 2.49
    * Nuss-Nougat-Creme | sweets | kg | rise=17
    billa: Nutella 400g | Nutella | 400 g | 4.49
    rewe: NUTELLA 450G | Nutella | 450 g | 4.29
    hofer: NUTOKA NUSSNOUGATCREME 400G | Nutoka Nuss-Nougat-Creme | 400 g | 2.29
    * Alpenmilchschokolade | sweets | kg | rise=34 often=3
    billa: Milka Alpenmilch 100g > Milka Alpenmilch 90g | Milka Alpenmilch | 100 g > 90 g | 1.49
    spar: MILKA ALPENMILCH 100G > MILKA ALPENMILCH 90G | Milka Alpenmilchschokolade | 100 g > 90 g | 1.49
    hofer: CHOCEUR ALPENMILCHSCHOK. 100G | Choceur Alpenmilchschokolade | 100 g | 0.99
    rewe: MILKA ALPENMILCH > MILKA ALPENM. 90G | Milka Alpenmilch | 100 g > 90 g | 1.29
    * Schnitten | sweets | kg | rise=15
    billa: Manner Schnitten 4er 300g | Manner Original Neapolitaner Schnitten | 300 g | 3.79
    spar: MANNER SCHNITTEN 300G | Manner Neapolitaner Schnitten | 300 g | 3.79
    hofer: NEAPOLITANER SCHNITTEN 300G | Neapolitaner Schnitten | 300 g | 2.29
    * Kartoffelchips Paprika | sweets | kg | rise=12 often=2
    billa: Kelly's Chips Paprika 150g | Kelly's Chips Paprika | 150 g | 2.49
    hofer: SUN SNACKS CHIPS PAPRIKA 200G > SUN SNACKS CHIPS PAPRIKA 175G | Sun Snacks Chips Paprika | 200 g > 175 g | 1.49
    rewe: FUNNY CHIPSFR. UNG. 150G | funny-frisch Chipsfrisch ungarisch | 150 g | 1.99
    * Gummibären | sweets | kg | rise=10
    billa: Haribo Goldbären 200g | Haribo Goldbären | 200 g | 1.49
    hofer: HARIBO GOLDBAEREN 200G | Haribo Goldbären | 200 g | 1.39
    rewe: HARIBO GOLDBAER. | Haribo Goldbären | 175 g | 1.19
    * Mineralwasser prickelnd | drinks | l | rise=6 often=4 deposit=25
    billa: Vöslauer prickelnd 1,5l | Vöslauer Mineralwasser prickelnd | 1,5 l | 0.89
    spar: VOESLAUER PRICKELND 1,5L | Vöslauer prickelnd | 1,5 l | 0.89
    hofer: MINERALWASSER PRICKELND 1,5L | Alpquell Mineralwasser prickelnd | 1,5 l | 0.45
    rewe: JA! MIN.WASSER CLASSIC 1,5L | ja! Mineralwasser Classic | 1,5 l | 0.29
    * Cola | drinks | l | rise=9 often=3 deposit=25
    billa: Coca-Cola 1,5l | Coca-Cola | 1,5 l | 2.19
    spar: COCA COLA 1,5L | Coca-Cola | 1,5 l | 2.19
    rewe: COCA COLA PET 1,25L | Coca-Cola | 1,25 l | 1.79
    * Orangensaft | drinks | l | rise=28 often=2
    billa: Clever Orangensaft 1l | Clever Orangensaft | 1 l | 1.99
    spar: S-BUDGET ORANGENS. 1L | S-BUDGET Orangensaft | 1 l | 1.99
    hofer: RIO D'ORO ORANGENSAFT 1L | Rio d'Oro Orangensaft | 1 l | 1.89
    rewe: JA! ORANGENSAFT 1L | ja! Orangensaft | 1 l | 1.79
    * Apfelsaft | drinks | l | rise=11
    billa: Clever Apfelsaft 1l | Clever Apfelsaft | 1 l | 1.29
    hofer: APFELSAFT KLAR 1L | Apfelsaft klar | 1 l | 1.25
    rewe: JA! APFELS. KLAR 1L | ja! Apfelsaft klar | 1 l | 1.09
    * Märzenbier | drinks | l | rise=8 often=2 deposit=25
    billa: Gösser Märzen 0,5l Dose | Gösser Märzen | 0,5 l | 1.19
    spar: GOESSER MAERZEN DOSE 0,5L | Gösser Märzen Dose | 0,5 l | 1.19
    hofer: BRAUHAUS MAERZEN DOSE 0,5L | Brauhaus Märzen | 0,5 l | 0.69
    * Fischstäbchen | frozen | kg | rise=13
    billa: Iglo Fischstäbchen 15er 420g | Iglo Fischstäbchen | 420 g | 5.49
    hofer: ALMARE FISCHSTAEBCHEN 450G | Almare Fischstäbchen | 450 g | 2.79
    rewe: JA! FISCHST. 450G | ja! Fischstäbchen | 450 g | 2.49
    * Pizza Salami tiefgekühlt | frozen | kg | rise=9 often=2
    spar: S-BUDGET PIZZA SALAMI 330G | S-BUDGET Pizza Salami | 330 g | 1.99
    hofer: PIZZA SALAMI 350G | Mama Mancini Pizza Salami | 350 g | 1.89
    rewe: STEINOFEN PIZZA SALAMI 350G | Wagner Steinofen Pizza Salami | 350 g | 3.29
    * Rahmspinat | frozen | kg | rise=7
    billa: Iglo Cremespinat 600g | Iglo Cremespinat | 600 g | 3.69
    spar: IGLO CREMESPINAT 600G | Iglo Cremespinat | 600 g | 3.69
    hofer: RAHMSPINAT 750G | Rahmspinat | 750 g | 2.19
    * Toilettenpapier | household | Stk | rise=6
    billa: Clever WC-Papier 10 Rollen | Clever Toilettenpapier 3-lagig | 10 Stk | 3.79
    hofer: TOILETTENPAPIER 3-LAGIG 10ER | Kokett Toilettenpapier | 10 Stk | 3.69
    dm: Sanft&Sicher Toilettenpapier 10St | Sanft&Sicher Toilettenpapier | 10 Stk | 3.45
    rewe: JA! TOIL.PAP. 10ER | ja! Toilettenpapier | 10 Stk | 3.25
    * Geschirrspültabs | household | Stk | rise=8
    hofer: ALIO GESCHIRRSPUELTABS 40ST | Alio Geschirrspültabs | 40 Stk | 4.49
    dm: Denkmit Geschirr-Reiniger Tabs 40St | Denkmit Geschirrspültabs | 40 Stk | 3.95
    billa: Clever GSP Tabs 40 Stk | Clever Geschirrspültabs | 40 Stk | 4.79
    * Vollwaschmittel | household | WL | rise=7
    hofer: TANDIL VOLLWASCHM. 20WL | Tandil Vollwaschmittel | 20 WL | 4.49
    dm: Denkmit Vollwaschmittel 20WL | Denkmit Vollwaschmittel | 20 WL | 3.75
    spar: PERSIL VOLLWASCHM. 20WG | Persil Vollwaschmittel | 20 WL | 9.99
    * Duschgel | drugstore | l | rise=5 often=2
    dm: Balea Dusche Sensitive 300ml | Balea Dusche Sensitive | 300 ml | 0.75
    hofer: OMBIA DUSCHGEL 300ML | Ombia Duschgel | 300 ml | 0.79
    billa: Nivea Duschgel 250ml | Nivea Duschgel | 250 ml | 2.49
    * Zahnpasta | drugstore | l | rise=6
    dm: Dontodent Zahncreme 125ml | Dontodent Zahncreme Kräuter | 125 ml | 0.65
    hofer: DENTOFIT ZAHNCREME 125ML | Dentofit Zahncreme | 125 ml | 0.69
    spar: COLGATE ZAHNPASTA 75ML | Colgate Zahnpasta | 75 ml | 1.99
    * Windeln Größe 4 | baby | Stk | rise=4
    dm: babylove Windeln Gr.4 44St | babylove Windeln Größe 4 | 44 Stk | 6.95
    hofer: MAMIA WINDELN GR.4 42ST | Mamia Windeln Größe 4 | 42 Stk | 6.79
    billa: Pampers Windeln Gr.4 36 Stk | Pampers Baby-Dry Größe 4 | 36 Stk | 10.99
    * Feuchttücher | baby | Stk | rise=5
    dm: babylove Feuchttücher 80St | babylove Feuchttücher sensitive | 80 Stk | 0.95
    hofer: MAMIA FEUCHTTUECHER 80ST | Mamia Feuchttücher | 80 Stk | 0.99
    * Katzenfutter | pet | kg | rise=11 often=2
    billa: Whiskas Rind 400g | Whiskas Katzenfutter Rind | 400 g | 1.49
    hofer: CACHET KATZENFUTTER RIND 400G | Cachet Katzenfutter Rind | 400 g | 0.79
    dm: Dein Bestes Katzenf. Rind 400g | Dein Bestes Katzenfutter Rind | 400 g | 0.75
    """
