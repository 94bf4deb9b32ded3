import Foundation
import Templates

/// Templates and texts in a temporary folder, which is deleted with the value.
final class TemplateFolder {
    let path: String

    init(_ files: [String: String], de: String = "", en: String = "") throws {
        path = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)").path
        for (name, text) in files { try write(text, to: "\(name).html") }
        try write(de, to: "texts/de.txt")
        try write(en, to: "texts/en.txt")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func library(reload: Bool = false) throws(TemplateError) -> TemplateLibrary {
        try TemplateLibrary(folder: path, texts: "\(path)/texts", reload: reload)
    }

    /// Returns the problems that a call reports, without the path of the folder.
    func problems(_ body: () throws(TemplateError) -> Void) -> [String] {
        do throws(TemplateError) {
            try body()
            return []
        } catch {
            return error.problems.map { $0.description.replacingOccurrences(of: "\(path)/", with: "") }
        }
    }
}

enum PageLanguage: String {
    case german = "de"
    case english = "en"
}

struct Line: PageModel {
    var name = "Milch"
    var isOffer = false
    var note: String?
    var parts: [Line] = []

    static let fields = Fields<Self> { f in
        f.text("name", \.name)
        f.flag("isOffer", \.isOffer)
        f.optionalText("note", \.note)
        f.list("parts", \.parts)
    }
}

struct Total: PageModel {
    var amount = "1,19 €"
    static let fields = Fields<Self> { f in f.text("amount", \.amount) }
}

struct Receipt: PageModel {
    var store = "Hofer"
    var count = 3
    var lines: [Line] = []
    var tags: [String] = []
    var total = Total()
    var refund: Total?
    var chart = Markup(trusted: "<svg></svg>")

    static let fields = Fields<Self> { f in
        f.text("store", \.store)
        f.number("count", \.count)
        f.list("lines", \.lines)
        f.texts("tags", \.tags)
        f.model("total", \.total)
        f.optional("refund", \.refund)
        f.html("chart", \.chart)
    }
}

struct Frame: PageModel {
    var member = "Ada"
    static let fields = Fields<Self> { f in f.text("member", \.member) }
}
