/// The properties that the headings above an entry state.
struct ListSection: Equatable {
    var color: WineColor?
    /// The colours of a heading such as `Sparkling & Rosé`; empty unless it has several. `color` is the first of them.
    var colors: [WineColor] = []
    var country: String?
    var region: String?
    var grape: String?
    /// Whether the wines are sold by the glass.
    var isByGlass = false
    /// The serving of all wines in the section, from a heading such as `Half Bottles`.
    var serving: WineListPrice.Serving?
    /// Whether the section lists beer, spirits or food instead of wine.
    var isOther = false
    /// Whether the heading's letters are about as large as the letters of entries, and most of its words have no known
    /// meaning.
    var isUnknown = false
    /// Whether the heading names wine, but nothing else that has a meaning: `Vino de la casa`.
    var namesOnlyWine = false
    /// Whether the heading states that its wines are sold by the bottle.
    var isByBottle = false
    /// The height of the heading's letters, in pixels.
    private var height = 0
    /// Whether the last heading with a place also has a colour.
    private var isPlaceOfColor = false
    /// Whether the last heading with a place is below a heading with a colour.
    private var isPlaceBelowColor = false
    /// The place above the last heading with a colour, which also applies to the next colour: `Österreich`.
    private var countryAboveColor: String?
    private var regionAboveColor: String?
    /// Whether there are wines below the last heading.
    private var hasWines = false
    /// The height of the last heading by the glass without a colour, in pixels; 0 if there is none.
    private var glassHeight = 0
    /// The colours of the headings below that heading.
    private var glassColors: [WineColor] = []
    /// The highest price by the glass below that heading, in minor units; 0 if there is none.
    private var highestGlass = 0

    /// The meaning of a heading.
    struct Reading {
        var section = ListSection()
        /// The share of the heading's words that have a meaning, in thousandths.
        var share = 0
        /// Whether the heading names a colour, wines by the glass, a serving, or something other than wine.
        var namesKind = false
        /// Whether the heading has a word for wine, or a compound such as `Naturweine`.
        var namesWine = false

        /// Whether the heading has more than plain words such as `Weinkarte`.
        var hasMeaning: Bool { section != ListSection() }
    }

    /// Reads the meaning of a heading. Texts of more than 14 words have none.
    static func read(_ text: String) -> Reading {
        let words = WineText.words(text)
        guard !words.isEmpty, words.count <= 14 else { return Reading() }
        var reading = Reading()
        var isCovered = [Bool](repeating: false, count: words.count)
        let vocabulary = WineVocabulary.shared
        var sparkling: [Range<Int>] = []
        var colors: [WineColor] = []
        for (range, meaning) in vocabulary.headings.find(in: words) {
            if meaning == .color(.sparkling) { sparkling.append(range) }
            for index in range { isCovered[index] = true }
            switch meaning {
            case .color(let color):
                reading.section.color = reading.section.color ?? color
                if !colors.contains(color) { colors.append(color) }
                reading.namesKind = true
            case .glass:
                reading.section.isByGlass = true
                reading.namesKind = true
            case .serving(let serving):
                reading.section.serving = serving
                reading.namesKind = true
            case .other:
                reading.section.isOther = true
                reading.namesKind = true
            case .bottles:
                reading.section.isByBottle = true
                reading.namesKind = true
            case .plain: break
            }
        }
        let isEnumeration =
            text.contains(where: { "&/,+".contains($0) }) || words.contains(where: conjunctions.contains)
        // `Champagne Rosé` has one colour.
        if isEnumeration, colors.count > 1 { reading.section.colors = colors }
        for (range, place) in vocabulary.places(in: words) {
            for index in range { isCovered[index] = true }
            // In `Champagne & Sparkling`, the place does not apply to all wines. In `Sparkling – Champagne`, it does.
            if isEnumeration, sparkling.count > 1, sparkling.contains(range) { continue }
            reading.section.country = reading.section.country ?? place.country
            reading.section.region = reading.section.region ?? place.region
        }
        for (range, grape) in vocabulary.grapes.find(in: words) where !range.allSatisfy({ isCovered[$0] }) {
            for index in range { isCovered[index] = true }
            reading.section.grape = reading.section.grape ?? grape.name
            reading.section.color = reading.section.color ?? grape.color
        }
        if words.count <= 5 { readMisread(words, &isCovered, &reading) }
        // A heading such as `Bier & Wein` includes wine.
        if reading.section.namesWine || words.contains(where: { Self.wineWords.contains($0) }) {
            reading.section.isOther = false
        }
        reading.namesWine = words.contains {
            Self.wineWords.contains($0) || $0.hasSuffix("wein") || $0.hasSuffix("weine")
        }
        if isCovered.contains(true) {
            for index in words.indices where Self.particles.contains(words[index]) { isCovered[index] = true }
        }
        reading.share = isCovered.count { $0 } * 1000 / words.count
        return reading
    }

