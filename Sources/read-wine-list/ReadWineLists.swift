import Foundation
import Recognition
import Wines

/// A development tool: `read-wine-list [--catalogue CSV] [--leave-out N] FILE…` reads recognised pages (the JSON of
/// `read-page`) and prints the entries of each file with their matches, one JSON object per line. The catalogue has the
/// columns of X-Wines. One of every `N` wines is left out of the index, to test wines that are not in it.
///
/// `read-wine-list --catalogue CSV --speed WINES` measures an index of `WINES` wines composed of the catalogue's words.
func readWineLists(_ arguments: [String]) {
    var catalogue: String?
    var leaveOut = 0
    var files: [String] = []
    var speed: Int?
    var remainingArguments = arguments[...]
    while let argument = remainingArguments.popFirst() {
        switch argument {
        case "--catalogue": catalogue = remainingArguments.popFirst()
        case "--leave-out": leaveOut = remainingArguments.popFirst().flatMap { Int($0) } ?? 0
        case "--speed": speed = remainingArguments.popFirst().flatMap { Int($0) }
        default: files.append(argument)
        }
    }
    let wines = catalogue.map(XWines.init(file:)) ?? XWines()
    if let speed { return IndexSpeed(wines, count: speed).run() }
    var builder = WineIndex.Builder()
    var rows: [Int] = []
    for (row, wine) in wines.wines.enumerated() where leaveOut == 0 || row % leaveOut != leaveOut / 2 {
        for vintage in wine.vintages.isEmpty ? [nil] : wine.vintages.prefix(12).map({ Optional($0) }) {
            var one = wine.wine
            one.vintage = vintage
            builder.add(one)
            rows.append(row)
        }
    }
    let index = builder.index()
    for file in files {
        guard let data = FileManager.default.contents(atPath: file),
            let document = try? JSONDecoder().decode(RecognizedDocument.self, from: data)
        else { continue }
        let start = clock()
        let entries = WineList.read(document.pages)
        let readTime = clock()
        let matches = entries.map { index.match($0, limit: 3) }
        let matched = clock()
        let shownEntries = zip(entries, matches).map { entry, matches in
            ShownEntry(entry, matches.map { ShownMatch(wine: rows[Int($0.wine)], match: $0) })
        }
        let result = ShownList(
            file: file, entries: shownEntries, readMilliseconds: milliseconds(readTime - start),
            matchMilliseconds: milliseconds(matched - readTime))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        if let json = try? encoder.encode(result) { print(String(decoding: json, as: UTF8.self)) }
    }
}

func milliseconds(_ ticks: Int) -> Double { Double(ticks) * 1000 / Double(CLOCKS_PER_SEC) }
