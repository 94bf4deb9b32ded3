/// Passwords that attackers try first, in German and English: words with common endings, names, keyboard patterns,
/// numbers.
///
/// The list is generated from these parts. It contains only passwords of at least 8 characters, because shorter ones
/// are refused anyway.
enum CommonPasswords {
    /// Whether the password is common, a number of at most 8 digits, or a simple sequence or repetition.
    ///
    /// - Parameter password: the password in lower case.
    static func contains(_ password: String) -> Bool {
        let bytes = Array(password.utf8)
        if isSequence(bytes) || isRepetition(bytes)
            || bytes.allSatisfy({ (0x30...0x39).contains($0) }) && bytes.count <= 8
        {
            return true
        }
        return all.contains(password) || all.contains(withoutSubstitutes(password))
    }

    static let all: Set<String> = {
        var all: Set<String> = []
        func add(_ password: String) {
            if password.unicodeScalars.count >= Password.minimumCharacters { all.insert(password) }
        }
        for word in words.split(whereSeparator: \.isWhitespace).map(String.init) {
            for ending in endings { add(word + ending) }
            add(word + word)
            add("123" + word)
        }
        for first in frequent {
            for second in frequent { add(first + second) }
        }
        for sequence in keyboardSequences.split(whereSeparator: \.isWhitespace).map(String.init) {
            add(sequence)
            add(sequence + sequence)
            add(String(sequence.reversed()))
            for ending in endings.prefix(8) { add(sequence + ending) }
        }
        for number in numbers.split(whereSeparator: \.isWhitespace) { add(String(number)) }
        return all
    }()

    /// Returns the password with letters in place of similar digits and signs: `passwort` for `p4ssw0rt`.
    private static func withoutSubstitutes(_ password: String) -> String {
        let letters: [Character: Character] = [
            "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
        ]
        return String(password.map { letters[$0] ?? $0 })
    }

    /// Whether the characters are all equal, or each is one greater or one less than the previous one, as in
    /// `aaaaaaaa`, `abcdefgh`, `98765432`. In a number, 0 follows 9.
    private static func isSequence(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        let isNumber = bytes.allSatisfy { (0x30...0x39).contains($0) }
        let modulus = isNumber ? 10 : 256
        let steps = zip(bytes, bytes.dropFirst()).map { (Int($1) - Int($0) + modulus) % modulus }
        return steps.allSatisfy { $0 == steps[0] } && [0, 1, modulus - 1].contains(steps[0])
    }

    /// Whether a sequence of at most four bytes repeats, as in `abcabcabc`, `12341234`.
    private static func isRepetition(_ bytes: [UInt8]) -> Bool {
        (1...4).contains { period in
            bytes.count >= 2 * period && bytes.indices.dropFirst(period).allSatisfy { bytes[$0] == bytes[$0 - period] }
        }
    }

    private static let endings =
        [
            "", "1", "12", "123", "1234", "!", "1!", "123!", "12345", "123456", "01", "00", "11", "22", "007", "69",
            "77", "88", "99", "321", "?", ".", "2000",
        ]
        + (2015...2027).map(String.init)

    private static let frequent = [
        "love", "liebe", "hallo", "hello", "test", "admin", "pass", "user", "baby", "maus", "super", "katze", "hund",
        "haus", "mein", "dein", "geheim", "ich", "dich", "you", "iloveyou", "welcome", "master", "king", "star",
        "sonne", "schatz", "auto", "home", "familie",
    ]

    private static let keyboardSequences = """
        qwertz qwertzu qwertzui qwertzuio qwertzuiop qwerty qwertyu qwertyui qwertyuiop asdfgh asdfghj asdfghjk asdfghjkl
        yxcvbn yxcvbnm zxcvbn zxcvbnm qayxsw qayxswedc qazwsx qazwsxedc 1qay2wsx 1qaz2wsx 1q2w3e4r 1q2w3e4r5t q1w2e3r4
        q1w2e3r4t5 qweasd qweasdyxc qweasdzxc asdasd asdqwe qweqwe asdf1234 qwer1234 1234qwer qwertz12 abcd1234 1234abcd
        abc12345 a1b2c3d4 aa123456 123abc123 12345qwert 12345qwertz zaq12wsx xsw21qay 147258369 159357 741852963 123321
        112233 11223344 1122334455 123123 poiuztrewq poiuytrewq mnbvcxz mnbvcxy lkjhgfdsa 0okm9ijn abcdef abcdefg abcdefgh
        """

    private static let numbers = """
        1234567890 0123456789 123456789 9876543210 12344321 123454321 87654321 11112222 12121212 10203040 13131313 14141414
        147852369 159753159 123456123 123456654321 1234512345 0987654321 1111111111 100200300 789456123 456789123 123698745
        """

