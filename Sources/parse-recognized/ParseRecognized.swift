import DocumentParsing
import Domain
import Foundation
import Recognition

/// For development: recognised documents as JSON files → reading lines; `--facts FILE`, `--without-own-chain DIR` (truth).
func parseRecognized(_ arguments: [String]) {
    var facts = ChainFacts.builtIn
    var files: [String] = []
    var leaveOut: [String: String] = [:]
    var rest = arguments[...]
    var showRereads = false
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
        let receipt = ReceiptParser(facts: used, today: today).parse(document)
        print(ReadingReport.json(receipt, file: base + ".json", files: [base + ".json"], centiseconds: 0))
        if showRereads { for request in receipt.rereads { print("// reread \(base) \(request)") } }
    }
}
