/// A QR code of a short text (ISO/IEC 18004): byte mode, error correction level M, versions 1 to 6.
struct QRCode: Equatable {
    /// The number of modules on each side, 21 to 41.
    let size: Int
    /// The modules by rows; true is dark.
    private var modules: [Bool]
    /// Whether a module belongs to a finder, timing or alignment pattern or to the format. Such modules hold no data
    /// and are not masked.
    private var reserved: [Bool]

    /// Returns nil for more than 106 bytes.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = (1...6).first(where: { Self.layouts[$0 - 1].capacity >= bytes.count + 2 }) else {
            return nil
        }
        size = 17 + 4 * version
        modules = Array(repeating: false, count: size * size)
        reserved = modules
        drawPatterns(version)
        let unmasked = Self.placed(QRCodewords.interleaved(bytes, Self.layouts[version - 1]), in: self)
        let best = (0..<8).map(unmasked.masked).min { $0.penalty < $1.penalty } ?? unmasked.masked(0)
        modules = best.modules
    }

    subscript(row: Int, column: Int) -> Bool { modules[row * size + column] }

    /// The dark modules as an SVG path; one unit per module.
    var path: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while column < size, self[row, column] { column += 1 }
                if column > start { path += "M\(start) \(row)h\(column - start)v1H\(start)z" }
                column += 1
            }
        }
        return path
    }

    /// The numbers of blocks, data bytes and correction bytes for level M (table 9).
    private static let layouts: [QRCodewords.Layout] = [
        .init(blocks: 1, data: 16, correction: 10), .init(blocks: 1, data: 28, correction: 16),
        .init(blocks: 1, data: 44, correction: 26), .init(blocks: 2, data: 32, correction: 18),
        .init(blocks: 2, data: 43, correction: 24), .init(blocks: 4, data: 27, correction: 16),
    ]

    /// Sets a module that holds no data.
    private mutating func reserve(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        modules[row * size + column] = isDark
        reserved[row * size + column] = true
    }

    /// Draws the finder, timing and alignment patterns.
    private mutating func drawPatterns(_ version: Int) {
        for index in 0..<size {
            reserve(6, index, index.isMultiple(of: 2))
            reserve(index, 6, index.isMultiple(of: 2))
        }
        for (top, left) in [(0, 0), (0, size - 7), (size - 7, 0)] {
            for row in -1...7 {
                for column in -1...7 {
                    let ring = max(abs(row - 3), abs(column - 3))
                    reserve(top + row, left + column, ring != 2 && ring != 4)
                }
            }
        }
        if version > 1 {
            for row in -2...2 {
                for column in -2...2 { reserve(size - 7 + row, size - 7 + column, max(abs(row), abs(column)) != 1) }
            }
        }
        drawFormat(0)
    }

    /// Draws the level and the mask with their correction bits (annex C), twice, and the module that is always dark.
    private mutating func drawFormat(_ mask: Int) {
        var remainder = mask
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (mask << 10 | remainder) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0..<6 { reserve(index, 8, bit(index)) }
        reserve(7, 8, bit(6))
        reserve(8, 8, bit(7))
        reserve(8, 7, bit(8))
        for index in 9..<15 { reserve(8, 14 - index, bit(index)) }
        for index in 0..<8 { reserve(8, size - 1 - index, bit(index)) }
        for index in 8..<15 { reserve(size - 15 + index, 8, bit(index)) }
        reserve(size - 8, 8, true)
    }

    /// Places the bits in pairs of columns from the right, alternately upwards and downwards (§7.7.3).
    private static func placed(_ codewords: [UInt8], in code: QRCode) -> QRCode {
        var code = code
        var bit = 0
        var isUpward = true
        for right in stride(from: code.size - 1, through: 1, by: -2) {
            // Skip the column of the vertical timing pattern.
            let right = right <= 6 ? right - 1 : right
            for step in 0..<code.size {
                let row = isUpward ? code.size - 1 - step : step
                for column in [right, right - 1] where !code.reserved[row * code.size + column] {
                    if bit < codewords.count * 8 {
                        code.modules[row * code.size + column] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
                    }
                    bit += 1
                }
            }
            isUpward.toggle()
        }
        return code
    }

    /// Returns the code with its data inverted by a mask pattern (§7.8.2).
    private func masked(_ mask: Int) -> QRCode {
        var code = self
        for row in 0..<size {
            for column in 0..<size where !reserved[row * size + column] {
                let isFlipped =
                    switch mask {
                    case 0: (row + column) % 2 == 0
                    case 1: row % 2 == 0
                    case 2: column % 3 == 0
                    case 3: (row + column) % 3 == 0
                    case 4: (row / 2 + column / 3) % 2 == 0
                    case 5: row * column % 2 + row * column % 3 == 0
                    case 6: (row * column % 2 + row * column % 3) % 2 == 0
                    default: ((row + column) % 2 + row * column % 3) % 2 == 0
                    }
                if isFlipped { code.modules[row * size + column].toggle() }
            }
        }
        code.drawFormat(mask)
        return code
    }

    /// The penalty for long runs, blocks of one colour and an unequal share of dark modules (§7.8.3, without the rule
    /// on finder-like sequences). Every mask is readable; the one with the lowest penalty is read most reliably.
    private var penalty: Int {
        var sum = 0
        for line in 0..<size {
            sum += Self.runs((0..<size).map { self[line, $0] }) + Self.runs((0..<size).map { self[$0, line] })
        }
        for row in 1..<size {
            for column in 1..<size {
                let colour = self[row, column]
                if self[row - 1, column] == colour, self[row, column - 1] == colour, self[row - 1, column - 1] == colour
                {
                    sum += 3
                }
            }
        }
        let dark = modules.count { $0 }
        return sum + abs(dark * 20 - modules.count * 10) / modules.count * 10
    }

    /// The penalty for runs of five or more modules of one colour in a line.
    private static func runs(_ line: [Bool]) -> Int {
        var sum = 0
        var length = 0
        for index in line.indices {
            length = index > 0 && line[index] == line[index - 1] ? length + 1 : 1
            sum += length == 5 ? 3 : length > 5 ? 1 : 0
        }
        return sum
    }
}
