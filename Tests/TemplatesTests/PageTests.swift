import Templates
import Testing

@Suite(.timeLimit(.minutes(5))) struct PageTests {
    private func render(_ template: String, _ receipt: Receipt = Receipt()) throws -> String {
        let folder = try TemplateFolder(["page": template])
        let page = try folder.library().page("page", Receipt.self, layoutModel: Frame.self)
        return String(decoding: page.render(receipt, layout: Frame(), language: PageLanguage.german), as: UTF8.self)
    }

    @Test(
        "renders the declared fields of a model",
        arguments: [
            ("{{store}}", "Hofer"), ("{{count}}", "3"), ("{{total.amount}}", "1,19 €"), ("{{member}}", "Ada"),
            ("{{#total}}{{amount}} {{store}}{{/total}}", "1,19 € Hofer"), ("{{{chart}}}", "<svg></svg>"),
            ("{{#lines}}{{name}}{{#isOffer}}!{{/isOffer}};{{/lines}}", "Milch;Brot!;"),
            ("{{#lines}}{{note}}{{#note}}({{.}}){{/note}}{{^note}}-{{/note}}{{/lines}}", "alt(alt)-"),
            ("{{#tags}}<{{.}}>{{/tags}}", "<a><b&amp;>"), ("{{lines.count}}{{#lines.any}}+{{/lines.any}}", "2+"),
            ("{{#refund}}{{amount}}{{/refund}}{{^refund}}none{{/refund}}", "none"), ("{{^lines}}empty{{/lines}}", ""),
        ])
    func showsFields(_ template: String, _ expected: String) throws {
        let receipt = Receipt(
            lines: [Line(note: "alt"), Line(name: "Brot", isOffer: true)], tags: ["a", "b&"])
        #expect(try render(template, receipt) == expected)
    }

    @Test("escapes text for element content and quoted attributes")
    func escapes() throws {
        let hostile = Receipt(store: #"<img src=x onerror="alert('1')">&"#)
        #expect(
            try render("{{store}}", hostile)
                == "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;")
    }

    @Test("does not interpret tags in data")
    func dataIsNotTemplate() throws {
        #expect(try render("{{store}}", Receipt(store: "{{member}}")) == "{{member}}")
    }

    @Test("renders recursive partials as deep as the data")
    func recursion() throws {
        let folder = try TemplateFolder([
            "page": "{{#lines}}{{>line}}{{/lines}}", "line": "{{name}}<{{#parts}}{{>line}}{{/parts}}>",
        ])
        let page = try folder.library().page("page", Receipt.self)
        let inner = Line(name: "b", parts: [Line(name: "c")])
        let receipt = Receipt(lines: [Line(name: "a", parts: [inner, Line(name: "d")])])
        #expect(String(decoding: page.render(receipt, language: PageLanguage.english), as: UTF8.self) == "a<b<c<>>d<>>")
    }

    @Test("distinguishes blocks of the same name in layout and card")
    func inheritance() throws {
        let folder = try TemplateFolder([
            "layout": "<title>{{$title}}?{{/title}}</title>{{member}}<main>{{$content}}{{/content}}</main>",
            "card": "<h2>{{$title}}Card{{/title}}</h2>",
            "page": """
            {{<layout}}
            {{$title}}{{store}}{{/title}}
            {{$content}}{{<card}}{{$title}}{{count}}{{/title}}{{/card}}{{>card}}{{/content}}
            {{/layout}}
            """,
        ])
        let page = try folder.library().page("page", Receipt.self, layoutModel: Frame.self)
        let rendered = page.render(Receipt(), layout: Frame(), language: PageLanguage.german)
        let html = String(decoding: rendered, as: UTF8.self)
        #expect(html == "<title>Hofer</title>Ada<main><h2>3</h2><h2>Card</h2></main>")
    }

    @Test(
        "checks every branch at start and reports errors with their position",
        arguments: [
            ("{{stroe}}", "1:1: error: no key stroe in Receipt, Frame"),
            ("a\n  {{#lines}}{{nam}}{{/lines}}", "2:13: error: no key nam in Line, Receipt, Frame; is it name?"),
            ("{{#refund}}{{x}}{{/refund}}", "1:12: error: no key x in Total, Receipt, Frame"),
            ("{{#store}}x{{/store}}", "1:1: error: a section needs a flag, list or model; store is a text"),
            ("{{lines}}", "1:1: error: lines is a list and cannot be shown; open it with {{#lines}}"),
            ("{{{store}}}", "1:1: error: store is a text and always escaped: write {{store}}"),
            ("{{chart}}", "1:1: error: chart is markup: write {{{chart}}}"),
            ("{{^total}}x{{/total}}", "1:1: error: total is a model, which is never absent"),
            (
                "{{refund.amount}}",
                "1:1: error: refund is an optional model and must be opened with {{#refund}} first"
            ),
            ("{{total.sum}}", "1:1: error: no key sum in Total"),
            ("{{store.x}}", "1:1: error: store is a text and has no parts"),
            ("{{.}}", "1:1: error: {{.}} is only allowed in a section over texts"),
            ("ä{{>gone}}", "1:2: error: template not found: gone"),
            ("{{#lines}}x", "1:1: error: unclosed {{#lines}}"),
            (
                "{{#lines}}{{/line}}",
                "1:11: error: {{/line}} found, but {{#lines}}, opened in line 1, column 1, must be closed first"
            ),
            ("{{/a}}", "1:1: error: {{/a}} without an opening tag"), ("x{{store", "1:2: error: unclosed tag"),
            ("{{}}", "1:1: error: empty tag"), ("{{a b}}", "1:1: error: white space in a name: a b"),
            ("{{a..b}}", "1:1: error: empty component in a dotted name: a..b"),
            ("{{@gone}}", "1:1: error: text not found: gone"),
            ("{{<page}}{{store}}{{/page}}", "1:10: error: only blocks are allowed directly inside {{<page}}"),
            ("{{<page}}{{/page}}", "1:1: error: partials and parents are nested more than 64 deep: page"),
        ])
    func checksBranches(_ template: String, _ problem: String) throws {
        let folder = try TemplateFolder(["page": template])
        let problems = folder.problems { () throws(TemplateError) in
            _ = try folder.library().page("page", Receipt.self, layoutModel: Frame.self)
        }
        #expect(problems == ["page.html:\(problem)"])
    }

    @Test("reports all errors of a page at once")
    func collectsMistakes() throws {
        let folder = try TemplateFolder(["page": "{{a}}\n{{>part}}", "part": "\n{{b}}"])
        let problems = folder.problems { () throws(TemplateError) in
            _ = try folder.library().page("page", Receipt.self)
        }
        #expect(problems == ["page.html:1:1: error: no key a in Receipt", "part.html:2:1: error: no key b in Receipt"])
    }

    @Test("reports unused keys and templates")
    func reportsUnused() throws {
        let folder = try TemplateFolder(["page": "{{#lines}}{{name}}{{/lines}}{{store}}", "old": "x"])
        let library = try folder.library()
        _ = try library.page("page", Receipt.self)
        #expect(library.unusedTemplates() == ["old"])
        #expect(
            library.unusedFields() == [
                "Line.isOffer", "Line.note", "Line.parts", "Receipt.chart", "Receipt.count", "Receipt.refund",
                "Receipt.tags", "Receipt.total",
            ])
    }

    @Test("reloads changed templates in development and shows their errors")
    func reloads() throws {
        let folder = try TemplateFolder(["page": "one {{store}}"])
        let page = try folder.library(reload: true).page("page", Receipt.self)
        func html() -> String { String(decoding: page.render(Receipt(), language: PageLanguage.german), as: UTF8.self) }
        #expect(html() == "one Hofer")
        try folder.write("second {{store}}", to: "page.html")
        #expect(html() == "second Hofer")
        try folder.write("third {{stroe}} <b>", to: "page.html")
        #expect(html().contains("page.html:1:7: error: no key stroe in Receipt"))
        try folder.write("fourth time", to: "page.html")
        #expect(html() == "fourth time")
    }
}
