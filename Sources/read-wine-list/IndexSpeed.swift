import Foundation
import Wines

/// Measures times and memory of a large index.
struct IndexSpeed {
    private let wines: [CatalogueWine]

    /// Creates `count` wines with random producers, names and vintages composed of the catalogue's words.
    init(_ catalogue: XWines, count: Int) {
        var dice = SeededDice(state: 1)
        func words(_ texts: [String]) -> [String] {
            Array(Set(texts.flatMap { $0.split(separator: " ").map(String.init) })).sorted()
        }
        let rows = catalogue.wines.map(\.wine)
        let (producers, names) = (words(rows.map(\.producer)), words(rows.map(\.name)))
        var wines: [CatalogueWine] = []
        while wines.count < count, !rows.isEmpty {
            let model = rows[dice.next(rows.count)]
            let producer = (0...(1 + dice.next(2))).map { _ in producers[dice.next(producers.count)] }.joined(
                separator: " ")
            for _ in 0...dice.next(4) {
                var wine = model
                wine.producer = producer
                wine.name = (0...(1 + dice.next(2))).map { _ in names[dice.next(names.count)] }.joined(separator: " ")
                for vintage in 0...dice.next(4) {
                    wine.vintage = 2022 - vintage
                    wines.append(wine)
                }
            }
        }
        self.wines = Array(wines.prefix(count))
    }

    func run() {
        let kilobytesBefore = Self.residentKilobytes()
        let start = clock()
        let index = WineIndex(wines)
        let built = milliseconds(clock() - start)
        let kilobytesAfter = Self.residentKilobytes()
        print(
            "\(wines.count) wines: built in \(built) ms, \(index.bytes / max(1, wines.count)) bytes per wine (resident +\(kilobytesAfter - kilobytesBefore) kB)"
        )
        var dice = SeededDice(state: 7)
        var times: [Double] = []
        var foundCount = 0
        let texts = (0..<600).map { _ in
            let ordinal = dice.next(wines.count)
            return (ordinal, Self.printed(wines[ordinal], &dice))
        }
        for (ordinal, text) in texts {
            let start = clock()
            let matches = index.match(text: text)
            times.append(milliseconds(clock() - start))
            let wine = matches.first.map { wines[Int($0.wine)] }
            if let wine, wine.producer == wines[ordinal].producer, wine.name == wines[ordinal].name { foundCount += 1 }
        }
        let batches = stride(from: 0, to: 600, by: 60).map { times[$0..<($0 + 60)].reduce(0, +) }.sorted()
        times.sort()
        print(
            "one text: median \(times[300]) ms, 95 % \(times[570]) ms, longest \(times[599]) ms; batch of 60: median \(batches[5]) ms; found \(foundCount) of 600"
        )
    }

    /// The wine as a list prints it. In one of three, a letter is misread.
    private static func printed(_ wine: CatalogueWine, _ dice: inout SeededDice) -> String {
        var text = Array("\(wine.producer), \(wine.name)")
        if dice.next(3) == 0, text.count > 4 { text[1 + dice.next(text.count - 2)] = Array("aeiorlnt")[dice.next(8)] }
        return String(text) + ", \(wine.region) \(wine.vintage.map(String.init) ?? "")"
    }

    private static func residentKilobytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}

/// A generator that gives the same numbers in every run.
struct SeededDice {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return bound > 0 ? Int((state >> 33) % UInt64(bound)) : 0
    }
}
