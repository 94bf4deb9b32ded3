import Foundation
import Templates
import Testing

/// Test cases of this project. The official ones of Mustache are not in the repository (see `SpecificationTests`).
@Suite(.timeLimit(.minutes(5))) struct ParsingTests {
    private static let data: Value = [
        "name": "<A>", "yes": true, "no": false, "items": [["n": 1], ["n": 2]], "empty": [], "a": ["b": ["c": "deep"]],
    ]

    @Test(
        "renders dynamic values",
        arguments: [
            ("{{name}} {{{name}}} {{&name}}", "&lt;A&gt; <A> <A>"), ("{{a.b.c}}{{a.x.c}}", "deep"),
            ("{{#items}}{{n}}{{name}},{{/items}}", "1&lt;A&gt;,2&lt;A&gt;,"),
            ("{{^empty}}none{{/empty}}{{#no}}x{{/no}}", "none"), ("{{! comment }}x", "x"),
            ("{{=<% %>=}}<%name%>{{name}}", "&lt;A&gt;{{name}}"), ("a\n  {{#yes}}\n b\n  {{/yes}}\nc\n", "a\n b\nc\n"),
            ("  {{>part}}\n", "  one\n  two\n"), ("[{{>part}}]", "[one\ntwo\n]"), ("{{>gone}}", ""),
            ("{{<frame}}{{$body}}new{{/body}}{{/frame}}", "<new>"), ("{{<frame}}{{/frame}}", "<old>"),
        ])
    func renders(_ source: String, _ expected: String) throws {
        let partials = ["part": "one\ntwo\n", "frame": "<{{$body}}old{{/body}}>"]
        let template = try Template(source, partials: partials)
        #expect(String(decoding: template.render(Self.data), as: UTF8.self) == expected)
    }

    @Test("refuses a block that is defined twice")
    func refusesDoubledBlock() {
        #expect(throws: TemplateError.self) {
            try Template("{{<a}}{{$b}}{{/b}}{{$b}}{{/b}}{{/a}}", partials: ["a": ""])
        }
    }

    @Test("refuses a file that is not UTF-8")
    func refusesOtherEncodings() throws {
        let folder = try TemplateFolder([:])
        try Data([0x41, 0xE4]).write(to: URL(fileURLWithPath: "\(folder.path)/page.html"))
        let problems = folder.problems { () throws(TemplateError) in _ = try folder.library() }
        #expect(problems == ["page.html:1:1: error: the file is not UTF-8"])
    }
}
