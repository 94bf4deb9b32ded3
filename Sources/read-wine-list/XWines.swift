import Foundation
import Wines

/// A catalogue in the columns of X-Wines.
struct XWines {
    struct Row {
        var wine: CatalogueWine
        var vintages: [Int]
    }

    var wines: [Row] = []

    init() {}

    init(file: String) {
        guard let data = FileManager.default.contents(atPath: file) else { return }
        let rows = Self.rows(String(decoding: data, as: UTF8.self))
        guard let head = rows.first else { return }
        func column(_ name: String) -> Int { head.firstIndex(of: name) ?? 0 }
        let (name, producer, type, country, region) = (
            column("WineName"), column("WineryName"), column("Type"), column("Country"), column("RegionName")
        )
        let (grapes, vintages) = (column("Grapes"), column("Vintages"))
        wines = rows.dropFirst().filter { $0.count == head.count }.map { row in
            Row(
                wine: CatalogueWine(
                    producer: row[producer], name: row[name], country: row[country], region: row[region],
                    color: Self.color(row[type]), grapes: Self.list(row[grapes])),
                vintages: Self.list(row[vintages]).compactMap { Int($0) })
        }
    }

    private static func color(_ type: String) -> WineColor? {
        let colors: [String: WineColor] = [
            "Red": .red, "White": .white, "Rosé": .rose, "Sparkling": .sparkling, "Dessert": .sweet,
            "Dessert/Port": .fortified,
        ]
        return colors[type]
    }

    /// Parses a Python list of strings.
    private static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " []'\"")) }
            .filter { !$0.isEmpty }
    }

    private static func rows(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field = ""
        var isQuoted = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.append(field)
                field = ""
            case "\n" where !isQuoted, "\r\n" where !isQuoted:
                rows.append(row + [field])
                row = []
                field = ""
            default: field.append(character)
            }
        }
        return field.isEmpty && row.isEmpty ? rows : rows + [row + [field]]
    }
}