    private static let words = """
        passwort password kennwort geheim geheimnis passwd pass passwort1 meinpasswort neuespasswort losung zugang anmeldung
        login admin administrator root user gast guest test tester testing demo master system server computer internet windows
        linux office default welcome willkommen hallo hello hallohallo servus moin tschuess danke bitte iloveyou ichliebedich
        liebe liebling schatz schatzi schnucki maus mausi hase hasi hasenpups engel engelchen spatz spatzi baerchen teddy
        teddybaer prinzessin princess prinz prince koenig king queen kaiser sternchen stern sterne sonne sonnenschein sunshine
        mond himmel regenbogen rainbow blume bluemchen rose schmetterling butterfly sommer summer winter herbst fruehling
        frühling autumn spring januar februar maerz april juni juli august september oktober november dezember montag freitag
        sonntag friday monday sunday wochenende urlaub ferien weihnachten christmas ostern geburtstag familie family mama papa
        mutter vater mother father oma opa bruder schwester brother sister kinder baby babyboy babygirl freund freundin freunde
        friend friends bestfriend zuhause daheim wohnung haus garten kueche wien vienna graz linz salzburg innsbruck berlin
        hamburg muenchen münchen koeln köln frankfurt stuttgart dortmund leipzig dresden hannover bremen nuernberg zuerich
        schweiz austria oesterreich österreich deutschland germany bayern tirol kaernten steiermark europa london paris
        newyork america football fussball fußball soccer baseball basketball hockey tennis handball bayern04 borussia schalke
        schalke04 werder hertha rapid rapidwien austriawien sturmgraz bvb09 bvbbvb fcbayern fckoeln hsvhsv eintracht liverpool
        arsenal chelsea barcelona realmadrid juventus manchester united ronaldo messi ferrari porsche mercedes audi bmwbmw
        volkswagen golf opel motorrad harley yamaha honda kawasaki suzuki formel1 schumacher vettel hund hunde katze katzen
        kaetzchen kätzchen mieze tiger loewe löwe adler wolf baer panther leopard dragon drache pony pferd pferde einhorn
        unicorn delfin delphin dolphin schildkroete hamster monkey affe elefant pinguin schnecke frosch bella luna rocky
        rocko balu lucky charly charlie buddy bailey coco cookie kekse keks schokolade chocolate banane erdbeere apfel kirsche
        zitrone orange banana apple cherry pizza spaghetti nudel nutella cola cocacola kaffee coffee bier wein vodka whisky
        michael michaela thomas andreas stefan stephan christian christina christine martin martina peter petra daniel daniela
        alexander alexandra sebastian markus matthias florian tobias patrick dominik dominic philipp philip maximilian david
        lukas lucas jonas felix julian jakob fabian kevin marcel marco mario oliver robert roland richard wolfgang werner
        gerhard guenter günter helmut herbert manfred franz josef johann johannes georg karl heinz hans hansi juergen jürgen
        klaus dieter ulrich sabine susanne claudia andrea monika barbara birgit brigitte elisabeth katharina kathrin katrin
        karin maria marie anna annalena annika hannah johanna julia laura lena lisa leonie sarah sara sandra simone sophie
        sophia stefanie stephanie nicole nadine melanie manuela jessica jennifer jasmin vanessa verena veronika theresa
        valentina vivian emma emily mia lea clara charlotte amelie ashley amanda jordan michelle matthew joshua andrew anthony
        william joseph jackson nicholas benjamin samuel superman batman spiderman starwars pokemon pikachu naruto minecraft
        fortnite gandalf frodo hobbit harrypotter hogwarts matrix terminator rambo ninja samurai pirat pirate ritter wizard
        shadow phoenix killer hunter ranger soldier warrior champion legend freedom freiheit frieden peace hoffnung glueck
        glück happy lachen smile forever immer niemals nichts nothing something anything geld money million reich jesus
        christus gott heaven kirche satan metallica nirvana slipknot linkinpark rammstein beatles eminem tokiohotel
        helene elvis gitarre guitar musik music piano tanzen dance ballett disco party fuckyou fuckoff scheisse scheiße
        arschloch ficken asshole sexy sexsex trustno1 letmein changeme whatever access
        secret security sicher sicherheit private privat oeffnen sesam superstar rockstar supergirl superboy jackass mustang
        corvette camaro maverick cowboy dallas yankees lakers eagles steelers michelle1 samsung iphone nokia android google
        facebook youtube amazon ebay netflix telekom vodafone apollo gemini saturn jupiter venus merlin hercules zeus diamond
        silber silver gold golden kristall crystal purple violet lila blau gruen grün rosa schwarz weiss yellow orange1
        supermarkt kassenbon rechnung einkauf einkaufen haushalt teuer allesteurer allesteuer billig sparen sparkasse bank
        billa hofer rewe edeka lidl penny aldi merkur spar lehrer schule student schueler arbeit feierabend firma chef
        buero büro sekretaer polizei feuerwehr bundeswehr doktor krankenhaus pferdchen mausebaer mausezahn zuckerpuppe
        """
}
