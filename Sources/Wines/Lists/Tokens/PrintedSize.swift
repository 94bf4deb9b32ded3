/// A size as lists print it: `0,75 l`, `75 cl`, `7,5 dl`, `750 ml`, `1/8`.
enum PrintedSize {
    /// Sizes in which wine and other drinks are served, in millilitres.
    static let knownSizes: Set<Int> = [
        20, 40, 50, 60, 75, 80, 90, 100, 120, 125, 140, 150, 175, 180, 187, 200, 240, 250, 270, 300, 330, 350, 375, 400,
        500, 620, 700, 720, 750, 1000, 1500, 2000, 3000, 4500, 6000,
    ]
    /// Fractions of a litre, in millilitres.
    private static let fractions = [
        "1/8": 125, "1/4": 250, "3/8": 375, "1/2": 500, "3/4": 750, "1/1": 1000, "⅛": 125, "¼": 250, "½": 500,
    ]

    /// The unit in tenths of a millilitre: 10,000 for a litre. Characters that look like `l` count as `l`. A slash or a
    /// bar counts as `l` only after a number below 1, because in `6 / 28` it separates prices.
    static func unit(_ text: String, after number: some StringProtocol) -> Int? {
        var core = text[...]
        while core.count > 1, let last = core.last, ".:;,)".contains(last) { core.removeLast() }
        return switch core {
        case "l", "L", "I", "!": 10_000
        case "|", "/": number.first { $0 != "(" } == "0" ? 10_000 : nil
        case "dl", "Dl", "dL", "DL", "d1", "dI", "d!": 1_000
        case "cl", "Cl", "cL", "CL", "c1", "cI", "c!": 100
        case "ml", "mL", "ML", "m1": 10
        // Restaurants pour 30 ml for a fluid ounce.
        case "oz", "Oz", "OZ": 300
        default: liters.contains(core.lowercased()) ? 10_000 : nil
        }
    }

    private static let liters: Set = ["lt", "ltr", "lit", "liter", "litre", "litres", "litro", "litros", "litri"]

    /// The size of a word with a unit, or of a common fraction of a litre (`0,75`), in millilitres.
    static func size(_ text: String) -> Int? {
        if let size = fractions[text] ?? fractionOfLiter(text) { return size }
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "," || $0 == ".") }
        guard !number.isEmpty else { return nil }
        let textAfterNumber = String(text.dropFirst(number.count))
        if textAfterNumber.isEmpty {
            guard number.hasPrefix("0,") || number.hasPrefix("0.") else { return nil }
            // `0,11` is a misread `0,1l`.
            return thousandths(number).flatMap { knownSizes.contains($0) ? $0 : nil }
                ?? (number.last == "1"
                    ? thousandths(number.dropLast()).flatMap { knownSizes.contains($0) ? $0 : nil } : nil)
        }
        if let size = fractions[String(number) + textAfterNumber] { return size }
        return unit(textAfterNumber, after: number).flatMap { size(String(number), unit: $0) }
    }

    /// The size of a fraction and the unit of a litre in one word: `1/2l`, `½l`.
    private static func fractionOfLiter(_ text: String) -> Int? {
        for count in [1, 3] {
            if let size = fractions[String(text.prefix(count))],
                unit(String(text.dropFirst(count)), after: "") == 10_000
            {
                return size
            }
        }
        return nil
    }

    /// The size of a number whose unit is a separate word.
    static func size(_ number: String, unit: Int) -> Int? {
        if let size = fractions[number], unit == 10_000 { return size }
        guard let value = thousandths(number[...]) else { return nil }
        let size = value * unit / 10_000
        return knownSizes.contains(size) ? size : nil
    }

    /// The usual serving of a size in millilitres.
    static func serving(of size: Int) -> WineListPrice.Serving {
        switch size {
        // Swiss half bottles have 0.35 l.
        case 350, 375: .half
        case ...200: .glass
        case ...500: .carafe
        case ...1000: .bottle
        default: .magnum
        }
    }

    /// The size of a misread text above a price column: `o2ı`, `0.1!`, `75d`. Nil for texts with other letters.
    static func misread(_ text: String) -> Int? { misreadings(text).first }

    /// All sizes that the misread text may be, the likeliest first.
    static func misreadings(_ text: String) -> [Int] {
        guard text.count <= 7, let first = text.first, first.isNumber || "oO!lIı".contains(first) else { return [] }
        return shape(text).flatMap { byShape[$0] } ?? []
    }

    /// The text without separators, with characters of similar shape replaced by one of them. Nil if it has characters
    /// that no size has.
    private static func shape(_ text: String) -> String? {
        var shape = ""
        for character in text.lowercased() {
            switch character {
            case "o", "q": shape.append("0")
            case "1", "i", "ı", "!", "|", "/": shape.append("l")
            case "0", "2"..."9", "l", "d", "c", "m": shape.append(character)
            case ",", ".", "'", " ": break
            default: return nil
            }
        }
        return shape
    }

    /// The sizes in millilitres by the shape of their text, printed or misread, the likeliest size first.
    private static let byShape: [String: [Int]] = {
        var shapes: [String: [Int]] = [:]
        func add(_ text: String, _ size: Int) {
            guard let shape = shape(text), !shape.isEmpty, shapes[shape]?.contains(size) != true else { return }
            shapes[shape, default: []].append(size)
        }
        let sizes = [
            (100, "0,1", "10", "1"), (125, "0,125", "12,5", "1,25"), (150, "0,15", "15", "1,5"),
            (200, "0,2", "20", "2"),
            (250, "0,25", "25", "2,5"), (375, "0,375", "37,5", "3,75"), (500, "0,5", "50", "5"),
            (700, "0,7", "70", "7"),
            (750, "0,75", "75", "7,5"), (1000, "1,0", "100", "10"), (1500, "1,5", "150", "15"),
        ]
        for (size, liters, centiliters, deciliters) in sizes {
            for text in [
                liters, liters + "l", centiliters + "c", centiliters + "cl", deciliters + "d", deciliters + "dl",
                centiliters + "d", "\(size)ml", size % 50 == 25 ? centiliters : "",
            ] { add(text, size) }
        }
        // The engine may read `cl` or `dl` as one digit, or lose `0,`.
        for (size, liters, centiliters, deciliters) in sizes {
            let fraction = liters.dropFirst(2)
            for text in [centiliters + "4", deciliters + "4", fraction.count > 1 && size > 200 ? fraction + "1" : ""] {
                add(text, size)
            }
        }
        return shapes
    }()

    /// The number in thousandths, with at most three decimals: 750 for `0,75`.
    private static func thousandths(_ text: Substring) -> Int? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        guard let first = parts.first, first.count <= 4, let whole = Int(first), parts.count <= 2 else { return nil }
        guard parts.count == 2 else { return whole * 1000 }
        guard (1...3).contains(parts[1].count), let part = Int(parts[1]) else { return nil }
        return whole * 1000 + part * [100, 10, 1][parts[1].count - 1]
    }
}