    /// Reads words with one misread letter.
    ///
    /// Short words often differ from another word in one letter: `Marc` and `Maroc`, `Jamón` and `Japón`, `Franco` and
    /// `France`. In these, only letters of the same shape may be misread: `ltalia`. A word that is alone in its heading
    /// may have any misread letter, unless it is a country.
    private static func readMisread(_ words: [String], _ isCovered: inout [Bool], _ reading: inout Reading) {
        let vocabulary = WineVocabulary.shared
        for (index, text) in words.enumerated() where !isCovered[index] && text.utf8.count >= 4 {
            let word = Array(text.utf8)
            if let hit = vocabulary.countryWords.first(where: { isMisread($0.word, as: word) }) {
                isCovered[index] = true
                reading.section.country = reading.section.country ?? hit.country
            } else if let hit = vocabulary.headingWords.first(where: {
                isMisread($0.word, as: word) || words.count == 1 && Misreading.isWithinOneEdit($0.word, word)
            }) {
                isCovered[index] = true
                reading.namesKind = true
                if case .color(let color) = hit.meaning { reading.section.color = reading.section.color ?? color }
                if hit.meaning == .glass { reading.section.isByGlass = true }
            }
        }
    }

    /// The minimum length of a word in which any letter may be misread.
    private static let longWord = 7

    /// Whether `word` is probably a misread form of `known`, a word of the vocabulary.
    private static func isMisread(_ known: [UInt8], as word: [UInt8]) -> Bool {
        known.count >= longWord
            ? Misreading.isWithinOneEdit(known, word)
            : Misreading.skeleton(known[...]) == Misreading.skeleton(word[...])
    }

    /// Articles and prepositions, which have no meaning beside other words: `Vins d’Alsace`, `I Bianchi`.
    private static let particles: Set = [
        "i", "il", "lo", "gli", "l", "d", "el", "los", "las", "a", "al", "au", "aux", "della", "delle", "dell", "dello",
        "degli", "dalla", "do", "da", "of", "in", "im", "am", "vom", "von", "zum", "mit", "en", "per", "par", "pro",
    ]

    private static let conjunctions: Set = ["und", "and", "et", "e", "y", "og", "och"]

    private static let wineWords: Set = ["wein", "weine", "wine", "wines", "vin", "vins", "vino", "vini", "vinos"]

    /// Words of titles that may be repeated on each page: `Carte des vins`.
    static let listWords: Set = ["list", "carte", "carta"]

    /// Whether the heading has no known meaning.
    var isEmpty: Bool {
        var section = self
        (section.isUnknown, section.namesOnlyWine) = (false, false)
        return section == ListSection()
    }

    /// Whether the heading has no known meaning, or only that its wines are sold by the bottle.
    var isEmptyOrByBottle: Bool {
        var section = self
        section.isByBottle = false
        return section.isEmpty
    }

    /// Whether the heading has no known meaning besides a place.
    var namesOnlyPlace: Bool {
        var section = self
        (section.country, section.region) = (nil, nil)
        return section.isEmpty
    }

    private var namesWine: Bool { color != nil || country != nil || region != nil || grape != nil || serving != nil }

    private func isTaller(than other: ListSection) -> Bool { height * 10 > other.height * 11 }

