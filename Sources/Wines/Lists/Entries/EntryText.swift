import Recognition

/// Reads the fields of one entry from its words.
struct EntryText {
    /// The tokens of each line with names.
    private let lines: [[ListToken]]
    /// The heading above with the producer; empty if there is none.
    private let heading: [ListToken]
    private let tokens: [ListToken]
    /// Descriptions, which may name grapes.
    private let notes: [ListToken]

    init(_ lines: [[ListToken]], heading: [ListToken] = [], notes: [[ListToken]] = []) {
        self.lines = lines
        self.heading = heading
        tokens = heading + lines.flatMap { $0 }
        self.notes = notes.flatMap { $0 }
    }

    var text: String { tokens.joinedText }

    /// - Parameter usesShortYears: Whether the list prints `’19`, so that a lost apostrophe is probable.
    func fill(_ entry: inout WineListEntry, section: ListSection, usesShortYears: Bool) {
        entry.confidence.text = certainty(tokens)
        if let (vintage, certainty) = vintage(usesShortYears: usesShortYears) {
            entry.vintage = vintage.year
            entry.otherVintage = vintage.other
            entry.confidence.vintage = certainty
        } else {
            entry.isNonVintage = tokens.contains { WineVintage.isNonVintage($0.text) }
            if entry.isNonVintage { entry.confidence.vintage = certainty(tokens) }
        }
        let words = WineText.words(text)
        fillPlace(&entry, words, section)
        fillKind(&entry, words, section)
        fillNames(&entry)
    }

    /// Sets country and region from the words of the entry, otherwise from its section.
    private func fillPlace(_ entry: inout WineListEntry, _ words: [String], _ section: ListSection) {
        // `Thurgau` in `Müller-Thurgau` is not a place.
        let grapes = WineVocabulary.shared.grapes.find(in: words).map(\.range)
        var places = WineVocabulary.shared.places(in: words).filter { place in
            !grapes.contains { $0.count > place.range.count && $0.contains(place.range.lowerBound) }
        }.map(\.value)
        if let country = section.country {
            // If a name contains a place of another country, the wine is not from that place: `Vega Sicilia` below
            // `Spanien`.
            let statedPlaces = lines.flatMap(Self.parts).flatMap(Self.places)
            places.removeAll { $0.country != country && !statedPlaces.contains($0) }
        }
        // A description may begin with the place: `napa valley, ca - baked apple, oak`.
        if places.isEmpty { places = Self.parts(notes).prefix(2).flatMap(Self.places) }
        let region =
            places.last { $0.region != nil && (section.country == nil || $0.country == section.country) }
            ?? places.last { $0.region != nil }
        entry.region = region?.region ?? section.region
        entry.country = places.last { $0.region == nil }?.country ?? region?.country ?? section.country
        entry.confidence.region = entry.region == nil ? 0 : region == nil ? 700 : 900
        entry.confidence.country = entry.country == nil ? 0 : places.isEmpty ? 700 : 900
    }

    /// Sets grape and colour from the words of the entry and from its section.
    private func fillKind(_ entry: inout WineListEntry, _ words: [String], _ section: ListSection) {
        let vocabulary = WineVocabulary.shared
        var grapes = vocabulary.grapes.find(in: words).map(\.value)
        if grapes.isEmpty {
            grapes = vocabulary.grapes.find(in: WineText.words(notes.joinedText)).map(\.value)
        }
        entry.grape = grapes.first?.name ?? section.grape
        entry.confidence.grape = entry.grape == nil ? 0 : grapes.isEmpty ? 700 : 900
        let colors = vocabulary.headings.find(in: words).compactMap { hit -> WineColor? in
            if case .color(let color) = hit.value { color } else { nil }
        }
        // `Blanc` and `Port` are often parts of names, so the section's colour takes precedence. `rosé` is rarely part
        // of a name, except below sparkling and sweet wines. `Rose` without an accent may be: `Château La Rose`.
        let printed = colors.first { $0 == .rose } ?? colors.last
        let hasAccent = !words.contains("rose") || text.lowercased().contains("rosé")
        let isRose = printed == .rose && hasAccent && (section.color == .red || section.color == .white)
        let stated = colors.filter { $0 != .rose || hasAccent || section.color == .sparkling }
        let oneOfSeveral =
            Self.color(of: section.colors, stated, words) ?? section.colors.first { $0 == grapes.first?.color }
        entry.color =
            isRose && oneOfSeveral != .sparkling
            ? .rose : oneOfSeveral ?? section.color ?? printed ?? grapes.first?.color
        entry.confidence.color = entry.color == nil ? 0 : section.color != nil || printed != nil ? 900 : 700
    }

    /// The colour that the words of an entry state, if it is one of the colours of a heading such as
    /// `Rosé & Sparkling`. `Crémant Rosé` is sparkling.
    private static func color(of section: [WineColor], _ stated: [WineColor], _ words: [String]) -> WineColor? {
        if section.contains(.sparkling), words.contains("brut") { return .sparkling }
        let colors = section.filter(stated.contains)
        return colors.first { $0 == .sparkling || $0 == .sweet || $0 == .fortified } ?? colors.first
    }

    // MARK: Vintage

