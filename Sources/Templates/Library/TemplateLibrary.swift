/// All templates and texts, read and checked at start.
///
/// Not `Sendable`, because all pages are created on one thread at start. Requests use the resulting `Page`s.
package final class TemplateLibrary {
    /// The texts for Swift code.
    package let texts: Texts
    private let sources: TemplateSources
    private let folders: SourceFolders
    private let reloads: Bool

    private var usedTemplates: Set<String> = []
    private var usedFields: Set<String> = []
    private var tables: [ObjectIdentifier: FieldTable] = [:]

    /// - Parameters:
    ///   - folder: every `.html` file below it is a template, named by its path without extension.
    ///   - texts: the folder with one `<tag>.txt` per language.
    ///   - languages: tags in order; the first is the default.
    ///   - reload: whether to reload changed files and to show errors in the browser; in development only.
    /// - Throws: `TemplateError` with all errors in the texts or, if there are none, the first error in each template.
    package init(
        folder: String, texts: String, languages: [String] = ["de", "en"], reload: Bool = false
    ) throws(TemplateError) {
        folders = SourceFolders(templates: folder, texts: texts, languages: languages)
        sources = try TemplateSources(folders)
        self.texts = sources.texts
        reloads = reload
    }

    /// Binds a template to its models. Names are searched in `model` first, then in `layoutModel`.
    ///
    /// - Throws: `TemplateError` with all errors in all branches, partials and layouts of the page.
    package func page<Model: PageModel, Layout: PageModel>(
        _ name: String, _ model: Model.Type, layoutModel: Layout.Type
    ) throws(TemplateError) -> Page<Model, Layout> {
        typealias Variant = Page<Model, Layout>.Variant
        let page = PageBinding(name: name, file: "\(folders.templates)/\(name).html")
        var variants: [Variant] = []
        for (tag, program) in try page.bind(
            sources, Model.fields.table, Layout.fields.table,
            report: { expansion, binder in
                usedTemplates.formUnion(expansion.templates.union([name]))
                usedFields.formUnion(binder.used)
                tables.merge(binder.tables) { first, _ in first }
            })
        {
            variants.append(Variant(language: tag, program: program))
        }
        guard reloads else { return Page(name: name, variants: variants, reload: nil) }
        let reload = Reload(folders, bound: variants) { (sources) throws(TemplateError) -> [Variant] in
            try page.bind(sources, Model.fields.table, Layout.fields.table) { _, _ in }
                .map { Variant(language: $0.tag, program: $0.program) }
        }
        return Page(name: name, variants: variants, reload: reload)
    }

    /// Binds a template without a layout model.
    ///
    /// - Throws: `TemplateError` with all errors in all branches and partials of the page.
    package func page<Model: PageModel>(
        _ name: String, _ model: Model.Type
    ) throws(TemplateError) -> Page<Model, NoModel> {
        try page(name, model, layoutModel: NoModel.self)
    }

    /// Renders a template with dynamic values, for samples and style guides.
    ///
    /// - Parameter stack: the values from outermost to innermost, such as the layout's and the page's.
    /// - Throws: `TemplateError` if the template, a partial or a parent does not exist.
    package func sample(
        _ name: String, _ stack: [Value], language: some RawRepresentable<String>
    ) throws(TemplateError) -> [UInt8] {
        let place = Location(file: "\(folders.templates)/\(name).html", line: 1, column: 1)
        let language = sources.languages.first { $0.tag == language.rawValue } ?? sources.languages.first
        guard let templates = language?.templates, let nodes = templates[name] else {
            throw TemplateError("template not found", at: place)
        }
        var expander = Expander { templates[$0] }
        let expansion = try expander.expand(nodes)
        var output = Output()
        ValueRenderer(partials: expansion.partials).render(expansion.pieces, stack, into: &output)
        return output.bytes
    }

    /// Returns all declared keys that no registered page uses, as `Model.key`. Keys of models that no page uses are not
    /// included.
    package func unusedFields() -> [String] {
        tables.values.flatMap { table in table.fields.keys.map { "\(table.name).\($0)" } }
            .filter { !usedFields.contains($0) && $0 != "String.." }.sorted()
    }

    /// Returns the keys of texts that no template uses.
    ///
    /// - Parameter elsewhere: returns whether Swift code uses a key. Such keys are not returned.
    package func unusedTexts(except elsewhere: (String) -> Bool = { _ in false }) -> [String] {
        texts.keys.filter { !sources.usedTexts.contains($0) && !elsewhere($0) }.sorted()
    }

    /// Returns the names of templates that no registered page uses, directly or as a partial or parent.
    package func unusedTemplates() -> [String] {
        (sources.languages.first?.templates.keys.filter { !usedTemplates.contains($0) } ?? []).sorted()
    }
}

/// A page to be bound, at start and again after changes in development.
private struct PageBinding: Sendable {
    let name: String
    let file: String

    func bind(
        _ sources: TemplateSources, _ model: FieldTable, _ layout: FieldTable,
        report: (Expansion, Binder) -> Void
    ) throws(TemplateError) -> [(tag: String, program: Program)] {
        var errors = TemplateError()
        var programs: [(tag: String, program: Program)] = []
        for (tag, templates) in sources.languages {
            do throws(TemplateError) {
                guard let nodes = templates[name] else {
                    throw TemplateError("template not found", at: Location(file: file, line: 1, column: 1))
                }
                var expander = Expander { templates[$0] }
                let expansion = try expander.expand(nodes)
                var binder = Binder(expansion, page: file)
                programs.append((tag, try binder.bind(model, layout: layout)))
                report(expansion, binder)
            } catch {
                errors.add(error)
            }
        }
        guard errors.problems.isEmpty else { throw errors }
        return programs
    }
}
