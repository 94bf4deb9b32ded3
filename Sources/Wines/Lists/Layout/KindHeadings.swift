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
        let pricedCount = rows.count(where: \.isPriced)
        var colors = rows.indices.filter { isColor($0, rows, above: places, height: height) }
        let bare = bareColors(rows, height: height)
        let below = places.union(colors).union(bare)
        var certain: [Int] = []
        // From the bottom, because a kind may be above another one: `Wines by the Bottle`, `Red`.
        for index in rows.indices.reversed() {
            let isAboveHeading = below.contains(index + 1) || certain.last == index + 1
            if isKind(index, rows, isAboveHeading: isAboveHeading, height: height) { certain.append(index) }
        }
        certain.reverse()
        // The last such line of a block, which is not above a name, shows that they are second lines of entries.
        let haveSecondLines = rows.indices.dropFirst().contains { index in
            rows[index - 1].isPriced && namesRegionAndColor(rows[index]) && !colors.contains(index)
                && !places.contains(index + 1) && !PlaceHeadings.isAboveName(index, rows)
        }
        if haveSecondLines { colors.removeAll { namesRegionAndColor(rows[$0]) } }
        if !bare.isEmpty { return Set(certain + colors + bare) }
        // A single colour above two names may be a second line, unless the column has other headings of kinds.
        let areHeadings = !certain.isEmpty || colors.count > 1
        let kinds = areHeadings ? Set(certain + colors) : Set(certain)
        let areAboveTwo = kinds.allSatisfy { index in
            places.contains(index + 1) || kinds.contains(index + 1) || isAboveColor(index, rows)
                || PlaceHeadings.isAboveTwoNames(index, rows)
        }
        if areAboveTwo { return kinds }
        let texts = Set(kinds.map { WineText.words(rows[$0].text.joinedText) })
        // The first row, a row above another heading, and the name of other drinks are no second lines.
        let possibleSecondLines = kinds.count { index in
            index > 0 && !kinds.contains(index + 1) && !ListSection.read(rows[index].text.joinedText).section.isOther
        }
        return possibleSecondLines * 3 <= pricedCount + 1 && texts.count == kinds.count ? kinds : []
    }

    /// Whether a row has only words for wine and for its kind, for several bottles of one size, or for other drinks:
    /// `Halbe Flaschen`, `Alkoholfrei`.
    private static func isKind(_ index: Int, _ rows: [ListRow], isAboveHeading: Bool, height: Int) -> Bool {
        let row = rows[index]
        guard !row.isPriced, row.heads.isEmpty, !row.text.isEmpty,
            PlaceHeadings.mayBeHeading(
                index, rows, height: height,
                isAboveHeading: isAboveHeading || isAboveNameOfPrices(index, rows) || isAboveColor(index, rows))
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

    /// Whether the next row is a name, and its prices are in a row below it.
    static func isAboveNameOfPrices(_ index: Int, _ rows: [ListRow]) -> Bool {
        guard index + 2 < rows.count else { return false }
        let (name, prices) = (rows[index + 1], rows[index + 2])
        return !name.isPriced && !name.text.isEmpty && name.heads.isEmpty && prices.isPriced && prices.text.isEmpty
    }

    /// Whether the next row is only a colour, and above a name with a price.
    private static func isAboveColor(_ index: Int, _ rows: [ListRow]) -> Bool {
        index + 1 < rows.count && isBareColor(rows[index + 1]) && PlaceHeadings.isAboveName(index + 1, rows)
    }

    private static func isBareColor(_ row: ListRow) -> Bool {
        guard !row.isPriced, row.heads.isEmpty, row.text.count == 1 else { return false }
        let reading = ListSection.read(row.text.joinedText)
        return reading.share == 1000 && reading.namesKind && reading.section.color != nil
            && reading.section.grape == nil
    }

    /// The rows that are only a colour, if all of them are above names and at least one is no second line of an entry,
    /// because it is the first row or below another heading: `BY THE GLASS`, `Sparkling`.
    private static func bareColors(_ rows: [ListRow], height: Int) -> [Int] {
        let colors = rows.indices.filter { isBareColor(rows[$0]) }
        guard Set(colors.map { rows[$0].text.joinedText }).count > 1,
            colors.allSatisfy({ PlaceHeadings.mayBeHeading($0, rows, height: height) })
        else { return [] }
        let isCertain = colors.contains { index in
            guard index > 0 else { return true }
            let above = rows[index - 1]
            let reading = ListSection.read(above.text.joinedText)
            return !above.isPriced && reading.share == 1000 && reading.namesKind
        }
        return isCertain ? colors : []
    }

    /// Whether a row is above two names with prices or above a place, and has only a colour, a region and a colour, or a
    /// colour and other words of headings in capitals: `Rosé`, `Bourgogne Rouge`, `FULL BODIED REDS`.
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
