import Domain
import Recognition

/// Separates a tax class that is a digit from the amount that it touches in poor print: `4.031` for 4.03 of class 1.
enum GluedClass {
    /// Returns the lines with such classes separated, if enough lines show that classes are digits.
    static func parted(_ lines: [ReadLine], facts: ChainFacts, asOf today: LocalDate) -> [ReadLine] {
        var classes: Set<Int64> = []
        var classed: [ReadLine] = []
        var glued: [Int] = []
        for (index, line) in lines.enumerated() {
            if digit(line) != nil {
                glued.append(index)
            } else if let price = line.price, price.isExact, let vatClass = price.vatClass, let value = Int64(vatClass)
            {
                classes.insert(value)
                classed.append(line)
            }
        }
        guard !glued.isEmpty, classed.count >= 2 || glued.count >= 3 else { return lines }
        let right = Dictionary(grouping: classed.isEmpty ? glued.map { lines[$0] } : classed, by: \.line.page)
            .compactMapValues { $0.map(\.line.box.maxX).median }
        var result = lines
        for index in glued {
            let line = lines[index].line
            guard let found = digit(lines[index]), classes.contains(found.value) || (1...2).contains(found.value),
                let edge = right[line.page], abs(line.box.maxX - edge) <= 3 * line.box.height
            else { continue }
            result[index] = ReadLine(line.parted(at: found.place), facts: facts, asOf: today)
        }
        return result
    }

    /// The third decimal of an amount at the end of its line, and its position.
    private static func digit(_ line: ReadLine) -> (value: Int64, place: Int)? {
        guard let figure = line.figures.last, figure.decimals == 3, !figure.isSplit, !figure.isPercent,
            figure.digitCount <= 8, figure.range.upperBound == line.line.text.count,
            line.line.text[safe: figure.range.lowerBound - 1].map({ $0 == " " }) ?? true,
            (0...4).contains(figure.unscaledValue % 10), line.line.letterCount >= 3
        else { return nil }
        return (figure.unscaledValue % 10, figure.range.upperBound - 1)
    }
}
