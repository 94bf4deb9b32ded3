import Foundation
import OCRCore
import Recognition

/// A development tool: `read-page [--quick] [--pictures DIR] [--out DIR] FILE…` prints recognised documents as JSON, or
/// writes them to the folder of `--out`. `--pictures` also writes the reading pictures.
///
/// `read-page --again DIR --pictures DIR NAME…` answers the requests of `parse-recognized --answers DIR` in
/// `DIR/NAME.wanted`.
func readPages(_ arguments: [String]) {
    var pictures: String?
    var out: String?
    var again: String?
    var isQuick = false
    var files: [String] = []
    var remainingArguments = arguments[...]
    while let argument = remainingArguments.popFirst() {
        switch argument {
        case "--pictures": pictures = remainingArguments.popFirst()
        case "--out": out = remainingArguments.popFirst()
        case "--quick": isQuick = true
        case "--again": again = remainingArguments.popFirst()
        default: files.append(argument)
        }
    }
    let folder = ProcessInfo.processInfo.environment["ALLESTEURER_SECOND_ENGINE"]
    let secondEngine = folder.flatMap { $0.isEmpty ? nil : try? NeuralEngine(folder: $0) }
    guard let reader = try? PageReader(second: secondEngine) else { return print("the OCR engine cannot start") }
    if let again, let pictures {
        for name in files { answer(name, in: again, pictures: pictures, reader) }
        return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    for file in files {
        guard let data = FileManager.default.contents(atPath: file) else { continue }
        let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        let start = clock()
        do {
            let pages = try reader.read([UInt8](data), isQuick: isQuick)
            let cpuSeconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
            let document = RecognizedDocument(pages: pages.map(\.page))
            let json = try encoder.encode(document)
            if let out {
                try json.write(to: URL(fileURLWithPath: "\(out)/\(name).json"))
            } else {
                print(String(decoding: json, as: UTF8.self))
            }
            FileHandle.standardError.write(Data("\(name) \(pages.map(\.page.pass)) \(cpuSeconds) s\n".utf8))
            if let pictures {
                for (index, page) in pages.enumerated() {
                    try page.picture.jpeg(quality: 97)?.withUnsafeBytes {
                        try Data($0).write(to: URL(fileURLWithPath: "\(pictures)/\(name)-\(index).jpg"))
                    }
                }
            }
        } catch {
            FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
        }
    }
}

/// Reads the places in `NAME.wanted` again, adds the answers to `NAME.answers`, and removes the requests.
private func answer(_ name: String, in folder: String, pictures: String, _ reader: PageReader) {
    guard let data = FileManager.default.contents(atPath: "\(folder)/\(name).wanted"),
        let requests = try? JSONDecoder().decode([RereadRequest].self, from: data)
    else { return }
    var pages: [Raster] = []
    while let bytes = FileManager.default.contents(atPath: "\(pictures)/\(name)-\(pages.count).jpg"),
        let picture = try? decodePicture([UInt8](bytes))
    {
        pages.append(picture)
    }
    let file = "\(folder)/\(name).answers"
    let knownAnswers = FileManager.default.contents(atPath: file)
        .flatMap { try? JSONDecoder().decode([RereadAnswer].self, from: $0) }
    let answers = (knownAnswers ?? []) + reader.reread(requests, on: pages)
    try? JSONEncoder().encode(answers).write(to: URL(fileURLWithPath: file))
    try? FileManager.default.removeItem(atPath: "\(folder)/\(name).wanted")
}
