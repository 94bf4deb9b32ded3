extension ListSection {
    /// Applies the next heading, whose letters are `height` pixels high.
    mutating func enter(_ heading: ListSection, height: Int) {
        var next = heading
        next.height = height
        (next.isUnknown, next.namesOnlyWine) = (false, false)
        next.isPlaceOfColor = heading.color != nil && heading.country != nil
        next.outerHeight = heading.color == nil && (heading.isByGlass || heading.serving != nil) ? height : 0
        // Larger letters begin a new part of the list. A heading of the same size replaces only the properties that it
        // states.
        let isLarger = height * 10 > self.height * 12
        if !isLarger || heading.isEmpty || heading.isUnknown {
            let staysOther = isOther && (isTaller(than: next) || heading.isUnknown) && !heading.namesWine
            next.isOther = heading.isOther || staysOther
            // `Wein des Hauses` below `Champagner` is not sparkling.
            let endsColor = heading.namesOnlyWine && color != nil && color != .red && color != .white
            next.color = heading.color ?? (endsColor ? nil : color)
            if heading.color == nil, !endsColor { next.colors = colors }
            if !heading.statesServing { passServing(to: &next, heading, height: height) }
            passPlace(to: &next, heading, isNewColor: endsColor || heading.color != nil && heading.color != color)
            next.grape = heading.grape ?? (heading.color == nil && heading.country == nil ? grape : nil)
        }
        self = next
    }

    /// Passes the serving on to the section below a heading that states none.
    private func passServing(to next: inout ListSection, _ heading: ListSection, height: Int) {
        let isInner = mayBeInner(heading, height: height)
        next.isByGlass = isByGlass && (heading.color == nil || isInner)
        next.serving = isInner ? serving : nil
        guard next.isByGlass || next.serving != nil else { return }
        next.outerHeight = outerHeight
        next.innerColors = innerColors + (heading.color.map { [$0] } ?? [])
        next.hasInner = true
        next.highestGlass = highestGlass
    }

    /// Whether a heading is below a heading with a serving: its letters are smaller, or it or another such heading
    /// directly follows. A colour that repeats begins another part of the list.
    private func mayBeInner(_ heading: ListSection, height: Int) -> Bool {
        guard outerHeight > 0, heading.color.map(innerColors.contains) != true else { return false }
        let hasSimilar = heading.color == nil ? hasInner : !innerColors.isEmpty
        return height * 10 < outerHeight * 9 || !hasWines || hasSimilar
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
        // In `Ribera del Duero`, wines, `Cavas`, the colour does not belong to the place.
        if isNewColor, color == nil, hasWines, next.height * 10 >= self.height * 9 { return }
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

    /// The first price of another colour ends wines by the glass if it is more than this many times their highest price.
    private static let bottleFactor = 3

    /// Compares the prices of the next wine, in minor units, with those by the glass above it. The bottles may begin
    /// with a heading of a colour: `Offene Weine`, `Weiß`, wines, `Schaumwein`, bottles.
    mutating func compare(_ amounts: [Int]) {
        guard isByGlass, let lowest = amounts.min() else { return }
        if !hasWines, !innerColors.isEmpty, highestGlass > 0, lowest > highestGlass * Self.bottleFactor {
            (isByGlass, outerHeight, innerColors) = (false, 0, [])
        } else {
            highestGlass = max(highestGlass, lowest)
        }
    }

    /// Records that there are wines below the last heading.
    mutating func addWines() { hasWines = true }
}
