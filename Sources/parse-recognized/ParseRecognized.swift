import DocumentParsing
import Domain
import Foundation
import Recognition

/// For development: recognised documents as JSON files → reading lines; `--facts FILE`,
/// `--leave-out NAME=CHAIN`; with `--answers DIR` second readings come from `NAME.answers`, those not there yet are
/// left in `NAME.wanted` for `read-page --again`. With `--damage COUNT` every page is damaged so many times, and what is
/// proven then with other figures than before is printed.
func parseRecognized(_ arguments: [String]) {
    var facts = ChainFacts.builtIn
    var files: [String] = []
    var leaveOut: [String: String] = [:]
    var rest = arguments[...]
    var showRereads = false
    var answers: String?
    var damages = 0
    while let argument = rest.popFirst() {
        switch argument {
        case "--facts":
            guard let file = rest.popFirst(), let text = try? String(contentsOfFile: file, encoding: .utf8),
                let read = try? ChainFacts(parsing: text)
            else { return print("facts not readable") }
            facts = read
        case "--leave-out":
            // FILE=CHAIN
            guard let pair = rest.popFirst()?.split(separator: "=").map(String.init), pair.count == 2 else { return }
            leaveOut[pair[0]] = pair[1]
        case "--answers": answers = rest.popFirst()
        case "--rereads": showRereads = true
        case "--damage": damages = rest.popFirst().flatMap(Int.init) ?? 0
        default: files.append(argument)
        }
    }
    let today = LocalDate(dayNumber: Int(Date().timeIntervalSince1970) / 86_400)
    for file in files {
        guard let data = FileManager.default.contents(atPath: file),
            let document = try? JSONDecoder().decode(RecognizedDocument.self, from: data)
        else {
            print("// \(file) is no recognised document")
            continue
        }
        let base = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        let used = leaveOut[base].map { facts.without(chain: $0) } ?? facts
        let parser = ReceiptParser(facts: used, today: today)
        if damages > 0 {
            let known = answers.flatMap { FileManager.default.contents(atPath: "\($0)/\(base).answers") }
                .flatMap { try? JSONDecoder().decode([RereadAnswer].self, from: $0) }
            damage(document, base, count: damages, known: known ?? [], parser)
            continue
        }
        var receipt = parser.parse(document)
        if let answers, !receipt.rereads.isEmpty {
            let known = FileManager.default.contents(atPath: "\(answers)/\(base).answers")
                .flatMap { try? JSONDecoder().decode([RereadAnswer].self, from: $0) }
            let found = receipt.rereads.compactMap { request in known?.first { $0.request == request } }
            let missing = receipt.rereads.filter { request in !found.contains { $0.request == request } }
            if !missing.isEmpty {
                try? JSONEncoder().encode(missing).write(to: URL(fileURLWithPath: "\(answers)/\(base).wanted"))
            }
            receipt = parser.parse(document, rereads: found)
        }
        print(ReadingReport.json(receipt, file: base + ".json", files: [base + ".json"], centiseconds: 0))
        if showRereads { for request in receipt.rereads { print("// reread \(base) \(request)") } }
    }
}

private func damage(
    _ document: RecognizedDocument, _ name: String, count: Int, known: [RereadAnswer], _ parser: ReceiptParser
) {
    func read(_ document: RecognizedDocument) -> ParsedReceipt {
        let receipt = parser.parse(document)
        let found = receipt.rereads.compactMap { request in known.first { $0.request == request } }
        return found.isEmpty ? receipt : parser.parse(document, rereads: found)
    }
    func figures(_ receipt: ParsedReceipt) -> [String] {
        receipt.items.map { item in
            "\(item.quantity.value.plain) \(item.unitPrice?.value.plain ?? "-") \(item.total?.value.plain ?? "-") \(item.kind.rawValue)"
        } + [receipt.total?.value.plain ?? "-"]
    }
    let truth = figures(read(document))
    var proven = 0
    for seed in 0..<count {
        var random = SplitMix64(seed: UInt64(seed) &* 7_919 &+ UInt64(name.utf8.count))
        var damaged = document
        var what: [String] = []
        for _ in 0...(seed % 4) { what.append(Damage.apply(to: &damaged, &random)) }
        let receipt = read(damaged)
        guard receipt.state == .proven else { continue }
        proven += 1
        let read = figures(receipt)
        guard read != truth else { continue }
        print("// \(name) \(seed) \(what) \(Set(read).symmetricDifference(truth))")
        print(ReadingReport.json(receipt, file: name + ".json", files: [], centiseconds: 0))
    }
    print("// \(name): \(proven) of \(count) proven")
}
