/// Finds headings that are only a place and look like a line of an entry: `Burgund` above several wines.
///
/// The second line of an entry may be only a place, too. A column has few headings, but many second lines.
enum PlaceHeadings {
    /// The minimum number of such headings in a column, unless they are in capitals.
    private static let minimumCount = 2

    /// The indices of the headings.
    ///
    /// - Parameters:
    ///   - kinds: The rows of headings of kinds of wine.
    ///   - height: The usual height of the letters of rows with prices, in pixels.
    static func rows(_ rows: [ListRow], kinds: Set<Int>, height: Int) -> Set<Int> {
        let pricedCount = rows.count { $0.isPriced && !$0.text.isEmpty }
        let texts = rows.indices.filter { !rows[$0].isPriced && rows[$0].heads.isEmpty && !rows[$0].text.isEmpty }
        var places: [Int] = []
        // From the bottom, because a country may be above a region: `ITALIEN`, `TOSKANA`.
        for index in texts.reversed() {
            let isAboveHeading = places.last == index + 1 || kinds.contains(index + 1)
            if isPlace(index, rows, height: height, isAboveHeading: isAboveHeading) { places.append(index) }
        }
        places.reverse()
        let capitals = places.filter { Capitals.isInCapitals(rows[$0].text.joinedText) }
        // If most names have a line in capitals above them, these lines are parts of names: `PANNOBILE` above
        // `Heinrich 2019`. If nearly all of them are places, they are headings: `BAROLO` above `Vietti 2018`.
        let capitalsAboveNames = texts.filter {
            isAboveName($0, rows) && Capitals.isInCapitals(rows[$0].text.joinedText)
        }
        let areFewCapitals = capitalsAboveNames.count * 2 <= pricedCount
        if !capitals.isEmpty, areFewCapitals || arePlacesAbove(capitalsAboveNames, among: capitals, rows),
            !Capitals.areMostRowsInCapitals(rows)
        {
            // Regions below countries are printed in another way: `DEUTSCHLAND`, `Mosel`.
            let regions = places.filter { !capitals.contains($0) }
            let areBelow = regions.contains { capitals.contains($0 - 1) }
            return areBelow && !haveSecondLines(places, rows, inCapitals: false) ? Set(places) : Set(capitals)
        }
        let aboveNames = places.filter { isAboveName($0, rows) }
        let areRare = aboveNames.count * 3 <= pricedCount
        let areFew = aboveNames.count * 2 <= pricedCount && aboveNames.allSatisfy { isAboveTwoNames($0, rows) }
        guard aboveNames.count >= minimumCount, areRare || areFew else { return [] }
        // If many lines are not places, they are second lines of entries, and the places probably are, too.
        let smallLines = texts.count { rows[$0].height * 10 < height * 13 }
        return places.count * 3 >= smallLines * 2 ? Set(places) : []
    }

    /// The indices of countries directly above the first of two lines of a name, if they are rare: `Österreich` above
    /// `Blaufränkisch` above `Prieler 2020   44`.
    static func countries(_ rows: [ListRow], height: Int) -> Set<Int> {
        let pricedCount = rows.count { $0.isPriced && !$0.text.isEmpty }
        let found = rows.indices.filter { index in
            guard !rows[index].isPriced, rows[index].heads.isEmpty, index + 1 < rows.count, !rows[index + 1].isPriced,
                isAboveName(index + 1, rows), mayBeHeading(index, rows, height: height, isAboveHeading: true)
            else { return false }
            let reading = ListSection.read(rows[index].text.joinedText)
            return reading.share == 1000 && reading.section.namesOnlyPlace && reading.section.country != nil
                && reading.section.region == nil
        }
        // A row below a heading cannot be the second line of an entry.
        return found.count { $0 > 0 && rows[$0 - 1].isPriced } * 3 <= pricedCount ? Set(found) : []
    }

    /// Whether at least four fifths of the lines in capitals above names are places, and places are not second lines of
    /// entries. The last second line of a block would be below a name, but not above one.
    private static func arePlacesAbove(_ lines: [Int], among places: [Int], _ rows: [ListRow]) -> Bool {
        !haveSecondLines(places, rows, inCapitals: true) && lines.count(where: places.contains) * 5 >= lines.count * 4
    }

    /// Whether a place directly below a price is not above a name, so that it is the second line of an entry.
    private static func haveSecondLines(_ places: [Int], _ rows: [ListRow], inCapitals: Bool) -> Bool {
        rows.indices.dropFirst().contains { index in
            rows[index - 1].isPriced && namesPlace(rows[index]) && !places.contains(index)
                && Capitals.isInCapitals(rows[index].text.joinedText) == inCapitals
        }
    }

    /// Whether a row is a place above a row with a name and a price, or above another heading.
    private static func isPlace(_ index: Int, _ rows: [ListRow], height: Int, isAboveHeading: Bool) -> Bool {
        mayBeHeading(index, rows, height: height, isAboveHeading: isAboveHeading) && namesPlace(rows[index])
    }

    /// Whether a row without prices is only a place.
    private static func namesPlace(_ row: ListRow) -> Bool {
        guard !row.isPriced else { return false }
        let reading = ListSection.read(row.text.joinedText)
        return reading.share == 1000 && !reading.namesKind && reading.section.grape == nil
            && (reading.section.region != nil || reading.section.country != nil)
    }

    /// Whether a short row may be a heading: the next row has a name and a price or is a heading, and the row above is
    /// not closer than the next row. The second line of an entry would be closer to the row above.
    ///
    /// - Parameter isAboveHeading: Whether the next row is a heading.
    static func mayBeHeading(_ index: Int, _ rows: [ListRow], height: Int, isAboveHeading: Bool = false) -> Bool {
        let row = rows[index]
        guard row.text.count <= 4, row.height * 100 >= height * 95, isAboveHeading || isAboveName(index, rows) else {
            return false
        }
        guard index > 0 else { return true }
        let above = RowRoles.distance(rows[index - 1], row)
        return above * 100 >= RowRoles.distance(row, rows[index + 1]) * 90
    }

    /// Whether the next two rows have names and prices.
    static func isAboveTwoNames(_ index: Int, _ rows: [ListRow]) -> Bool {
        isAboveName(index, rows) && isAboveName(index + 1, rows)
    }

    /// Whether the next row has a name and a price.
    static func isAboveName(_ index: Int, _ rows: [ListRow]) -> Bool {
        index + 1 < rows.count && rows[index + 1].isPriced && !rows[index + 1].text.isEmpty
    }
}
