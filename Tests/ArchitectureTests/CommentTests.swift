import Foundation
import Testing

/// Searches comments and test names for words and phrases that are hard to read. Comments and test names are plain
/// technical English (CONTRIBUTING.md).
@Suite(.timeLimit(.minutes(5))) struct CommentTests {
    /// The path of this file, which contains the phrases as test data and is not searched.
    private static let path = "Tests/ArchitectureTests/CommentTests.swift"

    private static let phrases = [
        "stands?", "stood", "standing", "nought", "reckon(s|ed|ing)?", "bad hour", "is no word", "is none of",
        "at the door", "takes? apart", "taken apart", "comes? about", "seldom", "liker", "dearer", "whoever", "wares?",
        "hears? the same", "speaks? of", "tells? of", "knows? nothing of", "lest", "thereof", "therein", "whereof",
        "holds? good", "is no more",
        // Allowed only for the order of programs on a connection, and of a header and its implementation.
        "behind(?! (an?|the) (reverse )?(proxy|pooler|C header|load balancer))",
    ]

    private static func pattern() throws -> NSRegularExpression {
        // A doc comment that begins with "nothing" for the value nil.
        let nothing = "^/{2,3} (- \\w+: )?Nothing (when|where|unless|if|for|while|outside|until)\\b"
        return try NSRegularExpression(
            pattern: "\\b(\(phrases.joined(separator: "|")))\\b|\(nothing)", options: .caseInsensitive)
    }

    private static func isFound(_ pattern: NSRegularExpression, in text: Substring) -> Bool {
        let text = String(text)
        return pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    @Test func `no comment or test name has a phrase that is hard to read`() throws {
        let files =
            try ["Sources", "Tests"].flatMap { try SourceFile.all(in: $0, ending: ".swift", ".py") }
            + SourceFile.all(in: "bin", ending: "")
        #expect(files.count > 500)
        let pattern = try Self.pattern()
        let checked = files.filter { file in file.path != Self.path }
        let offenders = checked.flatMap { file in
            (file.comments + file.testNames).filter { Self.isFound(pattern, in: $0.text) }
                .map { "\(file.path):\($0.line): \($0.text)" }
        }
        #expect(offenders == [])
    }

    @Test(arguments: [
        ("/// Stands behind the sign-in.", true), ("let count = 1  // nought at the start", true),
        ("/// Nothing when the text is empty.", true), ("/// Runs behind a reverse proxy.", false),
        ("let text = \"what stands behind\"", false), ("    @Test func `a name that stands in a table`() {", true),
        ("/// Nil when the text is empty.", false),
    ])
    func `a phrase is found in comments and test names only`(line: String, isFound: Bool) throws {
        let file = SourceFile(path: "Sources/Domain/Example.swift", text: line)
        let texts = (file.comments + file.testNames).map(\.text)
        let pattern = try Self.pattern()
        #expect(texts.contains { Self.isFound(pattern, in: $0) } == isFound)
    }
}
