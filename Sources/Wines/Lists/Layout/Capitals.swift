/// Recognises texts in capitals.
enum Capitals {
    /// Whether the text has at least three letters, none of them lowercase.
    static func isInCapitals(_ text: String) -> Bool {
        let letters = text.unicodeScalars.filter { $0.properties.isAlphabetic }
        return letters.count >= 3 && letters.allSatisfy { !$0.properties.isLowercase }
    }

    /// Whether most rows with prices are in capitals.
    static func areMostRowsInCapitals(_ rows: [ListRow]) -> Bool {
        let pricedRows = rows.filter(\.isPriced)
        let capitals = pricedRows.filter { row in
            !row.text.contains { $0.text.unicodeScalars.contains { $0.properties.isLowercase } }
        }
        return capitals.count * 2 > pricedRows.count
    }
}
