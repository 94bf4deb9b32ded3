import DocumentParsing
import Domain
import Foundation
import Recognition

/// For development: recognised documents as JSON files → reading lines; `--facts FILE`,
/// `--leave-out NAME=CHAIN`; with `--answers DIR` second readings come from `NAME.answers`, those not there yet are
/// left in `NAME.wanted` for `read-page --again`.
func parseRecognized(_ arguments: [String]) {
    var facts = ChainFacts.builtIn
    var files: [String] = []
    var leaveOut: [String: String] = [:]
    var rest = arguments[...]
    var showRereads = false
    var answers: String?
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
