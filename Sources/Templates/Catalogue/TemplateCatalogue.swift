/// All templates and texts of the product, read and checked once at start.
///
/// Not `Sendable`: pages are registered at start, by one thread; what serves requests are the `Page`s it gives out.
package final class TemplateCatalogue {
    /// For Swift code; in templates the texts are in place already.
    package let texts: TextCatalogue
    private let sources: TemplateSources
    private let folders: SourceFolders
    private let reloads: Bool

    private var usedTemplates: Set<String> = []
    private var usedFields: Set<String> = []
    private var tables: [ObjectIdentifier: FieldTable] = [:]

    /// - Parameters:
    ///   - folder: every `.html` file below it is a template, named by its path without the ending.
    ///   - texts: the folder with one `<tag>.txt` per language.
    ///   - languages: tags in order; the first one answers for unknown tags.
    ///   - reload: read files again when they change, and show mistakes in the browser; only while developing.
    /// - Throws: `TemplateError` with every problem of every file.
    package init(
        folder: String, texts: String, languages: [String] = ["de", "en"], reload: Bool = false
    ) throws(TemplateError) {
        folders = SourceFolders(templates: folder, texts: texts, languages: languages)
        sources = try TemplateSources(folders)
        self.texts = sources.texts
        reloads = reload
    }

    /// Binds a template to its models: names are asked in `model` first, then in `layoutModel`.
    ///
    /// - Throws: `TemplateError` with every problem of every branch, partial and layout of the page.
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

    /// Binds a template that shows nothing but its own model.
    ///
    /// - Throws: `TemplateError` with every name that the model does not have, or has as another type.
    package func page<Model: PageModel>(
        _ name: String, _ model: Model.Type
    ) throws(TemplateError) -> Page<Model, NoModel> {
        try page(name, model, layoutModel: NoModel.self)
    }

    /// Renders a template with values whose names are looked up while rendering: for samples and style guides, not for pages.
    ///
    /// - Parameter stack: outermost first, such as the layout's value and the page's.
    /// - Throws: `TemplateError` when the template, a partial or a parent does not exist.
    package func sample(
        _ name: String, _ stack: [Value], language: some RawRepresentable<String>
    ) throws(TemplateError) -> [UInt8] {
        let place = Location(file: "\(folders.templates)/\(name).html", line: 1, column: 1)
        let language = sources.languages.first { $0.tag == language.rawValue } ?? sources.languages.first
        guard let templates = language?.templates, let nodes = templates[name] else {
            throw TemplateError("there is no such template", at: place)
        }
        var expander = Expander { templates[$0] }
        let expansion = try expander.expand(nodes)
        var output = Output()
        ValueRenderer(partials: expansion.partials).render(expansion.pieces, stack, into: &output)
        return output.bytes
    }

    /// `Model.key` of every declared key no registered page asks for. A model that no page opens is not known here.
    package func unusedFields() -> [String] {
        tables.values.flatMap { table in table.fields.keys.map { "\(table.name).\($0)" } }
            .filter { !usedFields.contains($0) && $0 != "String.." }.sorted()
    }

    /// Keys no template shows.
    ///
    /// - Parameter elsewhere: says which keys Swift code asks for, such as everything under `error.`.
    package func unusedTexts(except elsewhere: (String) -> Bool = { _ in false }) -> [String] {
        texts.keys.filter { !sources.usedTexts.contains($0) && !elsewhere($0) }.sorted()
    }

    /// Templates that no registered page, partial or parent uses.
    package func unusedTemplates() -> [String] {
        (sources.languages.first?.templates.keys.filter { !usedTemplates.contains($0) } ?? []).sorted()
    }
}

/// What it takes to bind one page, again after each change while developing.
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
                    throw TemplateError("there is no such template", at: Location(file: file, line: 1, column: 1))
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
