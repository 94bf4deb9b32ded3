import Domain
import Recognition

/// A good whose amount is lost under glare or a fold while its quantity line below stands complete: `Diesel` above
/// `41,37 l x 1,529`.
enum LostGood {
    /// Puts it beside the neighbour that took its quantity line, where quantity × unit price is to the cent what the other
    /// lines lack to the total. Its amount is left to be filled from that product, as a repair.
    static func restore(_ items: inout [DraftItem], _ lines: [ReadLine], total: Int64?) {
        let known = items.compactMap(\.value)
        guard let total, items.count >= 2, known.count == items.count,
            case let missing = total - known.reduce(0, +), missing > 0
        else { return }
        let takers = items.indices.filter {
            items[$0].quantity?.origin == .ownLine && items[$0].quantity?.phrase.product == missing
                && items[$0].value != missing
        }
        guard takers.count == 1, let taker = takers.first, let quantity = items[taker].quantity,
            let row = items[taker].lines.first(where: { lines[$0].quantity?.product == missing }), row > 0,
            !items.contains(where: { $0.lines.contains(row - 1) }), isName(lines[row - 1])
        else { return }
        let line = lines[row - 1]
        let name = line.line.string.split(separator: " ").prefix { $0.contains(where: \.isLetter) }
        let place = Place(page: line.line.page, box: line.line.box, confidence: 0)
        items[taker].quantity = nil
        items[taker].lines.removeAll { $0 == row }
        let end = line.line.text.count
        items.insert(
            DraftItem(
                name: name.joined(separator: " ").trimmingSuffix { !$0.isLetter && !$0.isNumber && $0 != ")" },
                namePlace: place, lines: [row - 1, row],
                price: PriceCell(range: end..<end, value: nil, printed: "", isExact: false, end: end),
                pricePlace: place, quantity: quantity, value: nil),
            at: items[taker].lines.allSatisfy { $0 < row } ? taker + 1 : taker)
    }

    private static func isName(_ line: ReadLine) -> Bool {
        line.line.words.first.map { $0.text.count { $0.isLetter } >= 3 } ?? false
            && line.price?.isExact != true && !line.begins(with: .header) && !line.has(.hours)
            && line.dates.days.isEmpty && !SectionFinder.isColumnHeader(line)
            && ![.total, .subtotal, .payment, .change, .vatHeader].contains(where: line.begins)
    }
}

extension String {
    /// Without what stands behind the last sign that is not `unwanted`.
    fileprivate func trimmingSuffix(_ unwanted: (Character) -> Bool) -> String {
        lastIndex { !unwanted($0) }.map { String(self[...$0]) } ?? ""
    }
}
