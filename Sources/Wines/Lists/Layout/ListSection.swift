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
    var height = 0
    /// Whether the last heading with a place also has a colour.
    var isPlaceOfColor = false
    /// Whether the last heading with a place is below a heading with a colour.
    var isPlaceBelowColor = false
    /// The place above the last heading with a colour, which also applies to the next colour: `Österreich`.
    var countryAboveColor: String?
    var regionAboveColor: String?
    /// Whether there are wines below the last heading.
    var hasWines = false
    /// The height of the last heading that states a serving, but no colour, in pixels; 0 if there is none. Headings of
    /// colours and places may be below it: `Magnums`, `Red`.
    var outerHeight = 0
    /// The colours of the headings below it.
    var innerColors: [WineColor] = []
    /// Whether there are headings without a serving below it.
    var hasInner = false
    /// The highest price below the last heading by the glass, in minor units; 0 if there is none.
    var highestGlass = 0

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

    /// Whether the heading names a kind or a place of wine, or a serving.
    var namesWine: Bool { color != nil || country != nil || region != nil || grape != nil || serving != nil }

    /// Whether the heading states how its wines are served.
    var statesServing: Bool { isByGlass || isByBottle || serving != nil }

    func isTaller(than other: ListSection) -> Bool { height * 10 > other.height * 11 }
}
