/// Finds headings that name a kind of wine and look like a line of an entry, because there is no gap above them:
/// `Vini rossi`, `Roséweine`.
///
/// The second line of an entry may name a kind, too. Second lines are more frequent than headings, and their texts
/// repeat.
enum KindHeadings {
    /// The indices of the headings.
    ///
    /// - Parameters:
    ///   - places: The rows of headings of places. A kind may be above them: `LES ROUGES`, `BOURGOGNE`.
    ///   - height: The usual height of the letters of rows with prices, in pixels.
    static func rows(_ rows: [ListRow], above places: Set<Int> = [], height: Int) -> Set<Int> {
        let pricedCount = rows.count { $0.isPriced && !$0.text.isEmpty }
        let certain = rows.indices.filter { isKind($0, rows, above: places, height: height) }
        var colors = rows.indices.filter { isColor($0, rows, above: places, height: height) }
        // If a region and a colour below a price are not above a name, lines of this form are second lines of entries.
        let haveSecondLines = rows.indices.dropFirst().contains { index in
            rows[index - 1].isPriced && namesRegionAndColor(rows[index]) && !colors.contains(index)
                && !places.contains(index + 1) && !PlaceHeadings.isAboveName(index, rows)
        }
        if haveSecondLines { colors.removeAll { namesRegionAndColor(rows[$0]) } }
        // A single colour above two names may be a second line, unless the column has other headings of kinds.
        let areHeadings = !certain.isEmpty || colors.count > 1
        let kinds = areHeadings ? Set(certain + colors).sorted() : certain
        if kinds.allSatisfy({ places.contains($0 + 1) || PlaceHeadings.isAboveTwoNames($0, rows) }) {
            return Set(kinds)
        }
        let texts = Set(kinds.map { WineText.words(rows[$0].text.joinedText) })
        // The first row cannot be the second line of an entry.
        let areFew = kinds.count { $0 > 0 } * 3 <= pricedCount + 1
        return areFew && texts.count == kinds.count ? Set(kinds) : []
    }

    /// Whether a row has only words for wine and for its kind, for several bottles of one size, or for other drinks:
    /// `Halbe Flaschen`, `Alkoholfrei`.
    private static func isKind(_ index: Int, _ rows: [ListRow], above places: Set<Int>, height: Int) -> Bool {
        let row = rows[index]
        guard !row.isPriced, row.heads.isEmpty, !row.text.isEmpty,
            PlaceHeadings.mayBeHeading(index, rows, height: height, isAboveHeading: places.contains(index + 1))
        else { return false }
        let reading = ListSection.read(row.text.joinedText)
        let section = reading.section
        // `Magnum` may be the second line of an entry.
        let words = WineText.words(row.text.joinedText)
        let namesBottles = section.serving != nil && WineVocabulary.shared.servings[words] == nil
        // `Vin de France` and `Vin de Pays` are second lines of entries.
        let namesWine = reading.namesWine && (reading.namesKind || section.isEmpty && row.text.count <= 2)
        return reading.share == 1000 && (namesWine || namesBottles || section.isOther) && section.grape == nil
            && section.region == nil
    }

    /// Whether a row is above two names with prices or above a place, and states a colour. Beside the colour, it may
    /// have a region or, in capitals, other words of headings: `Rosé`, `Bourgogne Rouge`, `FULL BODIED REDS`.
    private static func isColor(_ index: Int, _ rows: [ListRow], above places: Set<Int>, height: Int) -> Bool {
        let row = rows[index]
        let isAbovePlace = places.contains(index + 1)
        guard !row.isPriced, row.heads.isEmpty, !row.text.isEmpty,
            isAbovePlace || PlaceHeadings.isAboveTwoNames(index, rows),
            PlaceHeadings.mayBeHeading(index, rows, height: height, isAboveHeading: isAbovePlace)
        else { return false }
        let reading = ListSection.read(row.text.joinedText)
        let section = reading.section
        return reading.share == 1000 && reading.namesKind && section.color != nil && section.grape == nil
            && (row.text.count == 1 || Capitals.isInCapitals(row.text.joinedText) || namesRegionAndColor(row))
    }

    /// Whether a row is a region and a colour, and not in capitals: `Bourgogne Rouge`.
    private static func namesRegionAndColor(_ row: ListRow) -> Bool {
        guard !row.isPriced, (2...3).contains(row.text.count), !Capitals.isInCapitals(row.text.joinedText) else {
            return false
        }
        let reading = ListSection.read(row.text.joinedText)
        let section = reading.section
        return reading.share == 1000 && reading.namesKind && section.color != nil && section.region != nil
            && section.grape == nil
    }
}
