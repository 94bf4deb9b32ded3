import Domain
import Recognition

/// Chooses the places to read again in order to resolve doubts.
enum RereadPlanner {
    static func requests(
        drafts: [DraftItem], lines: [ReadLine], dates: DateFinder, gaps: [Place], unexplained: [Int],
        reasons: [ParsedReceipt.Reason], pages: [RecognizedPage]
    ) -> [RereadRequest] {
        var requests: [RereadRequest] = []
        func ask(_ place: Place?, _ alphabet: RereadRequest.Alphabet = .amount, isGap: Bool = false) {
            guard let place, let box = place.box, requests.count < ReceiptParser.maximumRereads,
                let page = pages[safe: place.page], page.source == .ocr
            else { return }
            let request = RereadRequest(page: place.page, box: isGap ? box : widened(box, in: page), alphabet: alphabet)
            if !requests.contains(request) { requests.append(request) }
        }
        let sumIsOpen = reasons.contains { [.sumDiffers, .lineUnreadable, .repairUnconfirmed].contains($0) }
        if sumIsOpen {
            let doubtful = drafts.indices.filter {
                drafts[$0].value == nil || !drafts[$0].price.isExact || drafts[$0].repair != nil
            }
            for index in doubtful { ask(drafts[index].pricePlace) }
            let rest = drafts.indices.filter { !doubtful.contains($0) }.sorted {
                drafts[$0].pricePlace.confidence < drafts[$1].pricePlace.confidence
            }
            // An amount that was filled in from the sum hides the error of any other amount, so all amounts are read
            // again.
            let hasFilledAmount = drafts.contains { $0.repair?.reason == .sum && $0.price.value == nil }
            for index in rest.prefix(hasFilledAmount ? rest.count : 4) { ask(drafts[index].pricePlace) }
        }
        if reasons.contains(.totalUnconfirmed), !sumIsOpen {
            // If every amount is read clearly, the lines confirm the total.
            for item in drafts where item.pricePlace.confidence < Confidence.legible { ask(item.pricePlace) }
            let evidence = AmountEvidence(items: drafts, lines: lines, taxRows: [], rereadings: Rereadings([]))
            for index in drafts.indices
            where !evidence.isConfirmed(index) && lines.contains(where: { !$0.line.otherEngineWords.isEmpty }) {
                ask(drafts[index].pricePlace)
            }
            for line in lines where SectionFinder.isTotal(line) {
                if let place = line.price.map({ line.line.place($0.range) }), place.confidence < Confidence.clearTotal {
                    ask(place)
                }
            }
        }
        for item in drafts {
            guard let quantity = item.quantity, !quantity.isConfirmed else { continue }
            guard quantity.phrase.unit != .piece || quantity.repair != nil || quantity.isDerived else { continue }
            // Read the whole line, because engines read figures less well without the letters beside them.
            ask(quantity.linePlace ?? quantity.phrasePlace ?? quantity.place, .text)
        }
        for index in unexplained.prefix(4) { ask(lines[index].line.place, .text) }
        for gap in gaps { ask(gap, .text, isGap: true) }
        for place in datePlaces(lines, dates, reasons) { ask(place, .text) }
        return requests
    }

    /// The places to read again in order to find the date.
    private static func datePlaces(
        _ lines: [ReadLine], _ dates: DateFinder, _ reasons: [ParsedReceipt.Reason]
    ) -> [Place] {
        if reasons.contains(.dateMissing) { return lines.filter(\.dates.hasBrokenDay).prefix(2).map { $0.line.place } }
        let dated = lines.filter { !$0.dates.days.isEmpty }
        if reasons.contains(.dateDisagrees) { return dated.prefix(3).map { $0.line.place } }
        guard reasons.contains(.dateUnconfirmed), let date = dates.date else { return [] }
        let line = dated.first { line in
            line.line.page == date.page
                && date.box.map { line.line.box.y <= $0.y && $0.maxY <= line.line.box.maxY } ?? false
        }
        return [Place(page: date.page, box: line?.line.box ?? date.box, confidence: date.confidence)]
    }

    /// Adds a margin on every side, clipped to the page.
    private static func widened(_ box: PixelBox, in page: RecognizedPage) -> PixelBox {
        let room = max(4, box.height / 3)
        let x = max(0, box.x - room)
        let y = max(0, box.y - room / 2)
        return PixelBox(
            x: x, y: y, width: min(page.width, box.maxX + room) - x, height: min(page.height, box.maxY + room / 2) - y)
    }
}
