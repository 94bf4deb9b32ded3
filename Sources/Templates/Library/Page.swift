import Synchronization

/// A template bound to its models, in all languages; created by `TemplateLibrary.page`.
package final class Page<Model: PageModel, Layout: PageModel>: Sendable {
    /// The template's name, such as `receipts/index`.
    package let name: String
    private let variants: [Variant]
    private let reload: Reload<[Variant]>?
    /// Size of the last rendered page in bytes, for which the next rendering reserves memory.
    private let lastSize = Atomic<Int>(4096)

    struct Variant: Sendable {
        let language: String
        let program: Program
    }

    init(name: String, variants: [Variant], reload: Reload<[Variant]>?) {
        self.name = name
        self.variants = variants
        self.reload = reload
    }

    /// Renders the page to UTF-8.
    ///
    /// - Parameter language: a value whose raw value is the tag of a language, such as `de`. The first language is the
    ///   default.
    package func render(_ model: Model, layout: Layout, language: some RawRepresentable<String>) -> [UInt8] {
        var variants = variants
        if let reload {
            switch reload.current() {
            case .success(let current): variants = current
            case .failure(let error): return errorPage(error)
            }
        }
        let tag = language.rawValue
        guard let variant = variants.first(where: { $0.language == tag }) ?? variants.first else { return [] }
        let capacity = lastSize.load(ordering: .relaxed)
        let bytes = variant.program.render(model, layout: layout, capacity: capacity + capacity / 8)
        lastSize.store(bytes.count, ordering: .relaxed)
        return bytes
    }

    /// Renders a page with the errors of the templates; in development only.
    private func errorPage(_ error: TemplateError) -> [UInt8] {
        var output = Output()
        output.writeRaw("<!doctype html><html lang=en><meta charset=utf-8><title>Template error</title><h1>")
        output.writeEscaped(name)
        output.writeRaw("</h1><pre>")
        output.writeEscaped(error.description)
        output.writeRaw("</pre></html>\n")
        return output.bytes
    }
}

extension Page where Layout == NoModel {
    /// Renders a page or fragment without a layout model.
    package func render(_ model: Model, language: some RawRepresentable<String>) -> [UInt8] {
        render(model, layout: NoModel(), language: language)
    }
}
