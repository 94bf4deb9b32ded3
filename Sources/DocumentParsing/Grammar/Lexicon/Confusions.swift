/// Digits that OCR engines confuse, and the cost of assuming such a confusion.
///
/// The costs were measured on generated pages whose text is known. They are the same in both directions. A pair that
/// is not in the table costs `other`.
enum Confusions {
    /// Rows `printed read cost`: the printed digit, the digit that was read, the cost.
    private static let table = """
        0 8 330
        8 0 330
        0 9 420
        9 0 420
        0 6 420
        6 0 420
        1 7 360
        7 1 360
        1 4 480
        4 1 480
        2 7 460
        7 2 460
        2 3 520
        3 2 520
        3 8 360
        8 3 360
        3 5 440
        5 3 440
        3 9 440
        9 3 440
        5 6 360
        6 5 360
        5 8 460
        8 5 460
        5 9 480
        9 5 480
        6 8 360
        8 6 360
        8 9 400
        9 8 400
        4 9 480
        9 4 480
        """
    /// Cost of every pair that is not in the table.
    static let other = 1_000

    /// Costs by `printed * 10 + read`.
    static let costs: [Int] = {
        var costs = [Int](repeating: other, count: 100)
        for digit in 0...9 { costs[digit * 11] = 0 }
        for row in table.split(separator: "\n") {
            let fields = row.split(separator: " ").compactMap { Int($0) }
            if fields.count == 3 { costs[fields[0] * 10 + fields[1]] = fields[2] }
        }
        return costs
    }()

    /// Amounts that differ from `read` in one digit, each with the cost of misreading that digit; cheapest first, at
    /// most `most`.
    static func neighbours(of read: Int64, most: Int) -> [(value: Int64, cost: Int)] {
        var found: [(value: Int64, cost: Int)] = []
        let magnitude = Int64(read.magnitude)
        var scale: Int64 = 1
        // Amounts below one unit are printed with a zero before the comma.
        while scale <= max(magnitude, 100) {
            let digit = magnitude / scale % 10
            for printed in Int64(0)...9 where printed != digit {
                let value = magnitude + (printed - digit) * scale
                // Tills print no leading zero except the one directly before the comma.
                if scale >= 1_000, printed == 0, magnitude / scale < 10 { continue }
                found.append((read < 0 ? -value : value, costs[Int(printed * 10 + digit)]))
            }
            scale *= 10
        }
        return Array(found.sorted { ($0.cost, $0.value) < ($1.cost, $1.value) }.prefix(most))
    }
}
