/// Finds headings that are only a place and look like a line of an entry: `Burgund` above several wines.
///
/// The second line of an entry may be only a place, too. A column has few headings, but many second lines.
enum PlaceHeadings {
    /// The minimum number of such headings in a column, unless they are in capitals.
    private static let minimumCount = 2

    /// The indices of the headings.
    ///
    /// - Parameter height: The usual height of the letters of rows with prices, in pixels.
    static func rows(_ rows: [ListRow], height: Int) -> Set<Int> {
        let pricedCount = rows.count { $0.isPriced && !$0.text.isEmpty }
        let texts = rows.indices.filter { !rows[$0].isPriced && rows[$0].heads.isEmpty && !rows[$0].text.isEmpty }
        var places: [Int] = []
        // From the bottom, because a country may be above a region: `ITALIEN`, `TOSKANA`.
        for index in texts.reversed() {
            let isAbovePlace = places.last == index + 1
            if isPlace(index, rows, height: height, isAbovePlace: isAbovePlace) { places.append(index) }
        }
        places.reverse()
        let capitals = places.filter { Capitals.isInCapitals(rows[$0].text.joinedText) }
        // If most names have a line in capitals above them, it is a part of the name: `BAROLO` above `Vietti 2018`.
        let capitalsAboveNames = texts.count {
            isAboveName($0, rows) && Capitals.isInCapitals(rows[$0].text.joinedText)
        }
        if !capitals.isEmpty, capitalsAboveNames * 2 <= pricedCount, !Capitals.areMostRowsInCapitals(rows) {
            return Set(capitals)
        }
        let aboveNames = places.filter { isAboveName($0, rows) }
        let areRare = aboveNames.count * 3 <= pricedCount
        let areFew = aboveNames.count * 2 <= pricedCount && aboveNames.allSatisfy { isAboveTwoNames($0, rows) }
        guard aboveNames.count >= minimumCount, areRare || areFew else { return [] }
        // If many lines have other words, they are second lines of entries, and the places probably are, too.
        let smallLines = texts.count { rows[$0].height * 10 < height * 13 }
        return places.count * 3 >= smallLines * 2 ? Set(places) : []
    }

    /// Whether a row is a place above a row with a name and a price, or above another place.
    private static func isPlace(_ index: Int, _ rows: [ListRow], height: Int, isAbovePlace: Bool) -> Bool {
        let row = rows[index]
        guard mayBeHeading(index, rows, height: height, isAboveHeading: isAbovePlace) else { return false }
        let reading = ListSection.read(row.text.joinedText)
        return reading.share == 1000 && !reading.namesKind && reading.section.grape == nil
            && (reading.section.region != nil || reading.section.country != nil)
    }

    /// Whether a short row is above a row with a name and a price, or above a heading, and is not closer to the row
    /// above it. The second line of an entry would be closer.
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
    private static func isAboveName(_ index: Int, _ rows: [ListRow]) -> Bool {
        index + 1 < rows.count && rows[index + 1].isPriced && !rows[index + 1].text.isEmpty
    }
}
