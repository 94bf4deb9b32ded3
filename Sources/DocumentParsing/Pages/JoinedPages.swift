import Recognition

/// The lines of all pages of a receipt in one sequence.
///
/// Photos of a long receipt overlap. If two photos show a line, the better reading is used, and the words of the other
/// reading are its alternatives. Every line keeps its page and position.
struct JoinedPages: Sendable {
    let lines: [PrintedLine]
    /// Whether lines were left out because there were too many.
    let isCut: Bool
    /// Indices of the first lines of photos that do not overlap the photo above: a part between them may be missing.
    let breaks: [Int]

    /// Maximum number of orders that are tried.
    private static let maximumOrders = 6
    /// Minimum likeness of rows of a repeated head, which differ only in the page number; 0…100.
    private static let alikeHeads = 85

    /// The pages in each possible order, the likeliest first; never empty.
    static func candidates(of document: RecognizedDocument) -> [JoinedPages] {
        if document.pages.count <= 1 { return [alone(document.pages.first)] }
        let pages = document.pages.enumerated().map { number, page in
            LineCollector.rows(of: page).map { PageRow(page: number, words: $0, isText: page.source == .text) }
        }
        let isTooLong = document.pages.contains { $0.lines.count > PrintedLine.maximumLines }
        let chain = PageChain(pages)
        let whole = PageOrder(runs: chain.runs, overlaps: chain.links.mapValues { ($0.upper, $0.overlaps[0]) })
        var orders = [whole]
        for (page, link) in chain.links.sorted(by: { $0.key < $1.key }) {
            for other in link.overlaps.dropFirst() { orders.append(whole.with((link.upper, other), at: page)) }
            // A short overlap may be an item that was bought twice.
            if link.overlaps[0].pairs.count <= 2 { orders.append(whole.with(nil, at: page)) }
        }
        if pages.allSatisfy({ $0.first.map { !$0.isText } ?? false }) {
            for (above, below) in zip(chain.runs, chain.runs.dropFirst()) {
                guard let upper = above.last, let lower = below.first else { continue }
                for weak in OverlapFinder(pages[upper], pages[lower]).overlaps(maximum: 3) {
                    orders.append(whole.with((upper, weak), at: lower))
                }
            }
            if (2...3).contains(chain.runs.count) {
                // Nothing shows the order of these photos.
                orders += chain.runs.permutations.dropFirst().map { PageOrder(runs: $0, overlaps: whole.overlaps) }
            }
        }
        return orders.prefix(maximumOrders).map { order in
            joined(pages, order, heights: document.pages.map(\.height), isTooLong: isTooLong)
        }
    }

    /// The lines of a receipt with at most one page.
    private static func alone(_ page: RecognizedPage?) -> JoinedPages {
        guard let page else { return JoinedPages(lines: [], isCut: false, breaks: []) }
        let lines = LineCollector.rows(of: page).map { PrintedLine(page: 0, words: $0, isText: page.source == .text) }
        return JoinedPages(
            lines: lines.filter { !$0.words.isEmpty }, isCut: page.lines.count > PrintedLine.maximumLines, breaks: [])
    }

    /// Whether a part of the items, or the total, may be missing between two photos.
    func isBroken(within sections: Sections) -> Bool {
        breaks.contains { sections.body.lowerBound < $0 && $0 <= sections.total ?? sections.body.upperBound }
    }

    /// One order of the pages, with the overlaps between them.
    private struct PageOrder {
        /// The pages in groups that overlap, each from top to bottom.
        let runs: [[Int]]
        /// For each lower page, the page that it overlaps, and the overlap.
        var overlaps: [Int: (upper: Int, overlap: Overlap)]

        /// A copy with another overlap of the page; nil for none.
        func with(_ overlap: (upper: Int, overlap: Overlap)?, at page: Int) -> PageOrder {
            var copy = self
            copy.overlaps[page] = overlap
            return copy
        }
    }

    private static func joined(_ pages: [[PageRow]], _ order: PageOrder, heights: [Int], isTooLong: Bool) -> JoinedPages
    {
        var merge = PageMerge(pages, heights: heights)
        // The first rows of pages that overlap no earlier page.
        var starts: [(row: Int, isBreak: Bool)] = []
        var last: Int?
        for page in order.runs.joined() {
            if let (upper, overlap) = order.overlaps[page] {
                merge.append(page, over: upper, overlap)
            } else {
                let isText = pages[page].first?.isText ?? false
                if last != nil { starts.append((merge.rows.count, !isText)) }
                merge.append(page, skipping: last.map { repeatedHead(of: pages[page], after: pages[$0]) } ?? 0..<0)
            }
            last = page
        }
        var lines: [PrintedLine] = []
        var breaks: [Int] = []
        for (index, row) in merge.rows.enumerated() {
            guard lines.count < PrintedLine.maximumLines else { break }
            if starts.contains(where: { $0.row == index && $0.isBreak }) { breaks.append(lines.count) }
            let line = PrintedLine(page: row.page, words: row.words, isText: row.isText, twin: row.twin)
            if !line.words.isEmpty { lines.append(line) }
        }
        return JoinedPages(
            lines: lines, isCut: isTooLong || merge.rows.count > PrintedLine.maximumLines, breaks: breaks)
    }

    /// The first rows of a page that repeat the head of the page before, as documents of several pages do. Empty if
    /// fewer than two rows, or all rows of the page, are repeated.
    private static func repeatedHead(of page: [PageRow], after previous: [PageRow]) -> Range<Int> {
        let count = zip(page, previous).prefix { $0.likeness(to: $1) >= alikeHeads }.count
        return count >= 2 && count < page.count ? 0..<count : 0..<0
    }
}
