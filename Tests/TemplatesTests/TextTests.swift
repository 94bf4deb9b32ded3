import Templates
import Testing

@Suite(.timeLimit(.minutes(5))) struct TextTests {
    @Test("inserts texts in the page's language, escaped, with their own tags rendered")
    func insertsTexts() throws {
        let folder = try TemplateFolder(
            ["page": "<h1 title=\"{{@title}}\">{{@count}}</h1>"],
            de: "# Belege\ntitle = Belege & mehr\ncount={{count}} Belege bei {{store}}\n",
            en: "title = \"Receipts\"\ncount = {{count}} receipts\n")
        let page = try folder.library().page("page", Receipt.self)
        func html(_ language: PageLanguage) -> String {
            String(decoding: page.render(Receipt(store: "A<B"), language: language), as: UTF8.self)
        }
        #expect(html(.german) == "<h1 title=\"Belege &amp; mehr\">3 Belege bei A&lt;B</h1>")
        #expect(html(.english) == "<h1 title=\"&quot;Receipts&quot;\">3 receipts</h1>")
    }

    @Test("returns texts to Swift code unescaped, with placeholders replaced")
    func plainTexts() throws {
        let folder = try TemplateFolder(
            [:], de: "a.b = Höchstens {{limit}} & {{#more}}mehr{{/more}}", en: "a.b = At most {{limit}}")
        let texts = try folder.library().texts
        #expect(texts[PageLanguage.german]["a.b", ["limit": "<25>", "more": true]] == "Höchstens <25> & mehr")
        #expect(texts[PageLanguage.english]["a.b"] == "At most ")
        #expect(texts[PageLanguage.english]["a.c"] == "⟦a.c⟧")
        #expect(!texts[PageLanguage.english].has("a.c"))
    }

    @Test("uses the words of a region instead of the words of the language")
    func regionalTexts() throws {
        let all = "january = Januar\njanuary.at = Jänner\nmay = Mai"
        let texts = try TemplateFolder([:], de: all, en: all).library().texts[PageLanguage.german]
        #expect(texts["january"] == "Januar" && texts.inRegion(nil)["january"] == "Januar")
        #expect(texts.inRegion("at")["january"] == "Jänner" && texts.inRegion("at")["may"] == "Mai")
        #expect(texts.inRegion("de")["january"] == "Januar")
    }

    @Test(
        "reports errors in a file of texts with their position",
        arguments: [
            ("a = x\nb = y", "a = x", "texts/de.txt:2:1: error: the text b is missing in language en"),
            ("", "c = x", "texts/en.txt:1:1: error: the text c is missing in language de"),
            ("a = x\na = y", "a = x", "texts/de.txt:2:1: error: the text a is defined twice"),
            ("a = x\nnothing", "a = x", "texts/de.txt:2:1: error: a line must have the form key = text"),
            ("a = ä{{b", "a = x", "texts/de.txt:1:6: error: unclosed tag"),
            (
                "a = {{>b}}", "a = x",
                "texts/de.txt:1:5: error: a text may contain only {{name}}, {{#name}}, {{^name}} and {{/name}}"
            ),
        ])
    func reportsMistakes(_ de: String, _ en: String, _ problem: String) throws {
        let folder = try TemplateFolder([:], de: de, en: en)
        let problems = folder.problems { () throws(TemplateError) in _ = try folder.library() }
        #expect(problems.first == problem)
    }

    @Test("checks names in texts and reports their position in the file of texts")
    func checksNamesInTexts() throws {
        let folder = try TemplateFolder(["page": "{{@a}}"], de: "a = {{store}}", en: "a = Shop {{shop}}")
        let problems = folder.problems { () throws(TemplateError) in
            _ = try folder.library().page("page", Receipt.self)
        }
        #expect(problems == ["texts/en.txt:1:10: error: no key shop in Receipt"])
    }

    @Test("reports texts that neither templates nor Swift code use")
    func reportsUnusedTexts() throws {
        let all = "a = x\nb = y\nerror.c = z"
        let library = try TemplateFolder(["page": "{{@a}}"], de: all, en: all).library()
        #expect(library.unusedTexts { $0.hasPrefix("error.") } == ["b"])
    }

    @Test("renders a sample with dynamic values of page and layout")
    func samples() throws {
        let folder = try TemplateFolder(
            ["page": "{{@a}} {{member}}{{#lines}}{{name}}{{/lines}}"], de: "a = A", en: "a = B")
        let stack: [Value] = [["member": "Ada"], ["lines": [["name": "1"], ["name": "2"]]]]
        let html = try folder.library().sample("page", stack, language: PageLanguage.english)
        #expect(String(decoding: html, as: UTF8.self) == "B Ada12")
    }
}
