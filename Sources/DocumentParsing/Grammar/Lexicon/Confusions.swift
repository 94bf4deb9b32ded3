/// Characters that OCR engines confuse in poor print.
enum Confusions {
    /// Pairs of digits, and the cost of assuming that one of them was read as the other, in either direction. The costs
    /// were measured on generated pages with known text.
    private static let pairs = [
        (0, 8, 330), (0, 9, 420), (0, 6, 420), (1, 7, 360), (1, 4, 480), (2, 7, 460), (2, 3, 520), (3, 8, 360),
        (3, 5, 440), (3, 9, 440), (4, 9, 480), (5, 6, 360), (5, 8, 460), (5, 9, 480), (6, 8, 360), (8, 9, 400),
    ]
    /// Cost of all other pairs.
    private static let unrelated = 1_000
    /// Pairs, as `printed * 10 + read`, that the search considers, but repairs of a single figure do not.
    private static let onlySearched: Set<Int64> = [23, 32, 35, 53, 58, 85]

    /// Costs by `printed * 10 + read`.
    private static let costs: [Int] = {
        var costs = [Int](repeating: unrelated, count: 100)
        for (one, other, cost) in pairs { (costs[one * 10 + other], costs[other * 10 + one]) = (cost, cost) }
        return costs
    }()

    /// All amounts that differ from `magnitude` in one digit. `scale` is the place value of that digit (1, 10, 100 …),
    /// `printed` the digit that may be printed, and `read` the digit that was read.
    private static func changes(
        of magnitude: Int64
    ) -> [(value: Int64, scale: Int64, printed: Int64, read: Int64)] {
        var found: [(value: Int64, scale: Int64, printed: Int64, read: Int64)] = []
        var scale: Int64 = 1
        // Amounts below one unit are printed with a zero before the comma.
        while scale <= max(magnitude, 100) {
            let read = magnitude / scale % 10
            for printed in Int64(0)...9 where printed != read {
                found.append((magnitude + (printed - read) * scale, scale, printed, read))
            }
            scale *= 10
        }
        return found
    }

    /// At most `maximum` amounts that differ from `read` in one digit, with the cost of misreading that digit, in
    /// the order of these costs.
    static func neighbours(of read: Int64, maximum: Int) -> [(value: Int64, cost: Int)] {
        let magnitude = Int64(read.magnitude)
        let found = changes(of: magnitude)
            // Tills print no leading zero except the one directly before the comma.
            .filter { $0.scale < 1_000 || $0.printed != 0 || magnitude / $0.scale >= 10 }
            .map { (value: read < 0 ? -$0.value : $0.value, cost: costs[Int($0.printed * 10 + $0.read)]) }
        return Array(found.sorted { ($0.cost, $0.value) < ($1.cost, $1.value) }.prefix(maximum))
    }

    /// All amounts in which one digit of `value` is replaced by a similar digit.
    static func lookAlikes(of value: Int64) -> [Int64] {
        changes(of: abs(value)).filter { change in
            let pair = change.printed * 10 + change.read
            return costs[Int(pair)] < unrelated && !onlySearched.contains(pair)
        }.map { value < 0 ? -$0.value : $0.value }
    }

    /// The digit that a character resembles.
    static func digit(_ scalar: Unicode.Scalar) -> Int64? {
        if scalar.isDigit { return scalar.digitValue }
        switch scalar {
        case "O", "o", "D", "Q": return 0
        case "I", "l", "|", "i", "!", "]": return 1
        case "Z", "z": return 2
        case "S", "s", "$": return 5
        case "b", "G": return 6
        case "T": return 7
        case "B", "ß": return 8
        case "g", "q": return 9
        default: return nil
        }
    }
}
