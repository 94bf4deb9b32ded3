import FoundationEssentials

/// The folders of templates and texts.
struct SourceFolders: Sendable {
    let templates: String
    let texts: String
    let languages: [String]

    /// Sorted paths of all `.html` files below `templates`, such as `receipts/index.html`.
    func templateFiles() throws(TemplateError) -> [String] {
        var files: [String] = []
        try collect("", into: &files)
        return files.sorted()
    }

    private func collect(_ folder: String, into files: inout [String]) throws(TemplateError) {
        let path = folder.isEmpty ? templates : "\(templates)/\(folder)"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw TemplateError("the folder cannot be read", at: Location(file: path, line: 1, column: 1))
        }
        for name in names where !name.hasPrefix(".") {
            let relative = folder.isEmpty ? name : "\(folder)/\(name)"
            if name.hasSuffix(".html") {
                files.append(relative)
            } else {
                var isFolder = false
                if FileManager.default.fileExists(atPath: "\(templates)/\(relative)", isDirectory: &isFolder), isFolder
                {
                    try collect(relative, into: &files)
                }
            }
        }
    }

    var textFiles: [(tag: String, path: String)] { languages.map { ($0, "\(texts)/\($0).txt") } }

    static func bytes(of path: String) throws(TemplateError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TemplateError("the file cannot be read", at: Location(file: path, line: 1, column: 1))
        }
        return Array(data)
    }

    /// A value that changes when a file is added, removed or written; for reloading in development.
    func fingerprint() -> [String] {
        let templates = ((try? templateFiles()) ?? []).map { "\(self.templates)/\($0)" }
        return (templates + textFiles.map(\.path)).map { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
            return "\(path) \(date) \(attributes?[.size] ?? 0)"
        }
    }
}

/// The texts, and the templates of each language with the texts of that language inserted.
struct TemplateSources: Sendable {
    let texts: Texts
    /// The parsed templates by name (`receipts/index`) for each language tag, in the order of the configuration.
    private(set) var languages: [(tag: String, templates: [String: [Node]])] = []
    private(set) var usedTexts: Set<String> = []

    /// - Throws: `TemplateError` with all errors in the texts or, if there are none, the first error in each template.
    init(_ folders: SourceFolders) throws(TemplateError) {
        var read: [(tag: String, file: String, bytes: [UInt8])] = []
        for (tag, path) in folders.textFiles { read.append((tag, path, try SourceFolders.bytes(of: path))) }
        texts = try Texts(read)
        var files: [(name: String, file: String, bytes: [UInt8])] = []
        for file in try folders.templateFiles() {
            let path = "\(folders.templates)/\(file)"
            files.append((String(file.dropLast(5)), path, try SourceFolders.bytes(of: path)))
        }
        var errors = TemplateError()
        for tag in folders.languages {
            var templates: [String: [Node]] = [:]
            for (name, path, bytes) in files {
                do throws(TemplateError) {
                    templates[name] = try parse(bytes, path, texts[tag: tag])
                } catch {
                    errors.add(error)
                }
            }
            languages.append((tag, templates))
        }
        guard errors.problems.isEmpty else { throw errors }
    }

    private mutating func parse(
        _ bytes: [UInt8], _ path: String, _ texts: LanguageTexts
    ) throws(TemplateError) -> [Node] {
        var used: Set<String> = []
        defer { usedTexts.formUnion(used) }
        return try Parser.template(bytes, file: path) { (key, location) throws(TemplateError) in
            guard let entry = texts.entries[key] else { throw TemplateError("text not found: \(key)", at: location) }
            used.insert(key)
            return entry.markup
        }
    }
}
