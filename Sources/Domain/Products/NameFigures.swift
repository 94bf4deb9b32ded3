/// The figures in a folded name (package size and percentages), and the name without them.
struct NameFigures {
    private(set) var package: PackageSize?
    /// Percentages in tenths: fat 3,5 % is 35.
    private(set) var percentages: [Int] = []
    /// The name with figures and their units replaced by blanks.
    var rest: String { String(decoding: bytes, as: UTF8.self) }
    /// Whether the name ends with `kg`, `/kg` or `lose`, so that the product is sold by weight.
    private(set) var isSoldByWeight = false

    private var bytes: [UInt8]
    private var position = 0

    init(folded: String) {
        bytes = Array(folded.utf8)
        scan()
    }

    private mutating func scan() {
        while position < bytes.count {
            let start = position
            if bytes[start].isDigit,
                start == 0 || !bytes[start - 1].isFoldedLetter || bytes[start - 1] == UInt8(ascii: "x")
            {
                if let found = readFigure() {
                    blank(found)
                } else {
                    position = max(position, start + 1)
                    while position < bytes.count,
                        bytes[position].isDigit || bytes[position] == UInt8(ascii: ".")
                            || bytes[position] == UInt8(ascii: ",")
                    {
                        position += 1
                    }
                }
            } else {
                position += 1
            }
        }
        removeWeightWord()
    }

    /// Reads the size or percentage that begins at `position` and returns its range; nil if the digits mean something
    /// else.
    private mutating func readFigure() -> Range<Int>? {
        let start = position
        guard let first = decimal(at: start), first.value <= 100_000_000 else { return nil }
        var cursor = skipBlanks(first.end)
        if cursor < bytes.count, bytes[cursor] == UInt8(ascii: "%") {
            percentages.append(Int(first.value / 100))
            var end = cursor + 1
            if bytes[end...].starts(with: "vol".utf8) { end += 3 }
            return passing(start..<end)
        }
        if cursor < bytes.count, bytes[cursor] == UInt8(ascii: "x") || bytes[cursor] == UInt8(ascii: "*"),
            first.value.isMultiple(of: 1_000),
            let second = decimal(at: skipBlanks(cursor + 1)), first.value <= 1_000_000
        {
            let count = first.value / 1_000
            if let unit = unit(at: skipBlanks(second.end)) {
                cursor = unit.end
                storeSize(second.value, unit.unit, times: count, at: start)
                return passing(start..<cursor)
            }
            // For bottles and cans, the unit is often omitted: 6X0,33.
            if second.value < 3_000, second.hasDecimals {
                storeSize(second.value, .litre, times: count, at: start)
                return passing(start..<second.end)
            }
            if !second.hasDecimals, second.value <= 100_000 {
                storeSize(second.value, .piece, times: count, at: start)
                return passing(start..<second.end)
            }
            return nil
        }
        guard let unit = unit(at: cursor) else { return nil }
        storeSize(first.value, unit.unit, times: 1, at: start)
        return passing(start..<unit.end)
    }

    /// Stores the package size, unless the size found earlier takes precedence.
    private mutating func storeSize(_ thousandths: Int64, _ unit: MeasureUnit, times count: Int64, at start: Int) {
        guard thousandths > 0, count > 0, let total = try? Quantity(thousandths: thousandths, unit: unit).times(count)
        else { return }
        let before = String(decoding: bytes[max(0, start - 4)..<start], as: UTF8.self)
        let size = PackageSize(
            total: total, count: unit == .piece ? 1 : count, isApproximate: before.contains("ca"))
        // Mass and volume take precedence over a number of pieces: `KAPSELN 10ER 52G`.
        if let package, package.total.unit != .piece, unit == .piece { return }
        package = size
    }

    /// Moves `position` to the end of the range, and returns the range.
    private mutating func passing(_ range: Range<Int>) -> Range<Int> {
        position = range.upperBound
        return range
    }

    private mutating func blank(_ range: Range<Int>) {
        for index in range { bytes[index] = UInt8(ascii: " ") }
    }

    private func skipBlanks(_ index: Int) -> Int {
        var cursor = index
        while cursor < bytes.count, bytes[cursor] == UInt8(ascii: " ") { cursor += 1 }
        return cursor
    }

    /// The figure at `index` times 1,000, with at most three decimals.
    private func decimal(at index: Int) -> (value: Int64, hasDecimals: Bool, end: Int)? {
        var cursor = index
        var value: Int64 = 0
        while cursor < bytes.count, bytes[cursor].isDigit, cursor - index < 7 {
            value = value * 10 + Int64(bytes[cursor] - UInt8(ascii: "0"))
            cursor += 1
        }
        guard cursor > index, cursor == bytes.count || !bytes[cursor].isDigit else { return nil }
        value *= 1_000
        guard cursor + 1 < bytes.count, bytes[cursor] == UInt8(ascii: ",") || bytes[cursor] == UInt8(ascii: "."),
            bytes[cursor + 1].isDigit
        else {
            return (value, false, cursor)
        }
        cursor += 1
        var scale: Int64 = 100
        while cursor < bytes.count, bytes[cursor].isDigit {
            guard scale > 0 else { return nil }
            value += Int64(bytes[cursor] - UInt8(ascii: "0")) * scale
            scale /= 10
            cursor += 1
        }
        return (value, true, cursor)
    }

    private func unit(at index: Int) -> (unit: MeasureUnit, end: Int)? {
        var end = index
        while end < bytes.count, bytes[end].isFoldedLetter { end += 1 }
        guard end > index, let unit = Self.units[String(decoding: bytes[index..<end], as: UTF8.self)] else {
            return nil
        }
        // The unit may also be the name of the product, as in `10 EIER`. Then it is kept.
        return (unit, end - index >= 4 && unit == .piece ? index : end)
    }

    /// Detects a word at the end that says that the product is sold by weight. Removes the word, except `lose`.
    private mutating func removeWeightWord() {
        for word in ["kg", "/kg", "lose", "per kg"] where String(decoding: bytes, as: UTF8.self).hasSuffix(" " + word) {
            isSoldByWeight = true
            if word != "lose" { blank(bytes.count - word.utf8.count..<bytes.count) }
            return
        }
    }

    private static let units: [String: MeasureUnit] = [
        "g": .gram, "gr": .gram, "kg": .kilogram, "l": .litre, "lt": .litre, "ltr": .litre, "liter": .litre,
        "ml": .millilitre, "cl": .centilitre, "m": .metre, "er": .piece, "e": .piece, "st": .piece, "stk": .piece,
        "stueck": .piece, "pcs": .piece, "rollen": .piece, "roll": .piece, "ro": .piece, "rl": .piece,
        "kapseln": .piece, "kaps": .piece, "tabs": .piece, "beutel": .piece, "btl": .piece, "eier": .piece,
        "wl": .washLoad, "wg": .washLoad,
    ]
}
