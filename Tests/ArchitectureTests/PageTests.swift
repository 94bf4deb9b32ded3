import Testing

/// Rules for pages, styles and scripts.
@Suite(.timeLimit(.minutes(5))) struct PageTests {
    @Test func `templates have no inline style or event handler, which the content security policy blocks`() throws {
        let offenders = try Project.files(in: "Views", ending: ".html").filter { path in
            try Project.text(path).firstMatch(of: #/<[^>{]*\s(?:style|on[a-z]+)\s*=/#.ignoresCase()) != nil
        }
        #expect(offenders == [])
    }

    @Test func `no page, style or script loads anything from another server`() throws {
        let paths = Project.files(in: "Views", ending: ".html") + Project.files(in: "Public", ending: ".css", ".js")
        let pattern = #/(?:src|href|action|url|import|fetch)\s*(?:=|\()?\s*["'(]?(?:https?:)?\/\/[a-z]/#.ignoresCase()
        let offenders = try paths.filter { try Project.text($0).firstMatch(of: pattern) != nil }
        #expect(offenders == [])
    }
}
