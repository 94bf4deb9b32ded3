import Templates
import Testing

@Suite(.timeLimit(.minutes(5))) struct HostileTemplateTests {
    /// Parts of templates, which are combined at random. The random sequence is the same in each run.
    private static let pieces = [
        "{{#a}}", "{{/a}}", "{{^a}}", "{{$b}}", "{{/b}}", "{{<p}}", "{{/p}}", "{{>p}}", "{{>q}}", "{{a}}", "{{{a}}}",
        "{{.}}", "{{=<% %>=}}", "<%={{ }}=%>", "{{!x\ny}}", "\n", "  ", "\t", "x", "ä", "\r\n", "{{", "}}", "{", "{{=",
    ]

    @Test("renders any mixture of tags, or refuses it with a position")
    func mixtures() {
        var state: UInt64 = 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        func mixture() -> String { (0..<next(14)).map { _ in Self.pieces[next(Self.pieces.count)] }.joined() }
        var rendered = 0
        for _ in 0..<16_000 {
            do throws(TemplateError) {
                let template = try Template(mixture(), partials: ["p": mixture(), "q": mixture()])
                _ = template.render(["a": [["a": "x"], ["a": ["a": true]]]])
                rendered += 1
            } catch {
                #expect(error.problems.allSatisfy { $0.location.line >= 1 && $0.location.column >= 1 })
            }
        }
        #expect(rendered > 100)
    }

    @Test("refuses partials whose output grows exponentially")
    func explosion() {
        var partials: [String: String] = [:]
        for level in 0..<40 { partials["p\(level)"] = "{{>p\(level + 1)}}{{>p\(level + 1)}}" }
        partials["p40"] = "x"
        #expect(throws: TemplateError.self) { try Template("{{>p0}}", partials: partials) }
    }

    @Test("limits the depth of a partial that contains itself")
    func endlessData() throws {
        let template = try Template("{{>p}}", partials: ["p": "x{{#a}}{{>p}}{{/a}}"])
        // The key `a` is found in the outer context at every level.
        #expect(template.render(["a": true]).count < 1000)
    }
}
