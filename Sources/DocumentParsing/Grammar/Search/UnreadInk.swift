import Recognition

/// Ink on the paper that no engine read.
enum UnreadInk {
    /// Whether some is between the first line of the goods and the line of the total, on the page of both, and within the
    /// width of the print: what lies beside it is no line of goods.
    static func isAmongGoods(_ lines: [ReadLine], _ sections: Sections, _ document: RecognizedDocument) -> Bool {
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

    /// From where names begin to where amounts and their classes end, with room for a letter; nil when no amount was read.
    private static func width(of goods: ArraySlice<ReadLine>, on page: Int) -> Range<Int>? {
        var width: Range<Int>?
        for read in goods where read.line.page == page {
            guard let price = read.price, price.isExact else { continue }
            let line = read.line
            let end = line.box(price.range.lowerBound..<max(price.end, price.range.upperBound))
            let left = min(width?.lowerBound ?? .max, line.box.x - end.height)
            width = left..<max(width?.upperBound ?? left, end.maxX + end.height)
        }
        return width
    }
}
