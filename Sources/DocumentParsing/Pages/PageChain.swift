/// The order of the pages, and their overlaps.
struct PageChain: Sendable {
    /// All pages, from the top of the receipt to its end.
    private(set) var order: [Int] = []
    /// For each lower page, the page that it overlaps, and the overlaps; no entry for a page that overlaps none.
    private(set) var links: [Int: Link] = [:]

    struct Link: Sendable {
        let upper: Int
        /// The likeliest first, never empty.
        let overlaps: [Overlap]
    }

    /// Up to this number of pages, all pairs are compared; with more pages, only neighbours.
    private static let maximumCompared = 6

    /// - Parameter pages: rows of each page, in the order in which the pages were given.
    init(_ pages: [[PageRow]]) {
        var found: [(upper: Int, lower: Int, overlaps: [Overlap])] = []
        for upper in pages.indices {
            for lower in pages.indices where lower != upper {
                guard pages.count <= Self.maximumCompared || abs(upper - lower) == 1 else { continue }
                // Pages with a text layer are in order and repeat only headings.
                if pages[upper].first?.isText ?? true, pages[lower].first?.isText ?? true { continue }
                let overlaps = OverlapFinder(pages[upper], pages[lower]).overlaps(maximum: 3)
                if overlaps.first?.isSufficient ?? false { found.append((upper, lower, overlaps)) }
            }
        }
        found.sort { ($0.overlaps[0].score, $1.upper) > ($1.overlaps[0].score, $0.upper) }
        // A page can contain a second page completely, and overlap a third page that continues it.
        var inside: [Int: [Int]] = [:]
        var successor: [Int: Int] = [:]
        for (upper, lower, overlaps) in found where links[lower] == nil && !leads(from: upper, to: lower) {
            if Self.isInside(overlaps[0], pages[upper], pages[lower]) {
                inside[upper, default: []].append(lower)
            } else if successor[upper] == nil {
                successor[upper] = lower
            } else {
                continue
            }
            links[lower] = Link(upper: upper, overlaps: overlaps)
        }
        order = []
        for head in pages.indices where links[head] == nil {
            var waiting = [head]
            while let page = waiting.popLast() {
                order.append(page)
                if let next = successor[page] { waiting.append(next) }
                waiting += inside[page]?.reversed() ?? []
            }
        }
    }

    /// Whether `end` is `page` itself or above it in the chain of overlaps.
    private func leads(from page: Int, to end: Int) -> Bool {
        var page = page
        while page != end, let link = links[page] { page = link.upper }
        return page == end
    }

    /// Whether the upper page continues after the end of the lower one.
    private static func isInside(_ overlap: Overlap, _ upper: [PageRow], _ lower: [PageRow]) -> Bool {
        guard let last = overlap.pairs.last else { return false }
        return lower.count - last.lower <= 2 && upper.count - last.upper > lower.count - last.lower
    }

    /// Groups of overlapping pages, each from top to bottom.
    var runs: [[Int]] {
        order.reduce(into: []) { runs, page in
            if links[page] != nil, !runs.isEmpty {
                runs[runs.count - 1].append(page)
            } else {
                runs.append([page])
            }
        }
    }
}