    private func vintage(usesShortYears: Bool) -> (vintage: WineVintage, confidence: Int)? {
        for token in tokens.reversed() {
            if case .year(let vintage) = token.kind { return (vintage, token.confidence * 10) }
        }
        guard usesShortYears else { return nil }
        // The engine often loses an apostrophe. Vintages are at the end or the beginning of a line.
        let ends = lines.compactMap(\.last) + lines.compactMap(\.first)
        for token in ends where token.text.utf8.count <= 3 {
            let digits = token.text.filter { $0.isNumber }
            if digits.count == 2, let year = WineVintage.short(digits) { return (WineVintage(year: year), 600) }
        }
        return nil
    }

    // MARK: Names

    /// Sets the producer to the first part of the entry and the name to the second. A single part is the name.
    private func fillNames(_ entry: inout WineListEntry) {
        var parts = Self.statedParts(lines)
        if !heading.isEmpty {
            entry.heading = heading.joinedText
            parts.insert(contentsOf: Self.statedParts([heading]).prefix(1), at: 0)
        }
        guard let first = parts.first else {
            entry.name = entry.text
            return
        }
        entry.name = Self.text(parts.count > 1 ? parts[1] : first)
        entry.confidence.name = certainty(parts.count > 1 ? parts[1] : first)
        guard parts.count > 1 else { return }
        entry.producer = Self.text(first)
        entry.confidence.producer = certainty(first) * 8 / 10
    }

    /// The parts of lines without vintages. A part that is only a place is not a name, unless it is the only part.
    static func statedParts(_ lines: [[ListToken]]) -> [[ListToken]] {
        var parts = withoutPlaces(lines.flatMap { withoutPlaces(namedParts($0)) })
        // `AOC Wallis, Petite Arvine, Provins`.
        if parts.count > 2, Self.beginsWithLevel(parts[0]) { parts.removeFirst() }
        return parts
    }

    /// The parts of a line that have words, without vintages.
    private static func namedParts(_ line: [ListToken]) -> [[ListToken]] {
        parts(line).map(withoutVintage).filter { $0.contains(where: \.hasLetterPair) }
    }

    /// The parts without places at the end. The first part is kept.
    private static func withoutPlaces(_ parts: [[ListToken]]) -> [[ListToken]] {
        var parts = parts
        while parts.count > 1, let last = parts.last, isPlace(last) { parts.removeLast() }
        return parts
    }

    /// Splits a line at separators such as commas, dashes and bars.
    private static func parts(_ line: [ListToken]) -> [[ListToken]] {
        var parts: [[ListToken]] = [[]]
        let lastClosing = line.lastIndex { $0.text.contains(")") } ?? -1
        // Whether the token is in brackets: `(Sangiovese, Cabernet)`.
        var isInBrackets = false
        for (index, token) in line.enumerated() {
            if token.text.hasPrefix("("), index <= lastClosing { isInBrackets = true }
            defer { if token.text.contains(")") { isInBrackets = false } }
            if !isInBrackets, ["|", "–", "-", "—", "·", "•", "*", ",", "/"].contains(token.text) {
                parts.append([])
            } else {
                parts[parts.count - 1].append(token)
                if !isInBrackets || token.text.contains(")"),
                    let last = token.text.last(where: { !"\"”’»".contains($0) }), ",;|".contains(last)
                {
                    parts.append([])
                }
            }
        }
        return parts.filter { !$0.isEmpty }
    }

    private static func withoutVintage(_ part: [ListToken]) -> [ListToken] {
        part.filter { token in
            if case .year = token.kind { false } else { !WineVintage.isNonVintage(token.text) }
        }
    }

    /// Whether a part is a level of appellations and a place, in this order. If the vocabulary lacks the place, the
    /// level must be in capitals: `Do Ferreiro` is a producer.
    private static func beginsWithLevel(_ part: [ListToken]) -> Bool {
        guard part.count > 1 else { return false }
        let level = part[0].text.filter { $0 != "." }
        return levels.contains(level) || levels.contains(level.uppercased()) && isPlace(Array(part.dropFirst()))
    }

    private static let levels: Set = ["AOC", "AC", "AOP", "DOC", "DOCG", "DO", "DOP", "IGT", "IGP", "VDP", "DAC"]

    private static func isPlace(_ part: [ListToken]) -> Bool {
        let words = WineText.words(text(part))
        let placeWordCount = WineVocabulary.shared.places(in: words).reduce(0) { $0 + $1.range.count }
        return placeWordCount == words.count
    }

    /// The places of a part that consists only of places of one country; empty for other parts.
    private static func places(_ part: [ListToken]) -> [WineVocabulary.Place] {
        let words = WineText.words(text(withoutVintage(part)))
        let foundPlaces = WineVocabulary.shared.places(in: words)
        let placeWordCount = foundPlaces.reduce(0) { $0 + $1.range.count }
        return placeWordCount == words.count && Set(foundPlaces.map(\.value.country)).count == 1
            ? foundPlaces.map(\.value) : []
    }

    private static func text(_ part: [ListToken]) -> String {
        var text = part.joinedText
        while let last = text.last, ",;|".contains(last) { text.removeLast() }
        return text
    }

    /// The mean confidence of the letters, in thousandths.
    private func certainty(_ tokens: [ListToken]) -> Int {
        let letters = tokens.reduce(0) { $0 + $1.text.utf8.count }
        return letters == 0 ? 0 : tokens.reduce(0) { $0 + $1.confidence * $1.text.utf8.count } * 10 / letters
    }
}
