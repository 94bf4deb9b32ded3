import Recognition

/// Ink on the paper that no engine read.
enum UnreadInk {
    /// Whether some is between the first line of the goods and the line of the total, on the page of both.
    static func isAmongGoods(_ lines: [ReadLine], _ sections: Sections, _ document: RecognizedDocument) -> Bool {
        guard let first = lines[safe: sections.body.lowerBound]?.line, !sections.body.isEmpty,
            let last = lines[safe: sections.total ?? sections.body.upperBound - 1]?.line
        else { return false }
        return document.pages.enumerated().contains { number, page in
            let top = first.page == number ? first.box.y : first.page < number ? 0 : page.height
            let bottom = last.page == number ? last.box.maxY : last.page > number ? page.height : 0
            return page.unreadInk.contains { 2 * top <= $0.doubleMidY && $0.doubleMidY <= 2 * bottom }
        }
    }
}
