import Recognition

/// Removes specks that were read as a line of one small character, such as the accent of a capital letter.
enum Specks {
    /// Returns the lines that are not specks.
    static func removed(_ lines: [[ListToken]]) -> [[ListToken]] {
        let height = ListColumns.typicalHeight(lines)
        return lines.filter { line in
            guard line.count == 1, line[0].text.count == 1 else { return true }
            return line[0].box.height * 10 >= height * 7
        }
    }
}
