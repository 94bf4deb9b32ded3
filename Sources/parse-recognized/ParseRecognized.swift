import DamagedPages
import DocumentParsing
import Domain
import Foundation
import Recognition

/// A development tool that parses recognised documents (JSON files) and prints the receipts.
///
/// Options: `--facts FILE` replaces the built-in facts about chains; `--leave-out NAME=CHAIN` parses the file
/// `NAME.json` without the facts about a chain; `--rereads` prints the requested rereads. With `--answers DIR`, second
/// readings come from `DIR/NAME.answers`; missing ones are requested in `DIR/NAME.wanted` for `read-page --again`.
///
/// `--damage COUNT` damages every document `COUNT` times, with the seeds from `--seed FIRST` on. It prints the receipts
/// that are then proven with other figures or another date; `--show` prints the damaged lines too.
func parseRecognized(_ arguments: [String]) {
    var facts = ChainFacts.builtIn
    var files: [String] = []
    var leaveOut: [String: String] = [:]
    var remainingArguments = arguments[...]
    var showsRereads = false
    var answers: String?
    var damageCount = 0
    var firstSeed = 0
    var showsLines = false
    while let argument = remainingArguments.popFirst() {
        switch argument {
        case "--facts":
            guard let file = remainingArguments.popFirst(),
                let text = try? String(contentsOfFile: file, encoding: .utf8),
                let parsedFacts = try? ChainFacts(parsing: text)
            else { return print("--facts: the file is missing, cannot be read or is malformed") }
            facts = parsedFacts
        case "--leave-out":
            guard let pair = remainingArguments.popFirst()?.split(separator: "=").map(String.init), pair.count == 2
            else {
                return print("--leave-out needs NAME=CHAIN")
            }
            leaveOut[pair[0]] = pair[1]
        case "--answers": answers = remainingArguments.popFirst()
        case "--rereads": showsRereads = true
        case "--damage": damageCount = remainingArguments.popFirst().flatMap(Int.init) ?? 0
        case "--seed": firstSeed = remainingArguments.popFirst().flatMap(Int.init) ?? 0
        case "--show": showsLines = true
        default: files.append(argument)
        }
    }
    let today = LocalDate(dayNumber: Int(Date().timeIntervalSince1970) / 86_400)
    for file in files {
        guard let data = FileManager.default.contents(atPath: file),
            let document = try? JSONDecoder().decode(RecognizedDocument.self, from: data)
        else {
            print("// \(file) is not a recognised document")
            continue
        }
        let base = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        let chainFacts = leaveOut[base].map { facts.without(chain: $0) } ?? facts
        let parser = ReceiptParser(facts: chainFacts, today: today)
        if damageCount > 0 {
            let knownAnswers = answers.flatMap { FileManager.default.contents(atPath: "\($0)/\(base).answers") }
                .flatMap { try? JSONDecoder().decode([RereadAnswer].self, from: $0) }
            damage(
                document, base, seeds: firstSeed..<(firstSeed + damageCount), known: knownAnswers ?? [],
                showsLines: showsLines,
                parser)
            continue
        }
        var receipt = parser.parse(document)
        if let answers, !receipt.rereads.isEmpty {
            let known = FileManager.default.contents(atPath: "\(answers)/\(base).answers")
                .flatMap { try? JSONDecoder().decode([RereadAnswer].self, from: $0) }
            let foundAnswers = receipt.rereads.compactMap { request in known?.first { $0.request == request } }
            let missingRequests = receipt.rereads.filter { request in !foundAnswers.contains { $0.request == request } }
            if !missingRequests.isEmpty {
                try? JSONEncoder().encode(missingRequests).write(to: URL(fileURLWithPath: "\(answers)/\(base).wanted"))
            }
            receipt = parser.parse(document, rereads: foundAnswers)
        }
        let paper = PaperReading(document, asOf: today)
        print(ReadingReport.json(receipt, paper: paper, file: base + ".json", files: [base + ".json"], centiseconds: 0))
        if showsRereads { for request in receipt.rereads { print("// reread \(base) \(request)") } }
    }
}

/// Prints the receipts that are proven with wrong figures or another date after damage.
///
/// - Parameter known: answers to rereads of the document.
private func damage(
    _ document: RecognizedDocument, _ name: String, seeds: Range<Int>, known: [RereadAnswer], showsLines: Bool,
    _ parser: ReceiptParser
) {
    func read(_ document: RecognizedDocument) -> ParsedReceipt {
        let receipt = parser.parse(document)
        let foundAnswers = receipt.rereads.compactMap { request in known.first { $0.request == request } }
        return foundAnswers.isEmpty ? receipt : parser.parse(document, rereads: foundAnswers)
    }
    func figures(_ receipt: ParsedReceipt) -> [String] {
        receipt.items.map { item in
            "\(item.quantity.value.plain) \(item.unitPrice?.value.plain ?? "-") \(item.total?.value.plain ?? "-") \(item.kind.rawValue) \(item.vatClass ?? "-")"
        } + [receipt.total?.value.plain ?? "-"]
    }
    // Marks text layers as OCR results, so that damaged words are parsed as misread ones.
    let document = RecognizedDocument(
        pages: document.pages.map { page in
            var page = page
            page.source = .ocr
            return page
        })
    let undamaged = read(document)
    let expected = figures(undamaged)
    var proven = 0
    for seed in seeds {
        var random = SplitMix64(seed: UInt64(seed) &* 7_919 &+ UInt64(name.utf8.count))
        var damaged = document
        var damages: [String] = []
        for _ in 0...(seed % 4) { damages.append(Damage.apply(to: &damaged, &random)) }
        let receipt = read(damaged)
        if showsLines {
            for line in damaged.pages.flatMap(\.lines) {
                let words = line.words.map { "\($0.text)[\($0.confidence)]" }.joined(separator: " ")
                print("// \(line.words.first?.box.y ?? 0) \(words)")
            }
            for item in receipt.items {
                print(
                    "// item \(item.name.value) | \(item.quantity.value.plain) \(item.unitPrice?.value.plain ?? "-")",
                    "\(item.total?.value.plain ?? "-") \(item.vatClass ?? "-") \(item.kind.rawValue)",
                    [item.total?.repair, item.quantity.repair].compactMap { $0 }.map {
                        "\($0.printed)→\($0.value) \($0.reason)"
                    })
            }
            print("// \(receipt.total?.value.plain ?? "-") \(receipt.date?.value.iso ?? "-") \(receipt.reasons)")
            print(
                "// paid \(receipt.payments) change \(String(describing: receipt.change)) count \(receipt.articleCount ?? -1)"
            )
            for row in receipt.taxTable { print("// tax \(row)") }
        }
        guard receipt.state == .proven else { continue }
        proven += 1
        let readFigures = figures(receipt)
        // A missing date does not count as an error.
        let day = receipt.date?.value ?? undamaged.date?.value
        guard readFigures != expected || day != undamaged.date?.value else { continue }
        print("// \(name) \(seed) \(damages) \(Set(readFigures).symmetricDifference(expected))")
        print(ReadingReport.json(receipt, file: name + ".json", files: [], centiseconds: 0))
    }
    print("// \(name): \(proven) of \(seeds.count) proven")
}