    /// Applies the next heading, whose letters are `height` pixels high.
    mutating func enter(_ heading: ListSection, height: Int) {
        var next = heading
        next.height = height
        (next.isUnknown, next.namesOnlyWine) = (false, false)
        next.isPlaceOfColor = heading.color != nil && heading.country != nil
        next.glassHeight = heading.isByGlass && heading.color == nil ? height : 0
        // Larger letters begin a new part of the list. A heading of the same size replaces only the properties that it
        // states.
        let isLarger = height * 10 > self.height * 12
        if !isLarger || heading.isEmpty || heading.isUnknown {
            let staysOther = isOther && (isTaller(than: next) || heading.isUnknown) && !heading.namesWine
            next.isOther = heading.isOther || staysOther
            // `Wein des Hauses` below `Champagner` is not sparkling.
            let endsColor = heading.namesOnlyWine && (color == .sparkling || color == .sweet || color == .fortified)
            next.color = heading.color ?? (endsColor ? nil : color)
            if heading.color == nil, !endsColor { next.colors = colors }
            next.serving = heading.serving
            let nests = nestsByGlass(heading, height: height)
            next.isByGlass = heading.isByGlass || (isByGlass && !heading.isByBottle && (heading.color == nil || nests))
            if !heading.isByGlass, next.isByGlass {
                next.glassHeight = glassHeight
                next.glassColors = glassColors + (heading.color.map { [$0] } ?? [])
                next.highestGlass = highestGlass
            }
            passPlace(to: &next, heading, isNewColor: endsColor || heading.color != nil && heading.color != color)
            next.grape = heading.grape ?? (heading.color == nil && heading.country == nil ? grape : nil)
        }
        self = next
    }

    /// Sets the place of the section below the next heading.
    private func passPlace(to next: inout ListSection, _ heading: ListSection, isNewColor: Bool) {
        guard heading.country == nil else {
            if heading.color == nil { next.isPlaceBelowColor = color != nil }
            // In `Österreich`, `Rotwein`, `Burgenland`, wines, `Weißwein`, the country applies to the white wines, too.
            if heading.color == nil, heading.country == countryAboveColor {
                (next.countryAboveColor, next.regionAboveColor) = (countryAboveColor, regionAboveColor)
            }
            return
        }
        // The place in a heading with a colour, such as `Champagne`, applies only to that colour. In `Rotwein`,
        // `Italien`, wines, `Weißwein`, the place does not apply to the white wines.
        if isNewColor, isPlaceOfColor || isPlaceBelowColor && hasWines {
            (next.country, next.region) = isPlaceOfColor ? (nil, nil) : (countryAboveColor, regionAboveColor)
        } else {
            next.country = country
            next.region = heading.region ?? region
            next.isPlaceOfColor = isPlaceOfColor
            next.isPlaceBelowColor = isPlaceBelowColor && heading.color == nil
        }
        (next.countryAboveColor, next.regionAboveColor) =
            heading.color == nil ? (countryAboveColor, regionAboveColor) : (next.country, next.region)
    }

    /// The first price of another colour ends the wines by the glass if it is more than this many times their highest
    /// price.
    private static let bottleFactor = 3

    /// Compares the prices of the next wine, in minor units, with the prices by the glass above it. The bottles may
    /// begin with a heading of a colour: `Offene Weine`, `Weiß`, wines, `Schaumwein`, bottles.
    mutating func compare(_ amounts: [Int]) {
        guard isByGlass, let lowest = amounts.min() else { return }
        if !hasWines, !glassColors.isEmpty, highestGlass > 0, lowest > highestGlass * Self.bottleFactor {
            (isByGlass, glassHeight, glassColors) = (false, 0, [])
        } else {
            highestGlass = max(highestGlass, lowest)
        }
    }

    /// Records that there are wines below the last heading.
    mutating func addWines() { hasWines = true }

    /// Whether a heading with a colour belongs to the heading by the glass above it: its letters are smaller, or the
    /// first colour is directly below that heading. A colour that repeats begins another part of the list.
    private func nestsByGlass(_ heading: ListSection, height: Int) -> Bool {
        guard isByGlass, glassHeight > 0, let color = heading.color, !glassColors.contains(color) else { return false }
        return height * 10 < glassHeight * 9 || !glassColors.isEmpty || !hasWines
    }
}
