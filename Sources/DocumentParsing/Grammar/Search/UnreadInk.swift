import Recognition

/// Ink on the paper that no engine read.
enum UnreadInk {
    /// Whether there is unread ink between the first item and the line of the total, within the width of the print. Ink
    /// beside the print cannot be an item.
    static func isAmongItems(_ lines: [ReadLine], _ sections: Sections, _ document: RecognizedDocument) -> Bool {
        guard let first = lines[safe: sections.body.lowerBound]?.line, !sections.body.isEmpty,
            let last = lines[safe: sections.total ?? sections.body.upperBound - 1]?.line
        else { return false }
        return document.pages.enumerated().contains { number, page in
            let top = first.page == number ? first.box.y : first.page < number ? 0 : page.height
            let bottom = last.page == number ? last.box.maxY : last.page > number ? page.height : 0
            let width = width(of: lines[sections.body], on: number) ?? 0..<page.width + 1
            return page.unreadInk.contains {
                2 * top <= $0.doubleMidY && $0.doubleMidY <= 2 * bottom && width.contains($0.x + $0.width / 2)
            }
        }
    }

    /// Whether there is unread ink between two lines. Returns true for lines on different pages.
    static func isBetween(_ upper: PrintedLine, _ lower: PrintedLine, _ document: RecognizedDocument) -> Bool {
        guard upper.page == lower.page, let page = document.pages[safe: upper.page] else { return true }
        return page.unreadInk.contains { upper.box.doubleMidY < $0.doubleMidY && $0.doubleMidY < lower.box.doubleMidY }
    }

    /// The horizontal range from names to amounts, with room for a letter and a tax class; nil if no amount was read.
    private static func width(of items: ArraySlice<ReadLine>, on page: Int) -> Range<Int>? {
        let amounts = items.filter { $0.line.page == page }.compactMap { read in
            read.price.flatMap { $0.isExact ? (left: read.line.box.x, amount: read.line.box($0.range)) : nil }
        }
        // A few boxes may be far too high, on bent paper.
        guard let height = amounts.map(\.amount.height).median, let left = amounts.map(\.left).min(),
            let right = amounts.map(\.amount.maxX).max()
        else { return nil }
        return (left - height)..<(right + 3 * height)
    }
}
