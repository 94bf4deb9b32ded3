import Recognition

/// Which lines of the head may name the shop.
enum StoreName {
    /// How high the goods are printed; nil where nothing of them was read.
    static func goodsHeight(_ lines: [ReadLine]) -> Int? {
        let heights = lines.filter { $0.price?.isExact ?? false }.compactMap(height).sorted()
        return heights.isEmpty ? nil : heights[heights.count / 2]
    }

    /// Names are printed as large as the goods or larger, and some word of them is read: grain of the table, shadows and
    /// drawn letters give short words that no engine is sure of.
    static func isReadable(_ line: ReadLine, goods: Int?) -> Bool {
        guard let own = height(line), own * 10 >= 7 * (goods ?? 0) else { return false }
        return line.line.words.contains { word in
            word.confidence >= 50 && Set(word.text.lowercased().filter(\.isLetter)).count >= 3
        }
    }

    /// `Gartencenter` on a line of its own: what the shop is, no name.
    static func kind(_ line: ReadLine) -> (text: String, isExact: Bool)? {
        guard let match = line.roles[.shopKind], line.figures.isEmpty, line.price == nil else { return nil }
        let others = line.line.skeletons.indices.filter { !match.words.contains($0) }
        guard others.allSatisfy({ line.line.skeletons[$0].count <= 1 }) else { return nil }
        return (line.line.words[match.words].map(\.text).joined(separator: " "), match.distance == 0)
    }

    /// `Starkl` below or above `Gartencenter`: both are the name.
    static func joined(_ kind: String, _ name: String) -> String { name.hasSuffix("-") ? name : kind + " " + name }

    /// `w Tankstelle Huber`: what lies beside the paper.
    static func withoutSpecks(_ name: String) -> String {
        let words = name.split(separator: " ")
        let specks = words.prefix {
            $0.count == 1 && !($0.first?.isUppercase ?? false) && !($0.first?.isNumber ?? false)
        }
        return specks.isEmpty || words.count - specks.count < 2 ? name : words[specks.count...].joined(separator: " ")
    }

    /// `Roserwag 25/27` above `58239 Schwerte`: a street whose word was misread.
    static func isStreet(_ line: ReadLine, above next: ReadLine?) -> Bool {
        guard let next, StoreReader.isTown(next), let last = line.line.words.last?.text else { return false }
        return line.line.words.count > 1 && last.first?.isNumber ?? false
    }

    private static func height(_ line: ReadLine) -> Int? { line.line.words.map(\.box.height).max() }
}
