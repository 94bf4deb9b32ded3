import Recognition

/// Numbers of articles in front of the names, short ones too where the others have long ones and all end in one column:
/// `  6205 Pfand` below `826945 Tragetasche`. A short number that begins where the long ones do is part of the name.
enum ArticleColumn {
    static func take(_ items: inout [DraftItem], _ lines: [ReadLine]) {
        let ends = items.compactMap { item in item.articleNumber.flatMap { box(of: $0, item, lines) } }
        guard ends.count >= 2, ends.count * 2 >= items.count else { return }
        for index in items.indices where items[index].articleNumber == nil {
            let words = items[index].name.split(separator: " ", maxSplits: 1)
            guard words.count == 2, (3...4).contains(words[0].utf8.count),
                words[0].utf8.allSatisfy({ (48...57).contains($0) }),
                words[1].prefix(while: { $0 != " " }).count(where: \.isLetter) >= 3,
                let own = box(of: String(words[0]), items[index], lines),
                ends.contains(where: { abs($0.maxX - own.maxX) * 2 <= own.height && own.x - $0.x > own.height / 2 })
            else { continue }
            items[index].articleNumber = String(words[0])
            items[index].name = String(words[1])
        }
    }

    private static func box(of number: String, _ item: DraftItem, _ lines: [ReadLine]) -> PixelBox? {
        item.lines.first.flatMap { lines[safe: $0]?.line.words.first { $0.text == number }?.box }
    }
}
